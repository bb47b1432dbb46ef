#include "drive/gpt.hpp"

#include "drive/partition_table.hpp"

namespace vmtax::drive {
namespace {

std::uint64_t little_endian(std::string_view bytes, std::size_t at, std::size_t size) {
  std::uint64_t value = 0;
  for (std::size_t i = size; i-- > 0;)
    value = value << 8 | static_cast<unsigned char>(bytes[at + i]);
  return value;
}

}  // namespace

std::string guid_text(std::string_view bytes) {
  constexpr int order[] = {3, 2, 1, 0, -1, 5, 4, -1, 7, 6, -1, 8, 9, -1, 10, 11, 12, 13, 14, 15};
  constexpr char digits[] = "0123456789ABCDEF";
  std::string text;
  for (const int at : order) {
    if (at < 0) {
      text += '-';
    } else {
      const auto byte = static_cast<unsigned char>(bytes.at(static_cast<std::size_t>(at)));
      text += digits[byte >> 4];
      text += digits[byte & 15];
    }
  }
  return text;
}

std::optional<GptHeader> parse_gpt_header(std::string_view bytes, Bytes sector) {
  if (bytes.size() < 92 || !bytes.starts_with("EFI PART")) return std::nullopt;
  GptHeader header;
  header.guid = guid_text(bytes.substr(56, 16));
  header.entries_offset = Bytes{little_endian(bytes, 72, 8) * sector.value};
  header.entries_size = Bytes{little_endian(bytes, 80, 4) * little_endian(bytes, 84, 4)};
  return header;
}

bool is_protective_mbr(std::string_view first_sector) {
  return first_sector.size() >= 512 && static_cast<unsigned char>(first_sector[450]) == 0xEE &&
         static_cast<unsigned char>(first_sector[510]) == 0x55 &&
         static_cast<unsigned char>(first_sector[511]) == 0xAA;
}

}  // namespace vmtax::drive
