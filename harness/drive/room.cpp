#include "drive/room.hpp"

#include <cerrno>
#include <cstring>

#include <sys/statvfs.h>

#include "base/errors.hpp"

namespace vmtax::drive {

Bytes available_in(const std::filesystem::path& directory) {
  struct statvfs room {};
  if (::statvfs(directory.c_str(), &room) != 0)
    throw EnvironmentError("free space of '" + directory.string() +
                           "' can't be read: " + std::strerror(errno));
  return Bytes{room.f_bavail} * room.f_frsize;
}

void check_room(const std::filesystem::path& directory, Bytes needed, const std::string& what) {
  const auto available = available_in(directory);
  if (available >= needed) return;
  throw EnvironmentError(
      "no room for " + what + " in '" + directory.string() +
      "': " + format_bytes(Bytes{(needed.value + mib(1).value - 1) & ~(mib(1).value - 1)}) +
      " needed, " + format_bytes(round_down(available, mib(1))) +
      " available; free some space or ask for a smaller size");
}

}  // namespace vmtax::drive
