#include "base/files.hpp"

#include <cerrno>
#include <cstring>
#include <fstream>
#include <sstream>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/errors.hpp"
#include "base/fd.hpp"

namespace vmtax {
namespace {

[[noreturn]] void fail(const std::filesystem::path& path, const char* what, int error) {
  throw EnvironmentError("'" + path.string() + "' can't be " + what + ": " + std::strerror(error));
}

}  // namespace

std::string read_text(const std::filesystem::path& path) {
  std::error_code error;
  if (std::filesystem::is_directory(path, error)) fail(path, "read", EISDIR);
  errno = 0;
  std::ifstream file(path, std::ios::binary);
  if (!file) fail(path, "read", errno);
  std::ostringstream text;
  text << file.rdbuf();
  if (file.bad()) fail(path, "read", errno ? errno : EIO);
  return std::move(text).str();
}

std::optional<std::string> read_attribute(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  if (!file || !(text << file.rdbuf())) {
    // An empty attribute also fails here, and is none.
    return std::nullopt;
  }
  std::string value = std::move(text).str();
  while (!value.empty() && value.back() == '\n') value.pop_back();
  return value;
}

void write_atomically(const std::filesystem::path& path, std::string_view text) {
  std::string temporary = path.string() + ".XXXXXX";
  Fd file{::mkostemp(temporary.data(), O_CLOEXEC)};
  if (!file) fail(path, "written", errno);
  const auto give_up = [&] {
    const int error = errno;
    ::unlink(temporary.c_str());
    fail(path, "written", error);
  };
  for (std::string_view left = text; !left.empty();) {
    const auto put = ::write(file.get(), left.data(), left.size());
    if (put < 0) give_up();
    left.remove_prefix(static_cast<std::size_t>(put));
  }
  if (::fchmod(file.get(), 0644) != 0 || ::fsync(file.get()) != 0 ||
      ::rename(temporary.c_str(), path.c_str()) != 0)
    give_up();
}

void make_directories(const std::filesystem::path& path) {
  std::error_code error;
  std::filesystem::create_directories(path, error);
  if (error || !std::filesystem::is_directory(path, error))
    throw EnvironmentError("directory '" + path.string() + "' can't be made: " +
                           (error ? error.message() : "something else is there"));
}

}  // namespace vmtax
