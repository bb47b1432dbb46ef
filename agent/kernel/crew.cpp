#include "kernel/crew.hpp"

#include <exception>
#include <latch>
#include <mutex>
#include <thread>
#include <vector>

#include <signal.h>

#include "kernel/failures.hpp"
#include "kernel/worker.hpp"

namespace vmtax::kernel {
namespace {

static_assert(wake_signal == SIGUSR1);

class Crew {
 public:
  Crew(const protocol::IoJob& job, const OpenTarget& target, LoopControl& control)
      : job_(job), target_(target), control_(control), ready_(job.jobs), records_(job.jobs) {}

  LoopRecord run() {
    std::vector<std::thread> others;
    for (std::uint32_t index = 1; index < job_.jobs; ++index)
      others.emplace_back([this, index] {
        const Enlisted enlisted{control_};
        work(index);
      });
    work(0);
    for (auto& other : others) other.join();
    if (first_failure_) std::rethrow_exception(first_failure_);
    LoopRecord sum = std::move(records_[0]);
    for (std::uint32_t index = 1; index < job_.jobs; ++index) sum.merge(std::move(records_[index]));
    return sum;
  }

 private:
  void work(std::uint32_t index) {
    bool waits = true;
    const auto wait_for_all = [&] {
      waits = false;
      ready_.arrive_and_wait();
    };
    try {
      records_[index] = run_worker(job_, target_, index, control_, wait_for_all);
    } catch (...) {
      fail(std::current_exception());
    }
    if (waits) ready_.count_down();
  }

  void fail(std::exception_ptr failure) {
    {
      const std::lock_guard lock{mutex_};
      if (first_failure_) return;
      first_failure_ = std::move(failure);
    }
    int expected = LoopControl::go_on;
    control_.order.compare_exchange_strong(expected, LoopControl::end_as_stopped);
    control_.signal_all(wake_signal);
  }

  const protocol::IoJob& job_;
  const OpenTarget& target_;
  LoopControl& control_;
  std::latch ready_;
  std::vector<LoopRecord> records_;
  std::mutex mutex_;
  std::exception_ptr first_failure_;
};

}  // namespace

void install_wake_signal() {
  static std::once_flag once;
  std::call_once(once, [] {
    struct sigaction action {};
    action.sa_handler = [](int) {};  // its arrival alone ends a blocked wait
    ::sigaction(wake_signal, &action, nullptr);
  });
}

LoopRecord run_crew(const protocol::IoJob& job, const OpenTarget& target, LoopControl& control) {
  install_wake_signal();
  return Crew{job, target, control}.run();
}

}  // namespace vmtax::kernel
