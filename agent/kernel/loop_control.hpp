// What the measuring threads show to the thread that watches them, and the one thing that they are
// told.
#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
#include <vector>

#include <pthread.h>
#include <signal.h>

namespace vmtax::kernel {

/// On a cache line of its own: each measuring thread writes one at every reap.
struct alignas(64) LoopProgress {
  std::atomic<std::uint64_t> ios{0};  ///< completed, the ramp's included
};

class LoopControl {
 public:
  enum Order : int { go_on, end_as_stopped, end_as_stalled };

  explicit LoopControl(std::uint32_t jobs = 1) : progress_(jobs) {}

  std::atomic<std::uint64_t> started_ns{0};  ///< 0 until the first I/O
  std::atomic<int> order{go_on};             ///< looked at after each wait; a signal interrupts one

  LoopProgress& progress(std::uint32_t job) { return progress_[job]; }

  std::uint64_t ios() const {
    std::uint64_t sum = 0;
    for (const auto& one : progress_) sum += one.ios.load(std::memory_order_relaxed);
    return sum;
  }

  /// Interrupts what the measuring threads wait in.
  void signal_all(int signal) {
    const std::lock_guard lock{mutex_};
    for (const auto thread : threads_) ::pthread_kill(thread, signal);
  }

 private:
  friend class Enlisted;
  std::vector<LoopProgress> progress_;
  std::mutex mutex_;
  std::vector<pthread_t> threads_;
};

/// The calling thread can be signalled as long as this lives.
class Enlisted {
 public:
  explicit Enlisted(LoopControl& control) : control_(control) {
    const std::lock_guard lock{control_.mutex_};
    control_.threads_.push_back(::pthread_self());
  }
  ~Enlisted() {
    const std::lock_guard lock{control_.mutex_};
    std::erase(control_.threads_, ::pthread_self());
  }
  Enlisted(const Enlisted&) = delete;
  Enlisted& operator=(const Enlisted&) = delete;

 private:
  LoopControl& control_;
};

}  // namespace vmtax::kernel
