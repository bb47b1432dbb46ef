// One started program, between launch and reap: what run_process and ChildProcess are made of.
#pragma once

#include <string>
#include <vector>

#include <sys/types.h>

#include "base/deadline.hpp"
#include "base/fd.hpp"
#include "base/process.hpp"

namespace vmtax {

struct Pipe {
  Fd read, write;
  Pipe();
};

void set_nonblocking(int fd);

/// "mkfs.ext4 -q /dev/loop3p2", for messages.
std::string command_line(const std::vector<std::string>& argv);

/// A started program whose group id is its pid. Ended and reaped at the latest when it goes out of
/// scope.
class LaunchedProgram {
 public:
  /// The three descriptors become its standard ones. EnvironmentError when it can't be started.
  LaunchedProgram(const std::vector<std::string>& argv, int in, int out, int err);
  ~LaunchedProgram();
  LaunchedProgram(const LaunchedProgram&) = delete;
  LaunchedProgram& operator=(const LaunchedProgram&) = delete;

  pid_t pid() const { return pid_; }
  int pidfd() const { return pidfd_.get(); }
  bool running() const;
  void kill_group(int signal) const;

  /// Waits for its end; false at the deadline. Clean-up: a stop that is asked doesn't cut it short.
  bool await_end(const Deadline& deadline) const;
  /// Blocks until the end, and notes how it ended.
  void reap();
  void fill(ProcessOutput& output) const;

 private:
  Fd pidfd_;
  pid_t pid_ = 0;
  int status_ = 0;
  bool reaped_ = false;
};

}  // namespace vmtax
