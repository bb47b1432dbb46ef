// The measured code: keeps I/Os in flight, closed loop or open, and takes their times.
//
// Per I/O it draws an offset, queues, and adds three latencies: no allocation, virtual call, lock
// or print. One clock read serves all I/Os submitted together and one all that were reaped
// together; as many are submitted as were reaped, or each by itself when that is asked.
//
// Closed loop: an I/O is intended when the one before it in its slot was reaped. Open loop: it is
// intended at its arrival, and waits for a slot when none is free; that wait is in its latency.
//
// Phases end at a reap. The measured phase begins at the first reap at or after the end of the ramp
// and is closed by the first reap at or after its own end: throughput is that of a steady depth,
// and a stall that begins before the end is counted with its whole length. What is then still in
// flight is waited for and not counted. A job with an amount counts everything up to its last
// completion.
#pragma once

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "kernel/actions.hpp"
#include "kernel/arrivals.hpp"
#include "kernel/buffers.hpp"
#include "kernel/clock.hpp"
#include "kernel/failures.hpp"
#include "kernel/loop_control.hpp"
#include "kernel/loop_failures.hpp"
#include "kernel/loop_record.hpp"
#include "kernel/offsets.hpp"
#include "kernel/pause.hpp"
#include "kernel/usage.hpp"

namespace vmtax::kernel {

struct LoopPlan {
  std::uint32_t depth = 1;
  std::uint64_t block_size = 0;
  std::uint64_t ramp_ns = 0;
  std::uint64_t runtime_ns = 0;
  std::uint64_t blocks = 0;  ///< of a job with an amount; then ramp and runtime are 0
  std::uint32_t job = 0;     ///< whose progress is shown
  std::uint32_t flush_every = 0;
  bool submit_singly = false;
};

/// What a loop draws its I/Os from.
struct LoopSource {
  Offsets& offsets;
  Actions& actions;
  Buffers& buffers;
  Arrivals& arrivals;
};

template <class Engine>
class MeasuringLoop {
 public:
  /// `record` expects every action that the source may give.
  MeasuringLoop(Engine& engine, const LoopSource& source, const LoopPlan& plan,
                LoopControl& control, LoopRecord& record)
      : engine_(engine),
        source_(source),
        plan_(plan),
        control_(control),
        record_(record),
        slots_(plan.depth),
        queued_(plan.depth),
        free_(plan.depth) {}

  /// Throws Broken when an I/O fails or is short, and when told to end.
  void run() {
    begin();
    while (in_flight_ > 0 || (paced_ && phase_ < Phase::drain)) {
      submit();
      await();
      const std::uint64_t now = now_ns();
      const bool last = phase_ == Phase::measured && plan_.blocks == 0 && now >= phase_end_;
      if (last) phase_ = Phase::closing;
      reap(now);
      control_.progress(plan_.job).ios.store(record_.completed, std::memory_order_relaxed);
      if (last) {
        close(now);
      } else if (phase_ == Phase::ramp && now >= phase_end_) {
        open(now);
      } else if (plan_.blocks != 0) {
        close(now);
      }
      if (paced_ && phase_ < Phase::closing) admit(now);
    }
  }

 private:
  enum class Phase { ramp, measured, closing, drain };

  struct Slot {
    std::uint64_t intended_ns;
    std::uint64_t submitted_ns;
    std::uint64_t offset;
    Action action;
  };

  void begin() {
    const std::uint64_t now = begun_ = now_ns();
    std::uint64_t unset = 0;
    control_.started_ns.compare_exchange_strong(unset, now);
    phase_end_ = now + plan_.ramp_ns;
    to_issue_ = plan_.blocks ? plan_.blocks : ~0ULL;
    paced_ = source_.arrivals.active();
    if (plan_.ramp_ns == 0) open(now);
    if (paced_) {
      source_.arrivals.begin(now);
      for (free_count_ = 0; free_count_ < plan_.depth; ++free_count_)
        free_[free_count_] = free_count_;
      return;
    }
    for (std::uint32_t slot = 0; slot < plan_.depth && to_issue_ > 0; ++slot) queue(slot, now);
  }

  void open(std::uint64_t now) {
    phase_ = Phase::measured;
    record_.ramp_ns = now - begun_;
    record_.phase_begin_ns = now;
    phase_end_ = now + plan_.runtime_ns;
    record_.usage_begin = usage_now();
  }

  void close(std::uint64_t now) {
    if (plan_.blocks != 0 && in_flight_ != 0) return;
    record_.usage_end = usage_now();
    record_.phase_end_ns = now;
    phase_ = Phase::drain;
    for (; paced_ && source_.arrivals.next_ns() < phase_end_; source_.arrivals.advance())
      ++record_.unstarted;
  }

  // Starts every I/O that is due, as long as there are slots.
  void admit(std::uint64_t now) {
    while (free_count_ > 0 && source_.arrivals.next_ns() <= now) {
      const std::uint32_t slot = free_[--free_count_];
      if (!queue(slot, source_.arrivals.next_ns())) source_.arrivals.advance();
    }
  }

  // True when a flush took the I/O's place.
  bool queue(std::uint32_t index, std::uint64_t intended) {
    Slot& slot = slots_[index];
    const bool flush = plan_.flush_every != 0 && unflushed_ >= plan_.flush_every;
    Request request;
    if (flush) {
      unflushed_ = 0;
      request.action = Action::flush;
    } else {
      request.action = source_.actions.next();
      request.offset = source_.offsets.next();
      if (request.action == Action::read) {
        request.buffer = source_.buffers.to_read(index);
      } else if (request.action == Action::write) {
        request.buffer = source_.buffers.to_write(index, request.offset);
        ++unflushed_;
      }
      --to_issue_;
    }
    slot.action = request.action;
    slot.intended_ns = intended;
    slot.offset = request.offset;
    engine_.queue(index, request);
    queued_[queued_count_++] = index;
    ++in_flight_;
    if (plan_.submit_singly) submit();
    return flush;
  }

  void submit() {
    if (queued_count_ == 0) return;
    const int result = engine_.submit();
    if (result < 0) throw_engine_failure(-result);
    const std::uint64_t now = now_ns();
    for (std::uint32_t i = 0; i < queued_count_; ++i) slots_[queued_[i]].submitted_ns = now;
    queued_count_ = 0;
  }

  void await() {
    if (paced_) return await_paced();
    do {
      check_order();
      if (engine_.has_completions()) return;
      wait_result(engine_.wait());
    } while (!engine_.has_completions());
  }

  // Until something is complete, the next arrival can start, or the phase ends. Timers are late by
  // tens of microseconds, so that the last of the wait is spent looking.
  void await_paced() {
    for (;;) {
      check_order();
      if (engine_.has_completions()) return;
      std::uint64_t limit = phase_ == Phase::drain ? ~0ULL : phase_end_;
      if (free_count_ > 0 && phase_ != Phase::drain)
        limit = std::min(limit, source_.arrivals.next_ns());
      const std::uint64_t now = now_ns();
      if (now >= limit) return;
      const std::uint64_t left = limit - now;
      const std::uint64_t asleep = left > timer_slack_ns ? left - timer_slack_ns : 0;
      if (in_flight_ > 0)
        wait_result(engine_.wait_for(std::min<std::uint64_t>(asleep, second_ns)));
      else
        pause_for(std::min<std::uint64_t>(asleep, second_ns));
    }
  }

  void reap(std::uint64_t now) {
    if (!engine_.has_completions()) return;
    const bool counts = phase_ == Phase::measured || phase_ == Phase::closing;
    protocol::Series::Window* window =
        counts ? &record_.series.at(now - record_.phase_begin_ns) : nullptr;
    engine_.reap([&](std::uint32_t index, std::int64_t moved) {
      Slot& slot = slots_[index];
      --in_flight_;
      if (slot.action == Action::flush) {
        finish_flush(slot, moved, now, counts);
      } else {
        if (moved != expected(slot.action)) fail_io(slot, moved);
        ++record_.completed;
        if (counts) count(slot, now, *window);
      }
      if (paced_)
        free_[free_count_++] = index;
      else if (phase_ < Phase::closing && to_issue_ > 0)
        queue(index, now);
    });
  }

  void count(const Slot& slot, std::uint64_t now, protocol::Series::Window& window) {
    protocol::Latencies& latencies = record_.of(slot.action);
    const std::uint64_t lat = now - slot.intended_ns;
    latencies.lat.add(lat);
    latencies.slat.add(slot.submitted_ns - slot.intended_ns);
    latencies.clat.add(now - slot.submitted_ns);
    window.add(plan_.block_size, lat);
  }

  void finish_flush(const Slot& slot, std::int64_t result, std::uint64_t now, bool counts) {
    if (result < 0) throw_flush_failure(static_cast<int>(-result));
    if (counts) record_.flushes.add(now - slot.intended_ns);
  }

  std::int64_t expected(Action action) const {
    return action == Action::trim ? 0 : static_cast<std::int64_t>(plan_.block_size);
  }

  void check_order() const {
    const int order = control_.order.load(std::memory_order_relaxed);
    if (order != LoopControl::go_on) throw_as_told(order, in_flight_);
  }

  static void wait_result(int result) {
    if (result < 0 && result != -EINTR) throw_engine_failure(-result);
  }

  [[noreturn, gnu::cold, gnu::noinline]] void fail_io(const Slot& slot, std::int64_t moved) const {
    throw_io_failure(slot.offset, moved, plan_.block_size);
  }

  static constexpr std::uint64_t second_ns = 1'000'000'000;
  static constexpr std::uint64_t timer_slack_ns = 100'000;

  Engine& engine_;
  const LoopSource source_;
  const LoopPlan plan_;
  LoopControl& control_;
  LoopRecord& record_;
  std::vector<Slot> slots_;
  std::vector<std::uint32_t> queued_;
  std::vector<std::uint32_t> free_;  // of an open loop
  std::uint32_t queued_count_ = 0;
  std::uint32_t free_count_ = 0;
  std::uint32_t in_flight_ = 0;
  std::uint32_t unflushed_ = 0;
  std::uint64_t to_issue_ = 0;
  bool paced_ = false;
  Phase phase_ = Phase::ramp;
  std::uint64_t begun_ = 0;
  std::uint64_t phase_end_ = 0;
};

}  // namespace vmtax::kernel
