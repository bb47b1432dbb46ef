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

}  // namespace

TEST_CASE("buffers are aligned for direct I/O and don't overlap") {
  Buffers buffers{Bytes{1536}, 3, false, 1};
  std::set<std::byte*> starts;
  for (std::uint32_t slot = 0; slot < 3; ++slot) {
    std::byte* buffer = buffers.next(slot);
    CHECK(reinterpret_cast<std::uintptr_t>(buffer) % 512 == 0);
    CHECK(buffer >= buffers.region().data());
    CHECK(buffer + 1536 <= buffers.region().data() + buffers.region().size());
    CHECK(buffers.next(slot) == buffer);
    starts.insert(buffer);
  }
  CHECK(*std::next(starts.begin()) - *starts.begin() >= 1536);
}

TEST_CASE("no sector is ever written twice, so that nothing can be deduplicated") {
  Buffers buffers{kib(4), 2, true, 1};
  std::set<std::string> seen;
  int sectors = 0;
  for (int write = 0; write < 2000; ++write) {
    const std::byte* buffer = buffers.next(static_cast<std::uint32_t>(write % 2));
    for (std::size_t at = 0; at < 4096; at += 512, ++sectors) seen.insert(sector_of(buffer, at));
  }
  CHECK(seen.size() == static_cast<std::size_t>(sectors));
}

TEST_CASE("neighbouring writes share no data, so that a stream of them can't be compressed") {
  // Counts of equal 8-byte words among the 256 writes that cover 1 MiB: only chance ones.
  Buffers buffers{kib(4), 1, true, 1};
  std::set<std::uint64_t> words;
  std::size_t total = 0;
  for (int write = 0; write < 256; ++write) {
    const std::byte* buffer = buffers.next(0);
    for (std::size_t at = 0; at < 4096; at += 8, ++total) {
      std::uint64_t word;
      std::memcpy(&word, buffer + at, sizeof word);
      words.insert(word);
    }
  }
  CHECK(words.size() == total);
}

TEST_CASE("data depends on the seed alone") {
  Buffers one{kib(4), 1, true, 5}, same{kib(4), 1, true, 5}, other{kib(4), 1, true, 6};
  const auto* first = one.next(0);
  CHECK(std::memcmp(first, same.next(0), 4096) == 0);
  CHECK(std::memcmp(first, other.next(0), 4096) != 0);
}

TEST_CASE("large blocks have one buffer per slot") {
  Buffers buffers{mib(4), 2, true, 1};
  CHECK(buffers.region().size() == mib(8).value);
}
