#include "base/interrupt.hpp"

#include <atomic>
#include <cerrno>
#include <system_error>

#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include "base/errors.hpp"

namespace vmtax::interrupt {
namespace {

std::atomic<bool> stop_asked{false};
int pipe_ends[2] = {-1, -1};
thread_local int shields = 0;

// Async-signal-safe: one atomic store and one write.
void note(int) {
  const int saved = errno;
  if (!stop_asked.exchange(true)) {
    const char byte = 1;
    [[maybe_unused]] const auto written = ::write(pipe_ends[1], &byte, 1);
  }
  errno = saved;
}

}  // namespace

void install() {
  if (pipe_ends[0] >= 0) return;
  if (::pipe2(pipe_ends, O_CLOEXEC | O_NONBLOCK) != 0)
    throw std::system_error(errno, std::generic_category(), "pipe");
  struct sigaction action {};
  action.sa_handler = note;
  ::sigaction(SIGINT, &action, nullptr);
  ::sigaction(SIGTERM, &action, nullptr);
  ::sigaction(SIGHUP, &action, nullptr);
  action.sa_handler = SIG_IGN;
  ::sigaction(SIGPIPE, &action, nullptr);
}

bool requested() {
  return shields == 0 && stop_asked.load();
}

int fd() {
  return shields == 0 ? pipe_ends[0] : -1;
}

void check() {
  if (requested()) throw Interrupted{};
}

Shield::Shield() {
  ++shields;
}
Shield::~Shield() {
  --shields;
}

}  // namespace vmtax::interrupt
