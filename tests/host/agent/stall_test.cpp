#include <poll.h>

#include "devices.hpp"
#include "kernel/watched_job.hpp"
#include "support/catch.hpp"

using namespace vmtax;
using namespace vmtax::test;
using namespace std::chrono_literals;
using Catch::Contains;

namespace {

kernel::JobEnd wait_for(kernel::WatchedJob& job, std::chrono::seconds limit) {
  const auto until = std::chrono::steady_clock::now() + limit;
  while (std::chrono::steady_clock::now() < until) {
    if (auto end = job.watch()) return std::move(*end);
    pollfd done{job.done_fd(), POLLIN, 0};
    ::poll(&done, 1, 50);
  }
  FAIL("the job did not end");
  std::abort();
}

// Writes to a frozen file system wait until it is thawed, whatever signal comes.
class Frozen {
 public:
  explicit Frozen(std::string where) : where_(std::move(where)) {
    run_checked({"fsfreeze", "--freeze", where_}, tool_limit);
  }
  ~Frozen() { run_process({"fsfreeze", "--unfreeze", where_}, tool_limit); }
  Frozen(const Frozen&) = delete;
  Frozen& operator=(const Frozen&) = delete;

 private:
  std::string where_;
};

}  // namespace

TEST_CASE("a device that never answers ends the job in bounded time, and not the agent") {
  const TemporaryDirectory folder;
  const Loop loop{written_file(folder, "disk", 64), 512};
  run_checked({"mkfs.ext4", "-q", "-F", loop.path()}, tool_limit);
  const auto where = (folder.path() / "mount").string();
  const Mount mount{{loop.path()}, where};
  const auto file = where + "/file";
  run_checked({"dd", "if=/dev/zero", "of=" + file, "bs=1M", "count=8", "status=none"}, tool_limit);
  const auto engine = GENERATE(protocol::Engine::io_uring, protocol::Engine::psync);
  const bool by_amount = GENERATE(false, true);
  protocol::IoJob job;
  job.target.path = file;
  job.pattern = protocol::Pattern::write;
  job.engine = engine;
  if (by_amount)
    job.amount = mib(8);
  else
    job.runtime = 100ms;
  const Frozen frozen{where};
  kernel::WatchedJob running{job, file, {200ms, 200ms, 500ms}};
  const auto end = wait_for(running, 20s);
  const auto& failure = std::get<protocol::IoFailure>(end.outcome);
  CHECK(failure.error_number == ETIMEDOUT);
  CHECK_THAT(failure.reason,
             Contains(engine == protocol::Engine::psync ? "doesn't answer" : "stalled"));
  CHECK_FALSE(end.refused);
}

TEST_CASE("a running job can be stopped") {
  const TemporaryDirectory folder;
  const auto file = written_file(folder, "file", 4);
  protocol::IoJob job;
  job.target.path = file;
  job.runtime = 1h;
  job.iodepth = 8;
  kernel::WatchedJob running{job, file};
  while (running.ios() == 0 && !running.watch()) {
  }
  running.stop();
  const auto end = wait_for(running, 10s);
  CHECK_THAT(std::get<protocol::IoFailure>(end.outcome).reason, Contains("stopped"));
}
