#include "kernel/buffers.hpp"

#include <cstring>
#include <set>
#include <string>

#include "support/catch.hpp"

using namespace vmtax;
using namespace vmtax::kernel;

namespace {

std::string sector_of(const std::byte* buffer, std::size_t at) {
  return {reinterpret_cast<const char*>(buffer) + at, 512};
}

BufferPlan plan_of(Bytes block_size, std::uint32_t slots, bool writes, std::uint64_t seed) {
  BufferPlan plan;
  plan.block_size = block_size;
  plan.slots = slots;
  plan.reads = !writes;
  plan.writes = writes;
  plan.seed = seed;
  return plan;
}

}  // namespace

TEST_CASE("buffers are aligned for direct I/O and don't overlap") {
  Buffers buffers{plan_of(Bytes{1536}, 3, false, 1)};
  std::set<std::byte*> starts;
  for (std::uint32_t slot = 0; slot < 3; ++slot) {
    std::byte* buffer = buffers.to_read(slot);
    CHECK(reinterpret_cast<std::uintptr_t>(buffer) % 512 == 0);
    CHECK(buffer >= buffers.region().data());
    CHECK(buffer + 1536 <= buffers.region().data() + buffers.region().size());
    CHECK(buffers.to_read(slot) == buffer);
    starts.insert(buffer);
  }
  CHECK(*std::next(starts.begin()) - *starts.begin() >= 1536);
}

TEST_CASE("no sector is ever written twice, so that nothing can be deduplicated") {
  Buffers buffers{plan_of(kib(4), 2, true, 1)};
  std::set<std::string> seen;
  int sectors = 0;
  for (int write = 0; write < 2000; ++write) {
    const std::byte* buffer = buffers.to_write(static_cast<std::uint32_t>(write % 2), 0);
    for (std::size_t at = 0; at < 4096; at += 512, ++sectors) seen.insert(sector_of(buffer, at));
  }
  CHECK(seen.size() == static_cast<std::size_t>(sectors));
}

TEST_CASE("neighbouring writes share no data, so that a stream of them can't be compressed") {
  // Counts of equal 8-byte words among the 256 writes that cover 1 MiB: only chance ones.
  Buffers buffers{plan_of(kib(4), 1, true, 1)};
  std::set<std::uint64_t> words;
  std::size_t total = 0;
  for (int write = 0; write < 256; ++write) {
    const std::byte* buffer = buffers.to_write(0, 0);
    for (std::size_t at = 0; at < 4096; at += 8, ++total) {
      std::uint64_t word;
      std::memcpy(&word, buffer + at, sizeof word);
      words.insert(word);
    }
  }
  CHECK(words.size() == total);
}

TEST_CASE("data depends on the seed alone") {
  Buffers one{plan_of(kib(4), 1, true, 5)}, same{plan_of(kib(4), 1, true, 5)};
  Buffers other{plan_of(kib(4), 1, true, 6)};
  const auto* first = one.to_write(0, 0);
  CHECK(std::memcmp(first, same.to_write(0, 0), 4096) == 0);
  CHECK(std::memcmp(first, other.to_write(0, 0), 4096) != 0);
}

TEST_CASE("large blocks have one buffer per slot") {
  Buffers buffers{plan_of(mib(4), 2, true, 1)};
  CHECK(buffers.region().size() == mib(8).value);
}

TEST_CASE("what is read never comes back as data to be written") {
  auto plan = plan_of(kib(4), 2, true, 1);
  plan.reads = true;
  Buffers buffers{plan};
  for (int i = 0; i < 1000; ++i)
    for (std::uint32_t slot = 0; slot < 2; ++slot)
      REQUIRE(std::abs(buffers.to_read(slot) - buffers.to_write(1 - slot, 0)) >= 4096);
  CHECK(buffers.to_read(1) + 4096 <= buffers.region().data() + buffers.region().size());
}

TEST_CASE("the asked part of every 4 KiB is zeros") {
  const auto percent = GENERATE(0U, 50U, 75U, 100U);
  const auto block = GENERATE(kib(4), kib(64));
  auto plan = plan_of(block, 1, true, 1);
  plan.content.compress_percent = percent;
  Buffers buffers{plan};
  for (int write = 0; write < 3; ++write) {
    const std::byte* buffer = buffers.to_write(0, 0);
    for (std::size_t chunk = 0; chunk < block.value; chunk += 4096) {
      int zeros = 0;
      for (std::size_t at = chunk; at < chunk + 4096; ++at) zeros += buffer[at] == std::byte{0};
      CHECK(zeros == Approx(4096 * percent / 100).margin(48));
    }
  }
}

TEST_CASE("the asked part of the writes is one same block") {
  auto plan = plan_of(kib(4), 2, true, 1);
  plan.content.dedupe_percent = 30;
  Buffers buffers{plan};
  std::multiset<std::string> blocks;
  for (int write = 0; write < 5000; ++write)
    blocks.insert({reinterpret_cast<const char*>(buffers.to_write(0, 0)), 4096});
  std::size_t most = 0;
  for (auto it = blocks.begin(); it != blocks.end(); it = blocks.upper_bound(*it))
    most = std::max(most, blocks.count(*it));
  CHECK(static_cast<double>(most) == Approx(1500).margin(130));
  CHECK(std::set(blocks.begin(), blocks.end()).size() == 5001 - most);
}
