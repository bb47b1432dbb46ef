#include "kernel/block_header.hpp"

#include <array>
#include <cstring>

#include "kernel/crc32c.hpp"

namespace vmtax::kernel {
namespace {

constexpr std::uint64_t magic = 0x6b6c627861746d76;  // "vmtaxblk" in memory
constexpr std::size_t crc_at = 32;

std::uint64_t word_at(std::span<const std::byte> block, std::size_t at) {
  std::uint64_t word;
  std::memcpy(&word, block.data() + at, sizeof word);
  return word;
}

std::uint32_t checksum_of(std::span<const std::byte> block) {
  constexpr std::array<std::byte, 4> zero{};
  return crc32c(block.subspan(block_header_size), crc32c(zero, crc32c(block.first(crc_at))));
}

}  // namespace

void seal_block(std::span<std::byte> block, const BlockIdentity& identity) {
  const std::array<std::uint64_t, 4> words{magic, identity.offset, identity.generation,
                                           identity.seed};
  std::memcpy(block.data(), words.data(), sizeof words);
  const std::uint32_t crc = checksum_of(block);
  std::memcpy(block.data() + crc_at, &crc, sizeof crc);
}

std::optional<std::string> why_bad(std::span<const std::byte> block,
                                   const BlockIdentity& identity) {
  if (word_at(block, 0) != magic) return "it has no header";
  std::uint32_t crc;
  std::memcpy(&crc, block.data() + crc_at, sizeof crc);
  if (crc != checksum_of(block)) return "its checksum is wrong";
  const auto differs = [](const char* what, std::uint64_t found, std::uint64_t expected) {
    return std::string{"its "} + what + " is " + std::to_string(found) + " instead of " +
           std::to_string(expected);
  };
  if (const auto found = word_at(block, 8); found != identity.offset)
    return differs("offset", found, identity.offset);
  if (const auto found = word_at(block, 16); found != identity.generation)
    return differs("generation", found, identity.generation);
  if (const auto found = word_at(block, 24); found != identity.seed)
    return differs("seed", found, identity.seed);
  return std::nullopt;
}

}  // namespace vmtax::kernel
