// The header of a block that can be verified, at its beginning:
//
//   0  magic "vmtaxblk"    8  offset in the target    16  generation    24  seed
//   32 CRC32C of the whole block with this field as zero (4 bytes)
//
// A block that lies elsewhere, is of an earlier pass or of another job is told from a damaged one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

namespace vmtax::kernel {

struct BlockIdentity {
  std::uint64_t offset = 0;
  std::uint64_t generation = 0;
  std::uint64_t seed = 0;
};

inline constexpr std::size_t block_header_size = 36;

/// Writes header and checksum into a block of at least 512 bytes.
void seal_block(std::span<std::byte> block, const BlockIdentity& identity);

/// What is wrong with a block that should be `identity`; nothing when it is whole.
std::optional<std::string> why_bad(std::span<const std::byte> block, const BlockIdentity& identity);

}  // namespace vmtax::kernel
