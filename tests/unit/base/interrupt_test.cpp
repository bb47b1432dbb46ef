#include "base/interrupt.hpp"

#include <poll.h>
#include <signal.h>

#include "base/errors.hpp"
#include "base/process.hpp"
#include "support/catch.hpp"

using namespace vmtax;
using namespace std::chrono_literals;

// One case: a stop that was asked for stays asked for.
TEST_CASE("a signal becomes a state that waits see and a shield hides") {
  interrupt::install();
  CHECK_FALSE(interrupt::requested());
  CHECK_NOTHROW(interrupt::check());

  ::raise(SIGTERM);

  CHECK(interrupt::requested());
  CHECK_THROWS_AS(interrupt::check(), Interrupted);
  pollfd watch{interrupt::fd(), POLLIN, 0};
  CHECK(::poll(&watch, 1, 0) == 1);
  CHECK_THROWS_AS(run_process({"sleep", "100"}, 200s), Interrupted);
  {
    const interrupt::Shield shield;
    CHECK_FALSE(interrupt::requested());
    CHECK(run_process({"true"}, 10s).ok());
  }
  CHECK(interrupt::requested());
}
