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
  header.entry_size = Bytes{little_endian(bytes, 84, 4)};
  header.entries_size = header.entry_size * little_endian(bytes, 80, 4);
  return header;
}

std::vector<GptEntry> parse_gpt_entries(std::string_view bytes, Bytes entry_size, Bytes sector) {
  constexpr std::size_t name_offset = 56, smallest = 128;
  std::vector<GptEntry> entries;
  if (entry_size.value < smallest) return entries;
  for (std::uint64_t at = 0; at + entry_size.value <= bytes.size(); at += entry_size.value) {
    const auto entry = bytes.substr(at, entry_size.value);
    if (entry.substr(0, 16).find_first_not_of('\0') == std::string_view::npos) continue;
    const auto first = little_endian(entry, 32, 8), last = little_endian(entry, 40, 8);
    if (last < first) continue;
    GptEntry found{at / entry_size.value + 1, sector * first, sector * (last - first + 1), {}};
    for (std::size_t i = name_offset; i < smallest; i += 2) {
      const auto unit = little_endian(entry, i, 2);
      if (unit == 0) break;
      found.name += unit < 128 ? static_cast<char>(unit) : '?';
    }
    entries.push_back(std::move(found));
  }
  return entries;
}

bool is_protective_mbr(std::string_view first_sector) {
  return first_sector.size() >= 512 && static_cast<unsigned char>(first_sector[450]) == 0xEE &&
         static_cast<unsigned char>(first_sector[510]) == 0x55 &&
         static_cast<unsigned char>(first_sector[511]) == 0xAA;
}

}  // namespace vmtax::drive
