#include "drive/serial.hpp"

#include <optional>

#include "base/files.hpp"
#include "drive/block_device.hpp"

namespace vmtax::drive {
namespace {

std::string trimmed(std::string text) {
  constexpr std::string_view padding{" \t\n\0", 4};
  text.erase(text.find_last_not_of(padding) + 1);
  text.erase(0, text.find_first_not_of(padding));
  return text;
}

// The SCSI page 0x80: four bytes of header, of which the last two are the length, then the text.
std::string from_scsi_page(const std::string& page) {
  if (page.size() < 4) return {};
  const auto byte = [&](std::size_t at) { return static_cast<unsigned char>(page[at]); };
  const std::size_t length = static_cast<std::size_t>(byte(2)) << 8 | byte(3);
  return trimmed(page.substr(4, length));
}

}  // namespace

std::string serial_of(const std::string& disk, const Roots& roots) {
  const auto folder = sysfs_of(disk, roots);
  for (const char* attribute : {"serial", "device/serial"})
    if (const auto text = read_attribute(folder / attribute))
      if (auto serial = trimmed(*text); !serial.empty()) return serial;
  if (const auto page = read_attribute(folder / "device/vpd_pg80"))
    if (auto serial = from_scsi_page(*page); !serial.empty()) return serial;
  return roots.sys == "/sys" ? serial_from_udev(disk) : std::string{};
}

}  // namespace vmtax::drive
