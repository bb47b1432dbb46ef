#include "agent/target.hpp"

#include <algorithm>
#include <map>

#include "agent/attribute.hpp"
#include "agent/device_wait.hpp"
#include "kernel/failures.hpp"

namespace vmtax::agent {
namespace {

namespace fs = std::filesystem;

std::string trimmed(const std::string& text) {
  static constexpr std::string_view padding{" \t\r\n\0", 5};
  const auto first = text.find_first_not_of(padding);
  if (first == std::string::npos) return {};
  return text.substr(first, text.find_last_not_of(padding) - first + 1);
}

// Unit serial number page of SCSI: a four-byte header whose last two bytes are the length.
std::string serial_of_page_80(const std::string& page) {
  constexpr std::size_t header = 4;
  if (page.size() <= header) return {};
  const auto length =
      (static_cast<unsigned char>(page[2]) << 8) | static_cast<unsigned char>(page[3]);
  return trimmed(page.substr(header, static_cast<std::size_t>(length)));
}

std::map<std::string, std::string> serials_by_disk(const fs::path& sys) {
  std::map<std::string, std::string> serials;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator{sys / "block", error}) {
    const auto disk = entry.path().filename().string();
    if (auto serial = disk_serial(disk, sys); !serial.empty()) serials[disk] = std::move(serial);
  }
  return serials;
}

}  // namespace

std::string disk_serial(const std::string& disk, const fs::path& sys) {
  const auto folder = sys / "block" / disk;
  if (const auto virtio = read_attribute(folder / "serial")) return trimmed(*virtio);
  if (const auto nvme = read_attribute(folder / "device/serial")) return trimmed(*nvme);
  if (const auto scsi = read_attribute(folder / "device/vpd_pg80")) return serial_of_page_80(*scsi);
  return {};
}

void await_serial(const std::string& serial, std::chrono::milliseconds limit,
                  const DeviceRoots& roots) {
  const DeviceWait devices;
  devices.until(
      [&] {
        const auto serials = serials_by_disk(roots.sys);
        return std::any_of(serials.begin(), serials.end(),
                           [&](const auto& entry) { return entry.second == trimmed(serial); });
      },
      limit);
}

std::string resolve_target(const protocol::Target& target, const DeviceRoots& roots) {
  if (target.serial.empty()) return target.path;
  const auto serials = serials_by_disk(roots.sys);
  std::string match, all;
  int matches = 0;
  for (const auto& [disk, serial] : serials) {
    all += (all.empty() ? "" : ", ") + disk + " \"" + serial + "\"";
    if (serial != trimmed(target.serial)) continue;
    ++matches;
    match = disk;
  }
  if (matches != 1)
    throw kernel::Refused{std::to_string(matches) + " disks have the serial \"" + target.serial +
                          "\"; there " + (serials.empty() ? "is no disk with one" : "are " + all)};
  std::replace(match.begin(), match.end(), '!', '/');  // as sysfs writes cciss/c0d0
  return (roots.dev / match).string();
}

}  // namespace vmtax::agent
