#include "protocol/crc32.hpp"

#include "protocol/crc_table.hpp"

namespace vmtax::protocol {
namespace {

constexpr auto table = make_crc_table(0xEDB88320U);

}  // namespace

std::uint32_t crc32(std::string_view bytes) {
  std::uint32_t crc = ~0U;
  for (const char c : bytes) crc = table[(crc ^ static_cast<unsigned char>(c)) & 0xFF] ^ (crc >> 8);
  return ~crc;
}

}  // namespace vmtax::protocol
