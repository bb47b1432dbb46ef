#include "base/standard_streams.hpp"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <string>

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include "base/errors.hpp"
#include "base/interrupt.hpp"

namespace vmtax {

void hold_standard_streams() {
  // open() takes the lowest number that is free. One that stays free would be worse than an end.
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    if (::fcntl(stream, F_GETFD) < 0 && ::open("/dev/null", O_RDWR) != stream) std::abort();
}

void print(std::string_view text) {
  while (!text.empty()) {
    const auto put = ::write(STDOUT_FILENO, text.data(), text.size());
    if (put >= 0) {
      text.remove_prefix(static_cast<std::size_t>(put));
    } else if (errno == EPIPE) {
      return;
    } else if (errno == EINTR || errno == EAGAIN) {
      interrupt::check();
      pollfd all[] = {{STDOUT_FILENO, POLLOUT, 0}, {interrupt::fd(), POLLIN, 0}};
      ::poll(all, 2, -1);
    } else {
      throw EnvironmentError(std::string{"standard output can't be written: "} +
                             std::strerror(errno));
    }
  }
}

}  // namespace vmtax
