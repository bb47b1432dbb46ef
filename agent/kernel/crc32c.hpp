// CRC-32C (Castagnoli, reflected 0x1EDC6F41) as iSCSI, ext4 and btrfs have it; by the processor's
// instruction where it has one, found out at run time: the agent is built for any x86-64.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace vmtax::kernel {

/// `crc` is the result for what came before.
std::uint32_t crc32c(std::span<const std::byte> bytes, std::uint32_t crc = 0);

/// The same without the instruction.
std::uint32_t crc32c_portable(std::span<const std::byte> bytes, std::uint32_t crc = 0);

}  // namespace vmtax::kernel
