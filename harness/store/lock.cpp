#include "store/lock.hpp"

#include <cerrno>
#include <cstring>
#include <string>
#include <utility>

#include <fcntl.h>
#include <sys/file.h>

#include "base/errors.hpp"
#include "base/files.hpp"

namespace vmtax::store {
namespace {

std::filesystem::path lock_path(const std::filesystem::path& directory) {
  return directory / "vmtax.lock";
}

void note_own_pid(int fd) {
  const std::string text = std::to_string(::getpid()) + "\n";
  if (::ftruncate(fd, 0) != 0 || ::pwrite(fd, text.data(), text.size(), 0) < 0) {
    // Only the other side's message is poorer for it.
  }
}

}  // namespace

Fd lock_for_writing(const std::filesystem::path& directory) {
  const auto path = lock_path(directory);
  Fd fd(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644));
  if (!fd) throw EnvironmentError(path.string() + ": " + std::strerror(errno));
  if (::flock(fd.get(), LOCK_EX | LOCK_NB) != 0) {
    if (errno != EWOULDBLOCK) throw EnvironmentError(path.string() + ": " + std::strerror(errno));
    const auto holder = read_attribute(path).value_or("");
    throw EnvironmentError(directory.string() + ": another vmtax process" +
                           (holder.empty() ? "" : " (pid " + holder + ")") +
                           " is at work in this directory; wait for its end or choose another one");
  }
  note_own_pid(fd.get());
  return fd;
}

ReaderLock lock_for_reading(const std::filesystem::path& directory) {
  ReaderLock result;
  Fd fd(::open(lock_path(directory).c_str(), O_RDONLY | O_CLOEXEC));
  if (!fd) return result;  // copied without it, or unreadable: nobody can be at work there
  if (::flock(fd.get(), LOCK_SH | LOCK_NB) != 0) {
    result.writer_alive = errno == EWOULDBLOCK;
    return result;
  }
  result.lock = std::move(fd);
  return result;
}

}  // namespace vmtax::store
