// The parts of a GUID partition table on a device (UEFI specification, chapter 5), as far as needed
// to know one again and to erase it.
//
// Layout, in logical sectors: 0 protective MBR; 1 primary header; its entries where the header says
// (2 and on); the backup's entries; the last sector the backup header. In a header: bytes 0-7 "EFI
// PART", 56-71 disk GUID, 72-79 first sector of the entries, 80-83 their number, 84-87 the size of
// one. In an entry: bytes 0-15 type (zero: unused), 32-39 first sector, 40-47 last sector, 56-127
// name in UTF-16. All little-endian.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "protocol/units.hpp"

namespace vmtax::drive {

struct GptHeader {
  std::string guid;  ///< as text
  Bytes entries_offset;
  Bytes entries_size;  ///< of all
  Bytes entry_size;    ///< of one
};

/// Reads one header from the bytes of its sector; nothing when it is none. `sector`: the logical
/// one.
std::optional<GptHeader> parse_gpt_header(std::string_view bytes, Bytes sector);

struct GptEntry {
  std::uint64_t number = 0;  ///< of the partition, from 1
  Bytes offset, size;
  std::string name;  ///< a character beyond ASCII is read as '?'
};

/// The used entries; `entry_size` is the size of one in bytes.
std::vector<GptEntry> parse_gpt_entries(std::string_view bytes, Bytes entry_size, Bytes sector);

/// Whether the first sector's partition entry is the protective one of a GPT (type 0xEE).
bool is_protective_mbr(std::string_view first_sector);

/// Where the MBR's four entries and its signature lie in the first sector; before them is boot
/// code.
inline constexpr std::uint64_t mbr_entries_offset = 446, mbr_entries_size = 66;

}  // namespace vmtax::drive
