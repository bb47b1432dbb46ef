#include "drive/loop_device.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <optional>

#include <fcntl.h>
#include <linux/loop.h>
#include <sys/ioctl.h>

#include "base/errors.hpp"
#include "base/fd.hpp"
#include "base/files.hpp"
#include "drive/block_device.hpp"
#include "drive/device_use.hpp"
#include "drive/wait_until.hpp"

namespace vmtax::drive {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;

constexpr std::string_view mark_prefix = "vmtax ";

std::string mark_of(const std::string& id) {
  return (std::string{mark_prefix} + id).substr(0, LO_NAME_SIZE - 1);
}

std::optional<std::string> mark_on(const std::string& name) {
  const Fd device{::open(node_of(name).c_str(), O_RDONLY | O_CLOEXEC)};
  loop_info64 info{};
  if (!device || ::ioctl(device.get(), LOOP_GET_STATUS64, &info) != 0) return std::nullopt;
  const auto* text = reinterpret_cast<const char*>(info.lo_file_name);
  return std::string{text, ::strnlen(text, LO_NAME_SIZE)};
}

loop_config configuration(int backing, const std::string& id, Bytes sector) {
  loop_config config{};
  config.fd = static_cast<__u32>(backing);
  config.block_size = static_cast<__u32>(sector.value);
  config.info.lo_flags = LO_FLAGS_DIRECT_IO | LO_FLAGS_PARTSCAN;
  const auto mark = mark_of(id);
  std::memcpy(config.info.lo_file_name, mark.data(), mark.size());
  return config;
}

// The kernel proposes a free device, and somebody else may be faster: then the next.
std::string configure_free_device(const fs::path& backing, const loop_config& config) {
  const Fd control{::open("/dev/loop-control", O_RDWR | O_CLOEXEC)};
  if (!control)
    throw EnvironmentError(std::string{"/dev/loop-control can't be opened: "} +
                           std::strerror(errno) + "; run as root, load the driver (modprobe loop)");
  const Deadline deadline{"a free loop device is found", 10s};
  while (!deadline.passed()) {
    const int number = ::ioctl(control.get(), LOOP_CTL_GET_FREE);
    if (number < 0)
      throw EnvironmentError(std::string{"there is no free loop device: "} + std::strerror(errno) +
                             "; detach one that is not needed (losetup -a)");
    const auto name = "loop" + std::to_string(number);
    Fd device;
    const bool opened = wait_until(deadline, [&] {
      device = Fd{::open(node_of(name).c_str(), O_RDWR | O_CLOEXEC)};
      return device || errno != ENOENT;
    });
    if (!opened || !device)
      throw EnvironmentError(node_of(name).string() + " can't be opened: " + std::strerror(errno));
    if (::ioctl(device.get(), LOOP_CONFIGURE, &config) == 0) return name;
    if (errno != EBUSY)
      throw EnvironmentError(
          "no loop device over '" + backing.string() + "': " + std::strerror(errno) +
          " (Linux 5.8 or newer is needed; 512-byte sectors with direct I/O need "
          "a file system on a drive with 512-byte sectors)");
  }
  throw EnvironmentError(deadline.missed());
}

std::string clear(const std::string& name) {
  const Deadline deadline{"loop device " + name + " is released", 30s};
  Fd device;
  // Exclusively: a mounted partition refuses it, whereas LOOP_CLR_FD alone would return success and
  // take the device away much later. A program ends by itself and is waited for, a mount does not.
  int error = 0;
  wait_until(deadline, [&] {
    device = Fd{::open(node_of(name).c_str(), O_RDONLY | O_EXCL | O_CLOEXEC)};
    error = device ? 0 : errno;
    return error != EBUSY || is_mounted(name);
  });
  if (!device) return std::strerror(error);
  if (::ioctl(device.get(), LOOP_CLR_FD) != 0 && errno != ENXIO) return std::strerror(errno);
  device.reset();
  const auto attached = sysfs_of(name) / "loop/backing_file";
  return wait_until(deadline, [&] { return !fs::exists(attached); }) ? "" : "still open somewhere";
}

}  // namespace

std::string attach_loop(const fs::path& backing, const std::string& id, Bytes sector) {
  const Fd file{::open(backing.c_str(), O_RDWR | O_CLOEXEC | O_DIRECT)};
  if (!file)
    throw EnvironmentError("'" + backing.string() + "' can't be opened: " + std::strerror(errno));
  auto name = configure_free_device(backing, configuration(file.get(), id, sector));
  if (read_number(sysfs_of(name) / "loop/dio") != 1)
    throw EnvironmentError(
        "direct I/O of " + name + " over '" + backing.string() +
        "' reads back as off: choose a directory on ext4 or xfs, on a drive with " +
        std::to_string(sector.value) + "-byte sectors");
  return name;
}

void detach_loop(const fs::path& backing, const std::string& id) {
  for (const auto& name : loops_over(backing)) {
    if (mark_on(name) != mark_of(id)) continue;
    if (const auto why = clear(name); !why.empty()) {
      std::string users;
      for (const auto& user : users_of_disk(name)) users += "; " + user;
      throw EnvironmentError("loop device " + name + " over '" + backing.string() +
                             "' can't be detached: " + why + users);
    }
  }
}

bool is_stand_in(const std::string& name) {
  if (!fs::exists(sysfs_of(name) / "loop/backing_file")) return false;
  const auto mark = mark_on(name);
  return mark && mark->starts_with(mark_prefix);
}

}  // namespace vmtax::drive
