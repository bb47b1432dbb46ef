// A run is killed by SIGKILL right after each entry of its journal was written, which is while that
// resource is being made; what a later clean-up finds must be all of it, and nothing of others.
#include <fstream>

#include <nlohmann/json.hpp>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/log.hpp"
#include "devices.hpp"
#include "drive/regions.hpp"
#include "drive/wait_until.hpp"
#include "support/catch.hpp"

using namespace vmtax;
using namespace vmtax::drive;
using namespace std::chrono_literals;

namespace {

// Makes everything that this folder can make, then waits to be killed.
[[noreturn]] void run_and_stay(const test::Workplace& place, int finished) {
  try {
    journal::Journal journal(place.journals, "run1", removers());
    auto spec = place.stand_in("run1-slow", mib(128));
    spec.cap_iops = 8000;
    const auto node = make_stand_in(spec, journal);
    const auto partitions =
        make_partitions({node, true, std::nullopt, mib(128)},
                        {{"bare", mib(1), mib(20)}, {"ext4", mib(21), mib(100)}}, journal);
    make_filesystem(partitions.at(1), "ext4", place.things / "mounts/ext4", journal);
    make_image({place.things / "mounts/ext4/guest.qcow2", "qcow2", mib(32), "falloc", {}, {}, {}},
               journal);
    (void)!::write(finished, "y", 1);
    for (;;) ::pause();
  } catch (const std::exception& failure) {
    log::error(failure.what());
    ::_exit(1);
  }
}

std::size_t entries_made(const std::filesystem::path& journals) {
  std::ifstream file(journals / "run1.jsonl");
  std::size_t count = 0;
  for (std::string line; std::getline(file, line);) count += line.starts_with(R"({"detail")");
  return count;
}

bool readable(int fd) {
  pollfd watch{fd, POLLIN, 0};
  return ::poll(&watch, 1, 0) > 0;
}

}  // namespace

TEST_CASE("a run that is killed at any moment is cleaned away, and nothing else") {
  const test::Workplace bystanders;
  const test::ForeignLoop other(test::random_file(bystanders.things / "other", 1));
  bool finished = false;
  std::size_t kills = 0;
  for (std::size_t at = 1; !finished; ++at) {
    const test::Workplace place;
    int ends[2];
    REQUIRE(::pipe(ends) == 0);
    const pid_t child = ::fork();
    REQUIRE(child >= 0);
    if (child == 0) run_and_stay(place, ends[1]);
    ::close(ends[1]);
    const bool seen = wait_until(Deadline{"entry is made", 60s}, [&] {
      finished = readable(ends[0]);
      return finished || entries_made(place.journals) >= at;
    });
    ::kill(child, SIGKILL);
    int status = 0;
    ::waitpid(child, &status, 0);
    ::close(ends[0]);
    INFO("killed at entry " << at);
    REQUIRE(seen);
    REQUIRE(WIFSIGNALED(status));
    ++kills;

    // A program that was just being started holds the journal's lock until its exec.
    journal::CleanReport report;
    wait_until(Deadline{"the dead run's journal is free", 10s}, [&] {
      report = journal::clean_dead_runs(place.journals, removers());
      return !report.removed.empty();
    });
    for (const auto& line : report.failed) UNSCOPED_INFO("left: " << line);
    CHECK(report.failed.empty());
    CHECK(report.left_alone.empty());
    CHECK(report.removed.size() >= at - (finished ? 1 : 0));
    for (const auto& line : place.left()) UNSCOPED_INFO("still there: " << line);
    CHECK(place.left().empty());
    CHECK(std::filesystem::is_empty(place.journals));
    CHECK(other.attached());
    // A second clean-up has nothing to do.
    CHECK(journal::clean_dead_runs(place.journals, removers()).removed.empty());
  }
  CHECK(kills > 8);
}
