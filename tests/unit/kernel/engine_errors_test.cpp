#include "kernel/engine_errors.hpp"

#include <cerrno>
#include <filesystem>
#include <fstream>

#include "support/catch.hpp"
#include "support/temporary_directory.hpp"

using Catch::Contains;
using namespace vmtax::kernel;

TEST_CASE("why io_uring can't be had is told by its cause") {
  CHECK_THAT(explain_io_uring_error(ENOMEM), Contains("RLIMIT_MEMLOCK") && Contains("ulimit -l"));
  CHECK_THAT(explain_io_uring_error(EPERM),
             Contains("not permitted") && Contains("Operation not permitted"));
  CHECK_THAT(explain_io_uring_error(ENOSYS), Contains("io_uring is not"));
  CHECK_THAT(explain_io_uring_error(EMFILE), Contains("Too many open files"));
}

TEST_CASE("the sysctl, the filter and the limit that forbid an engine are named") {
  const vmtax::test::TemporaryDirectory folder;
  const auto& proc = folder.path();
  const auto put = [&](const std::string& name, const std::string& text) {
    std::filesystem::create_directories((proc / name).parent_path());
    std::ofstream{proc / name} << text;
  };
  put("sys/kernel/io_uring_disabled", "0\n");
  put("self/status", "Name:\tx\nSeccomp:\t2\nSeccomp_filters:\t1\n");
  put("sys/fs/aio-max-nr", "65536\n");
  put("sys/fs/aio-nr", "65530\n");
  CHECK_THAT(explain_io_uring_error(EPERM, proc), Contains("a seccomp filter"));
  CHECK_THAT(explain_libaio_error(EPERM, 8, proc),
             Contains("libaio") && Contains("seccomp filter"));
  CHECK(explain_libaio_error(EAGAIN, 128, proc) ==
        "libaio can't have 128 slots: sysctl fs.aio-max-nr is 65536, of which 65530 are taken; "
        "raise it (Resource temporarily unavailable)");
  put("self/status", "Seccomp:\t0\n");
  CHECK_THAT(explain_io_uring_error(EPERM, proc), Contains("a security module"));
  CHECK_THAT(explain_libaio_error(ENOSYS, 8, proc), Contains("built without it"));
  put("sys/kernel/io_uring_disabled", "2\n");
  CHECK_THAT(explain_io_uring_error(EPERM, proc), Contains("kernel.io_uring_disabled is 2"));
}
