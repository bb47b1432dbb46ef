// The measured code: a closed loop that keeps a number of I/Os in flight.
//
// Per I/O it draws an offset, queues, and adds three latencies: no allocation, virtual call, lock
// or print. One clock read serves all I/Os submitted together and one all that were reaped
// together; as many are submitted as were reaped.
//
// Phases end at a reap. The measured phase begins at the first reap at or after the end of the ramp
// and is closed by the first reap at or after its own end: throughput is that of a steady depth,
// and a stall that begins before the end is counted with its whole length. What is then still in
// flight is waited for and not counted. A job with an amount counts everything up to its last
// completion.
#pragma once

#include <cerrno>
#include <cstring>
#include <string>
#include <vector>

#include "kernel/buffers.hpp"
#include "kernel/clock.hpp"
#include "kernel/cpu_time.hpp"
#include "kernel/failures.hpp"
#include "kernel/loop_control.hpp"
#include "kernel/offsets.hpp"
#include "protocol/histogram.hpp"

namespace vmtax::kernel {

struct LoopPlan {
  std::uint32_t depth = 1;
  std::uint64_t block_size = 0;
  std::uint64_t ramp_ns = 0;
  std::uint64_t runtime_ns = 0;
  std::uint64_t blocks = 0;  ///< of a job with an amount; then ramp and runtime are 0
};

struct LoopRecord {
  protocol::Histogram lat, slat, clat;
  std::uint64_t ramp_ns = 0;
  std::uint64_t elapsed_ns = 0;
  protocol::CpuTime cpu;
};

template <class Engine>
class MeasuringLoop {
 public:
  MeasuringLoop(Engine& engine, Offsets& offsets, Buffers& buffers, const LoopPlan& plan,
                LoopControl& control)
      : engine_(engine),
        offsets_(offsets),
        buffers_(buffers),
        plan_(plan),
        control_(control),
        slots_(plan.depth),
        queued_(plan.depth) {}

  /// Throws Broken when an I/O fails or is short, and when told to end.
  LoopRecord run() {
    begin();
    while (in_flight_ > 0) {
      submit();
      await();
      const std::uint64_t now = now_ns();
      const bool last = phase_ == Phase::measured && plan_.blocks == 0 && now >= phase_end_;
      if (last) phase_ = Phase::closing;
      reap(now);
      control_.ios.store(completed_, std::memory_order_relaxed);
      if (last) {
        close(now);
      } else if (phase_ == Phase::ramp && now >= phase_end_) {
        open(now);
      } else if (plan_.blocks != 0) {
        close(now);
      }
    }
    return std::move(record_);
  }

 private:
  enum class Phase { ramp, measured, closing, drain };

  struct Slot {
    std::uint64_t intended_ns;
    std::uint64_t submitted_ns;
    std::uint64_t offset;
  };

  void begin() {
    const std::uint64_t now = begun_ = now_ns();
    control_.started_ns.store(now, std::memory_order_relaxed);
    phase_end_ = now + plan_.ramp_ns;
    to_issue_ = plan_.blocks ? plan_.blocks : ~0ULL;
    if (plan_.ramp_ns == 0) open(now);
    for (std::uint32_t slot = 0; slot < plan_.depth && to_issue_ > 0; ++slot) queue(slot, now);
  }

  void open(std::uint64_t now) {
    phase_ = Phase::measured;
    record_.ramp_ns = now - begun_;
    phase_begin_ = now;
    phase_end_ = now + plan_.runtime_ns;
    cpu_begin_ = cpu_time();
  }

  void close(std::uint64_t now) {
    if (plan_.blocks != 0 && in_flight_ != 0) return;
    record_.cpu = cpu_time() - cpu_begin_;
    record_.elapsed_ns = now - phase_begin_;
    phase_ = Phase::drain;
  }

  void queue(std::uint32_t slot, std::uint64_t now) {
    const std::uint64_t offset = offsets_.next();
    engine_.queue(slot, offset, buffers_.next(slot));
    slots_[slot].intended_ns = now;
    slots_[slot].offset = offset;
    queued_[queued_count_++] = slot;
    ++in_flight_;
    --to_issue_;
  }

  void submit() {
    if (queued_count_ == 0) return;
    const int result = engine_.submit();
    if (result < 0) fail_submission(-result);
    const std::uint64_t now = now_ns();
    for (std::uint32_t i = 0; i < queued_count_; ++i) slots_[queued_[i]].submitted_ns = now;
    queued_count_ = 0;
  }

  void await() {
    do {
      if (control_.order.load(std::memory_order_relaxed) != LoopControl::go_on) fail_as_told();
      if (engine_.has_completions()) return;
      const int result = engine_.wait();
      if (result < 0 && result != -EINTR) fail_submission(-result);
    } while (!engine_.has_completions());
  }

  void reap(std::uint64_t now) {
    engine_.reap([&](std::uint32_t index, std::int64_t moved) {
      Slot& slot = slots_[index];
      if (moved != static_cast<std::int64_t>(plan_.block_size)) fail_io(slot, moved);
      ++completed_;
      --in_flight_;
      if (phase_ == Phase::measured || phase_ == Phase::closing) {
        record_.lat.add(now - slot.intended_ns);
        record_.slat.add(slot.submitted_ns - slot.intended_ns);
        record_.clat.add(now - slot.submitted_ns);
      }
      if (phase_ < Phase::closing && to_issue_ > 0) queue(index, now);
    });
  }

  [[noreturn, gnu::cold, gnu::noinline]] void fail_submission(int number) const {
    throw Broken{std::string{"the engine can't go on: "} + std::strerror(number), number};
  }

  [[noreturn, gnu::cold, gnu::noinline]] void fail_io(const Slot& slot, std::int64_t moved) const {
    const Bytes offset{slot.offset};
    const std::string where = "the I/O at offset " + std::to_string(slot.offset);
    if (moved < 0)
      throw Broken{where + " failed: " + std::strerror(static_cast<int>(-moved)),
                   static_cast<int>(-moved), offset};
    throw Broken{where + " was short: " + std::to_string(moved) + " of " +
                     std::to_string(plan_.block_size) + " bytes (did the target shrink?)",
                 0, offset};
  }

  [[noreturn, gnu::cold, gnu::noinline]] void fail_as_told() const {
    if (control_.order.load() == LoopControl::end_as_stopped)
      throw Broken{"stopped on request", ECANCELED};
    throw Broken{"the device stalled: " + std::to_string(in_flight_) + " I/Os are not completed",
                 ETIMEDOUT};
  }

  Engine& engine_;
  Offsets& offsets_;
  Buffers& buffers_;
  const LoopPlan plan_;
  LoopControl& control_;
  std::vector<Slot> slots_;
  std::vector<std::uint32_t> queued_;
  std::uint32_t queued_count_ = 0;
  std::uint32_t in_flight_ = 0;
  std::uint64_t to_issue_ = 0;
  std::uint64_t completed_ = 0;
  Phase phase_ = Phase::ramp;
  std::uint64_t begun_ = 0;
  std::uint64_t phase_begin_ = 0;
  std::uint64_t phase_end_ = 0;
  protocol::CpuTime cpu_begin_;
  LoopRecord record_;
};

}  // namespace vmtax::kernel
