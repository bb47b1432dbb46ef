#include "kernel/watched_job.hpp"

#include <algorithm>
#include <mutex>
#include <thread>
#include <utility>

#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "kernel/clock.hpp"
#include "kernel/crew.hpp"
#include "kernel/descriptor.hpp"
#include "kernel/failures.hpp"
#include "kernel/run_job.hpp"

namespace vmtax::kernel {
namespace {

std::uint64_t count(std::chrono::nanoseconds duration) {
  return static_cast<std::uint64_t>(duration.count());
}

JobEnd end_of(const protocol::IoJob& job, const std::string& path, LoopControl& control) {
  try {
    return {run_job(job, path, control), false};
  } catch (const Refused& refused) {
    return {protocol::IoFailure{refused.what(), refused.error_number, {}}, true};
  } catch (const Broken& broken) {
    return {protocol::IoFailure{broken.what(), broken.error_number, broken.offset}, false};
  } catch (const std::exception& unexpected) {
    return {protocol::IoFailure{unexpected.what(), 0, {}}, false};
  }
}

}  // namespace

// Owned by both threads: a thread that is left behind keeps what it may still touch.
struct WatchedJob::Shared {
  explicit Shared(std::uint32_t jobs) : control(jobs) {}

  LoopControl control;
  Descriptor done{::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)};
  std::mutex mutex;
  std::optional<JobEnd> end;
  std::thread thread;
};

WatchedJob::WatchedJob(const protocol::IoJob& job, std::string path, const WatchLimits& limits)
    : shared_(std::make_shared<Shared>(std::max(1U, std::min(job.jobs, 256U)))),
      limits_(limits),
      planned_ns_(count(job.ramp) + count(job.runtime)),
      by_amount_(job.amount.has_value() || job.verify.on),
      begun_ns_(now_ns()),
      last_move_ns_(begun_ns_) {
  install_wake_signal();
  shared_->thread = std::thread{[shared = shared_, job, path = std::move(path)] {
    auto end = end_of(job, path, shared->control);
    const std::lock_guard lock{shared->mutex};
    shared->end = std::move(end);
    ::eventfd_write(shared->done.get(), 1);
  }};
}

WatchedJob::~WatchedJob() {
  if (!shared_->thread.joinable()) return;
  stop();
  pollfd done{shared_->done.get(), POLLIN, 0};
  const auto give_up = now_ns() + count(limits_.leave);
  while (::poll(&done, 1, 100) <= 0 && now_ns() < give_up) shared_->control.signal_all(wake_signal);
  if (done.revents & POLLIN)
    shared_->thread.join();
  else
    shared_->thread.detach();
}

int WatchedJob::done_fd() const {
  return shared_->done.get();
}

std::uint64_t WatchedJob::ios() const {
  return shared_->control.ios();
}

std::chrono::nanoseconds WatchedJob::since_start() const {
  const auto started = shared_->control.started_ns.load();
  return std::chrono::nanoseconds{started ? static_cast<std::int64_t>(now_ns() - started) : 0};
}

std::optional<JobEnd> WatchedJob::watch() {
  {
    const std::lock_guard lock{shared_->mutex};
    if (shared_->end) {
      auto end = std::exchange(shared_->end, std::nullopt);
      // After a failure the kernel may hold the thread's exit until its I/O ends.
      if (end->refused || std::holds_alternative<protocol::IoResult>(end->outcome))
        shared_->thread.join();
      else
        shared_->thread.detach();
      return end;
    }
  }
  const auto now = now_ns();
  // A thread that failed has already told the others to end; one of them may not have heard it.
  const bool ends = shared_->control.order.load() != LoopControl::go_on;
  if (interrupted_ns_ == 0 && !ends && !time_is_up(now)) return std::nullopt;
  if (interrupted_ns_ != 0 && now - interrupted_ns_ > count(limits_.leave)) {
    shared_->thread.detach();
    return JobEnd{protocol::IoFailure{
                      "the device doesn't answer, and its I/O can't be interrupted", ETIMEDOUT, {}},
                  false};
  }
  interrupt(LoopControl::end_as_stalled);
  return std::nullopt;
}

void WatchedJob::stop() {
  interrupt(LoopControl::end_as_stopped);
}

void WatchedJob::interrupt(int order) {
  if (interrupted_ns_ == 0) {
    interrupted_ns_ = now_ns();
    int expected = LoopControl::go_on;
    shared_->control.order.compare_exchange_strong(expected, order);
  }
  shared_->control.signal_all(wake_signal);
}

bool WatchedJob::time_is_up(std::uint64_t now) {
  const auto ios = shared_->control.ios();
  if (ios != last_ios_) {
    last_ios_ = ios;
    last_move_ns_ = now;
  }
  const auto started = shared_->control.started_ns.load();
  if (by_amount_ || started == 0) return now - last_move_ns_ > count(limits_.standstill);
  return now > started + planned_ns_ + count(limits_.drain);
}

}  // namespace vmtax::kernel
