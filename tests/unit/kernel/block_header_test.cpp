#include "kernel/block_header.hpp"

#include <cstring>
#include <vector>

#include "kernel/crc32c.hpp"
#include "support/catch.hpp"

using namespace vmtax::kernel;

namespace {

std::vector<std::byte> bytes_of(const std::string& text) {
  std::vector<std::byte> bytes(text.size());
  std::memcpy(bytes.data(), text.data(), text.size());
  return bytes;
}

}  // namespace

TEST_CASE("CRC32C gives the published values, with and without the instruction") {
  // RFC 3720, B.4
  CHECK(crc32c(std::vector<std::byte>(32)) == 0x8A9136AAU);
  CHECK(crc32c(std::vector<std::byte>(32, std::byte{0xFF})) == 0x62A8AB43U);
  CHECK(crc32c(bytes_of("123456789")) == 0xE3069283U);
  CHECK(crc32c_portable(bytes_of("123456789")) == 0xE3069283U);
  const auto text = bytes_of("one part and another of odd lengths");
  const std::span whole{text};
  CHECK(crc32c(whole.subspan(11), crc32c(whole.first(11))) == crc32c_portable(whole));
}

TEST_CASE("a sealed block is whole, and each kind of damage is told apart") {
  std::vector<std::byte> block(4096, std::byte{7});
  const BlockIdentity identity{8192, 3, 42};
  seal_block(block, identity);
  CHECK_FALSE(why_bad(block, identity));
  CHECK(std::memcmp(block.data(), "vmtaxblk", 8) == 0);
  CHECK(why_bad(block, {4096, 3, 42}) == "its offset is 8192 instead of 4096");
  CHECK(why_bad(block, {8192, 4, 42}) == "its generation is 3 instead of 4");
  CHECK(why_bad(block, {8192, 3, 1}) == "its seed is 42 instead of 1");
  for (const std::size_t at : {9UL, 33UL, 100UL, 4095UL}) {
    auto damaged = block;
    damaged[at] ^= std::byte{1};
    CHECK(why_bad(damaged, identity) == "its checksum is wrong");
  }
  CHECK(why_bad(std::vector<std::byte>(4096), identity) == "it has no header");
}
