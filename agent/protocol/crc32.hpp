// CRC-32 as Ethernet, gzip and PNG have it (reflected 0x04C11DB7).
#pragma once

#include <cstdint>
#include <string_view>

namespace vmtax::protocol {

std::uint32_t crc32(std::string_view bytes);

}  // namespace vmtax::protocol
