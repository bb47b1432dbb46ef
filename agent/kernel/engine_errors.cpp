#include "kernel/engine_errors.hpp"

#include <cerrno>
#include <cstring>
#include <fstream>

#include <sys/resource.h>

#include "protocol/units.hpp"

namespace vmtax::kernel {
namespace {

namespace fs = std::filesystem;

std::string first_word(const fs::path& path) {
  std::ifstream file{path};
  std::string value;
  file >> value;
  return value;
}

bool has_seccomp_filter(const fs::path& proc) {
  std::ifstream file{proc / "self/status"};
  std::string word;
  while (file >> word)
    if (word == "Seccomp:") return file >> word && word == "2";
  return false;
}

std::string memlock_limit() {
  rlimit limit{};
  ::getrlimit(RLIMIT_MEMLOCK, &limit);
  return limit.rlim_cur == RLIM_INFINITY ? "unlimited" : format_bytes(Bytes{limit.rlim_cur});
}

std::string in_brackets(int number) {
  return std::string{" ("} + std::strerror(number) + ")";
}

std::string explain_forbidden(const std::string& engine, int number, const fs::path& proc) {
  if (has_seccomp_filter(proc))
    return engine + " is not permitted: a seccomp filter (of a container?) forbids it" +
           in_brackets(number);
  if (number == ENOSYS)
    return engine + " is not available: this kernel was built without it" + in_brackets(number);
  return engine + " is not permitted: a security module forbids it" + in_brackets(number);
}

}  // namespace

std::string explain_io_uring_error(int number, const fs::path& proc) {
  if (number == EPERM || number == ENOSYS) {
    const auto disabled = first_word(proc / "sys/kernel/io_uring_disabled");
    if (!disabled.empty() && disabled != "0")
      return "io_uring is not permitted: sysctl kernel.io_uring_disabled is " + disabled +
             in_brackets(number);
    return explain_forbidden("io_uring", number, proc);
  }
  if (number == ENOMEM)
    return "io_uring can't lock its memory: RLIMIT_MEMLOCK is " + memlock_limit() +
           ", raise it (ulimit -l)" + in_brackets(number);
  return std::string{"io_uring can't be set up: "} + std::strerror(number);
}

std::string explain_libaio_error(int number, std::uint32_t slots, const fs::path& proc) {
  if (number == EPERM || number == ENOSYS) return explain_forbidden("libaio", number, proc);
  if (number == EAGAIN)
    return "libaio can't have " + std::to_string(slots) + " slots: sysctl fs.aio-max-nr is " +
           first_word(proc / "sys/fs/aio-max-nr") + ", of which " +
           first_word(proc / "sys/fs/aio-nr") + " are taken; raise it" + in_brackets(number);
  return std::string{"libaio can't be set up: "} + std::strerror(number);
}

}  // namespace vmtax::kernel
