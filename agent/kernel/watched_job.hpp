// A job in a thread of its own, watched so that a device which never answers ends the job and not
// the agent.
//
// The measuring loop has no timers: whoever waits for the job calls watch() at least once a second,
// and that interrupts a blocked wait by a signal when the time is up. A thread that even then does
// not come back (a read that can't be interrupted) is left behind, and the job is a failure.
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>

#include "protocol/io_job.hpp"
#include "protocol/io_result.hpp"

namespace vmtax::kernel {

struct WatchLimits {
  std::chrono::nanoseconds drain = std::chrono::seconds{30};  ///< past the planned end
  std::chrono::nanoseconds standstill =
      std::chrono::seconds{30};                              ///< without any I/O, of an amount
  std::chrono::nanoseconds leave = std::chrono::seconds{5};  ///< from the signal to giving up
};

struct JobEnd {
  protocol::IoOutcome outcome;
  bool refused = false;  ///< a failure before the first I/O
};

class WatchedJob {
 public:
  WatchedJob(const protocol::IoJob& job, std::string path, const WatchLimits& limits = {});
  ~WatchedJob();  ///< stops the job when it still runs
  WatchedJob(const WatchedJob&) = delete;
  WatchedJob& operator=(const WatchedJob&) = delete;

  int done_fd() const;  ///< becomes readable at the job's end; for poll
  std::uint64_t ios() const;
  std::chrono::nanoseconds since_start() const;

  /// Enforces the limits; the job's end as soon as there is one.
  std::optional<JobEnd> watch();

  /// Asks the job to end; watch() tells when it has.
  void stop();

 private:
  struct Shared;
  void interrupt(int order);
  bool time_is_up(std::uint64_t now);

  std::shared_ptr<Shared> shared_;
  WatchLimits limits_;
  std::uint64_t planned_ns_;
  bool by_amount_;
  std::uint64_t begun_ns_;
  std::uint64_t last_ios_ = 0;
  std::uint64_t last_move_ns_;
  std::uint64_t interrupted_ns_ = 0;
};

}  // namespace vmtax::kernel
