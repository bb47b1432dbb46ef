// What one measuring thread finds.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>

#include "kernel/request.hpp"
#include "kernel/usage.hpp"
#include "protocol/io_result.hpp"

namespace vmtax::kernel {

struct LoopRecord {
  /// By Action; only of those that the job may do, since histograms are large.
  std::array<std::unique_ptr<protocol::Latencies>, io_actions> by_action;
  protocol::Histogram flushes;
  protocol::Series series;
  std::uint64_t ramp_ns = 0;
  std::uint64_t phase_begin_ns = 0;
  std::uint64_t phase_end_ns = 0;
  Usage usage_begin, usage_end;
  std::uint64_t unstarted = 0;  ///< due before the end, but not issued
  std::uint64_t completed = 0;  ///< those of the ramp and the drain included

  void expect(Action action) {
    by_action[static_cast<std::size_t>(action)] = std::make_unique<protocol::Latencies>();
  }
  protocol::Latencies& of(Action action) { return *by_action[static_cast<std::size_t>(action)]; }

  std::uint64_t elapsed_ns() const { return phase_end_ns - phase_begin_ns; }

  /// All I/Os together.
  protocol::Latencies total() const {
    protocol::Latencies sum;
    for (const auto& one : by_action)
      if (one) sum.merge(*one);
    return sum;
  }

  /// Adds a thread that measured at the same time.
  void merge(LoopRecord other) {
    for (std::size_t i = 0; i < io_actions; ++i) {
      if (!other.by_action[i]) continue;
      if (by_action[i])
        by_action[i]->merge(*other.by_action[i]);
      else
        by_action[i] = std::move(other.by_action[i]);
    }
    flushes.merge(other.flushes);
    series.merge(other.series);
    unstarted += other.unstarted;
    completed += other.completed;
    ramp_ns = std::max(ramp_ns, other.ramp_ns);
    if (other.phase_begin_ns < phase_begin_ns) {
      phase_begin_ns = other.phase_begin_ns;
      usage_begin = other.usage_begin;
    }
    if (other.phase_end_ns > phase_end_ns) {
      phase_end_ns = other.phase_end_ns;
      usage_end = other.usage_end;
    }
  }
};

}  // namespace vmtax::kernel
