// A program that is kept as a child and spoken to; it runs as base/process.hpp says.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include <sys/types.h>

#include "base/byte_channel.hpp"
#include "base/process.hpp"

namespace vmtax {

/// A child whose standard input and output are a ByteChannel. Its standard error is appended to a
/// file. The destructor closes the channel and kills what is left of the group.
class ChildProcess {
 public:
  ChildProcess(const std::vector<std::string>& argv, const std::string& stderr_path);
  ~ChildProcess();
  ChildProcess(ChildProcess&&) noexcept;
  ChildProcess& operator=(ChildProcess&&) noexcept;

  pid_t pid() const;
  bool running();
  ByteChannel& channel();

  /// Closes the child's standard input and waits for its end; kills the group at the deadline.
  ProcessOutput close(const Deadline& deadline);
  /// SIGTERM to the group, SIGKILL at the deadline; returns when the child is gone.
  void terminate(const Deadline& deadline);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace vmtax
