// SIGINT and SIGTERM as a state that waits can look at and poll on.
#pragma once

namespace vmtax::interrupt {

/// Installs the handlers; once per process, from main. A second signal is noted like the first: the
/// orderly way out goes on, so that no guest, device or mount is left.
void install();

bool requested();

/// Becomes and stays readable once a stop was asked; for poll. -1 before install().
int fd();

/// Throws Interrupted when a stop was asked.
void check();

/// While one lives, the requested stop is hidden from check(), requested() and fd() users in this
/// thread: clean-up must be able to wait.
class Shield {
 public:
  Shield();
  ~Shield();
  Shield(const Shield&) = delete;
  Shield& operator=(const Shield&) = delete;
};

}  // namespace vmtax::interrupt
