#include "base/process.hpp"

#include <filesystem>

#include <poll.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/child_process.hpp"
#include "base/errors.hpp"
#include "base/fd.hpp"
#include "support/catch.hpp"

using namespace vmtax;
using namespace std::chrono_literals;
using Catch::Matchers::Contains;

TEST_CASE("a program's output, exit code and signal are told apart") {
  const auto exited = run_process({"sh", "-c", "echo out; echo err >&2; exit 9"}, 10s);
  CHECK(exited.exit_code == 9);
  CHECK(exited.signal == 0);
  CHECK(exited.out == "out\n");
  CHECK(exited.err == "err\n");

  const auto killed = run_process({"sh", "-c", "kill -9 $$"}, 10s);
  CHECK(killed.exit_code == -1);
  CHECK(killed.signal == SIGKILL);
}

TEST_CASE("input reaches the program whole, and large output is read whole") {
  const std::string input(3 << 20, 'x');
  CHECK(run_checked({"cat"}, 10s, input) == input);
  CHECK(run_checked({"cat"}, 10s).empty());
}

TEST_CASE("a failed program is named with its own words") {
  CHECK_THROWS_WITH(run_checked({"sh", "-c", "echo no such drive >&2; exit 3"}, 10s),
                    Contains("exited with 3: no such drive"));
  CHECK_THROWS_WITH(run_checked({"vmtax-no-such-program"}, 1s), Contains("is not installed"));
}

TEST_CASE("at the deadline the whole process group ends") {
  const auto mark =
      std::filesystem::temp_directory_path() / ("vmtax-group-" + std::to_string(::getpid()));
  const std::string script = "sleep 100 & echo $! > " + mark.string() + "; wait";
  CHECK_THROWS_WITH(run_process({"sh", "-c", script}, 500ms), Contains("not within 500ms"));
  const auto grandchild = std::stoi(run_checked({"cat", mark.string()}, 5s));
  // It was killed; until its new parent reaps it, it may be there as a zombie.
  const auto state = run_process({"ps", "-o", "stat=", "-p", std::to_string(grandchild)}, 5s);
  CHECK((state.out.empty() || state.out.front() == 'Z'));
  std::filesystem::remove(mark);
}

TEST_CASE("a daemon that keeps the pipes doesn't hold up the end") {
  const auto before = std::chrono::steady_clock::now();
  const auto output = run_process({"sh", "-c", "echo done; setsid sleep 7 & exit 0"}, 20s);
  CHECK(output.out == "done\n");
  CHECK(std::chrono::steady_clock::now() - before < 6s);
}

TEST_CASE("children speak English and get none of our descriptors") {
  CHECK(run_checked({"sh", "-c", "echo $LC_ALL"}, 5s) == "C\n");
  const int leak = ::dup(2);
  CHECK(run_checked({"sh", "-c", "ls /proc/self/fd | wc -l"}, 5s) == "4\n");  // 0 1 2 and ls's own
  ::close(leak);
}

TEST_CASE("a child is spoken to over its channel") {
  ChildProcess cat({"cat"}, "/dev/null");
  const Deadline deadline{"cat answers", 10s};
  cat.channel().write_all("hello", deadline);
  std::array<char, 16> buffer{};
  std::string got;
  while (got.size() < 5) got.append(buffer.data(), cat.channel().read_some(buffer, deadline));
  CHECK(got == "hello");
  CHECK(cat.running());
  CHECK(cat.close(deadline).exit_code == 0);

  ChildProcess silent({"sleep", "100"}, "/dev/null");
  CHECK_THROWS_WITH(silent.channel().read_some(buffer, Deadline("sleep speaks", 50ms)),
                    "sleep speaks: not within 50ms");
  silent.terminate(Deadline("sleep ends", 10s));
  CHECK_FALSE(silent.running());
}

TEST_CASE("a child ends with a parent that is killed") {
  int ends[2];
  REQUIRE(::pipe(ends) == 0);
  const pid_t parent = ::fork();
  if (parent == 0) {
    const ChildProcess child({"sleep", "100"}, "/dev/null");
    const pid_t pid = child.pid();
    if (::write(ends[1], &pid, sizeof pid) != sizeof pid) ::_exit(1);
    ::kill(::getpid(), SIGKILL);
  }
  pid_t child = 0;
  REQUIRE(::read(ends[0], &child, sizeof child) == sizeof child);
  const Fd watch{static_cast<int>(::syscall(SYS_pidfd_open, child, 0))};
  if (watch) {  // else it is gone already
    pollfd gone{watch.get(), POLLIN, 0};
    CHECK(::poll(&gone, 1, 10'000) == 1);
  }
  ::waitpid(parent, nullptr, 0);
}
