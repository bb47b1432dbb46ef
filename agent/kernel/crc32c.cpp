#include "kernel/crc32c.hpp"

#include <cstring>

#include "protocol/crc_table.hpp"

namespace vmtax::kernel {
namespace {

constexpr auto table = protocol::make_crc_table(0x82F63B78U);

#ifdef __x86_64__
__attribute__((target("sse4.2"))) std::uint32_t crc32c_sse42(std::span<const std::byte> bytes,
                                                             std::uint32_t crc) {
  std::uint64_t state = ~crc;
  const std::byte* at = bytes.data();
  std::size_t left = bytes.size();
  for (; left >= 8; left -= 8, at += 8) {
    std::uint64_t word;
    std::memcpy(&word, at, sizeof word);
    state = __builtin_ia32_crc32di(state, word);
  }
  auto narrow = static_cast<std::uint32_t>(state);
  for (; left > 0; --left, ++at)
    narrow = __builtin_ia32_crc32qi(narrow, static_cast<unsigned char>(*at));
  return ~narrow;
}
#endif

}  // namespace

std::uint32_t crc32c_portable(std::span<const std::byte> bytes, std::uint32_t crc) {
  crc = ~crc;
  for (const std::byte byte : bytes)
    crc = table[(crc ^ static_cast<std::uint32_t>(byte)) & 0xFF] ^ (crc >> 8);
  return ~crc;
}

std::uint32_t crc32c(std::span<const std::byte> bytes, std::uint32_t crc) {
#ifdef __x86_64__
  static const bool has_instruction = __builtin_cpu_supports("sse4.2") != 0;
  if (has_instruction) return crc32c_sse42(bytes, crc);
#endif
  return crc32c_portable(bytes, crc);
}

}  // namespace vmtax::kernel
