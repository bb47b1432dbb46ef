// The table of a byte-wise CRC of 32 bits with a reflected polynomial.
#pragma once

#include <array>
#include <cstdint>

namespace vmtax::protocol {

/// `polynomial` with its bits reversed, e.g. 0xEDB88320 for CRC-32, 0x82F63B78 for CRC-32C.
constexpr std::array<std::uint32_t, 256> make_crc_table(std::uint32_t polynomial) {
  std::array<std::uint32_t, 256> table{};
  for (std::uint32_t byte = 0; byte < 256; ++byte) {
    std::uint32_t remainder = byte;
    for (int bit = 0; bit < 8; ++bit)
      remainder = (remainder >> 1) ^ ((remainder & 1) ? polynomial : 0U);
    table[byte] = remainder;
  }
  return table;
}

}  // namespace vmtax::protocol
