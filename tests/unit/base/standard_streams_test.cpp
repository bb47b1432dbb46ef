#include "base/standard_streams.hpp"

#include <functional>

#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/errors.hpp"
#include "support/catch.hpp"

using namespace vmtax;

namespace {

// In a process of its own, whose streams may be closed. Its exit code.
int in_child(const std::function<int()>& act) {
  const pid_t child = ::fork();
  if (child == 0) ::_exit(act());
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

}  // namespace

TEST_CASE("no file that is opened later gets the number of a closed stream") {
  for (const int closed : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    INFO("closed: " << closed);
    CHECK(in_child([&] {
            ::close(closed);
            hold_standard_streams();
            if (::fcntl(closed, F_GETFD) < 0) return 1;
            return ::open("/dev/null", O_RDONLY) > STDERR_FILENO ? 0 : 2;
          }) == 0);
  }
  CHECK(in_child([] {
          for (const int stream : {0, 1, 2}) ::close(stream);
          hold_standard_streams();
          return ::write(STDERR_FILENO, "x", 1) == 1 ? 0 : 1;
        }) == 0);
}

TEST_CASE("a result that can't be written is an error, a reader that has gone is none") {
  CHECK(in_child([] {
          ::dup2(::open("/dev/full", O_WRONLY), STDOUT_FILENO);
          try {
            print("result\n");
          } catch (const EnvironmentError&) {
            return 7;
          }
          return 0;
        }) == 7);
  CHECK(in_child([] {
          int ends[2];
          if (::pipe(ends) != 0) return 1;
          ::signal(SIGPIPE, SIG_IGN);
          ::dup2(ends[1], STDOUT_FILENO);
          ::close(ends[0]);
          print("result\n");
          return 0;
        }) == 0);
}
