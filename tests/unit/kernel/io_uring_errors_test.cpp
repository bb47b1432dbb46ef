#include <cerrno>

#include "kernel/io_uring_engine.hpp"
#include "support/catch.hpp"

using Catch::Contains;
using vmtax::kernel::explain_io_uring_error;

TEST_CASE("why io_uring can't be had is told by its cause") {
  CHECK_THAT(explain_io_uring_error(ENOMEM), Contains("RLIMIT_MEMLOCK") && Contains("ulimit -l"));
  CHECK_THAT(explain_io_uring_error(EPERM),
             Contains("not permitted") && Contains("Operation not permitted"));
  CHECK_THAT(explain_io_uring_error(ENOSYS), Contains("io_uring is not"));
  CHECK_THAT(explain_io_uring_error(EMFILE), Contains("Too many open files"));
}
