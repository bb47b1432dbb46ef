// What one job of the I/O kernel found: raw counters and histograms, or why it failed.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>

#include "protocol/histogram.hpp"
#include "protocol/series.hpp"
#include "protocol/units.hpp"

namespace vmtax::protocol {

struct CpuTime {
  Nanoseconds user{0};
  Nanoseconds system{0};
};

struct Latencies {
  Histogram lat, slat, clat;

  void merge(const Latencies& other) {
    lat.merge(other.lat);
    slat.merge(other.slat);
    clat.merge(other.clat);
  }
};

struct ContextSwitches {
  std::uint64_t voluntary = 0;
  std::uint64_t involuntary = 0;
};

/// The clock that all of these were read from, where the job ran.
struct ClockFacts {
  double read_ns = 0;  ///< what one read costs, measured before the job
  std::string source;  ///< "tsc", "kvm-clock", "hpet"…; empty where the kernel doesn't say
};

/// Of the measured phase alone; the ramp is only timed. Latencies are nanoseconds of the monotonic
/// clock: lat = intended start to reap, slat = intended start to submitted (the return of the
/// system call that submits; for psync the start of the call), clat = submitted to reap. Without a
/// rate, an I/O is intended to start when the one before it in its slot was reaped. Several jobs
/// are added up: the measured phase is from the first one's beginning to the last one's end.
struct IoResult {
  std::uint64_t ios = 0;
  Bytes bytes;
  Nanoseconds elapsed{0};       ///< measured, not asked
  Nanoseconds ramp_elapsed{0};  ///< measured time of the ramp
  Nanoseconds job_elapsed{0};   ///< the whole job, from opening the target to its last I/O
  Histogram lat, slat, clat;
  std::optional<Latencies> reads, writes;  ///< of patterns that mix; the parts of those above
  Histogram flushes;                       ///< lat of each flush; no flush is among the ios
  Nanoseconds final_flush{0};              ///< the one at the end, behind the measured phase
  Series series;
  std::uint64_t unstarted = 0;       ///< with a rate: due before the end, but no slot was free
  ContextSwitches context_switches;  ///< of the whole agent process
  ClockFacts clock;
  CpuTime cpu;              ///< of the whole agent process, its kernel workers included
  bool direct = false;      ///< O_DIRECT as read back from the descriptor's flags
  std::string target_path;  ///< what the target resolved to
  Bytes target_size;

  double iops() const;              ///< 0 when nothing elapsed
  double bytes_per_second() const;  ///< 0 when nothing elapsed
  /// How many I/Os were in flight on average (Little's law over lat); 0 when nothing elapsed.
  double achieved_depth() const;
};

/// A failed measurement: never a zero.
struct IoFailure {
  std::string reason;  ///< one clause, as a person reads it
  int error_number = 0;
  std::optional<Bytes> offset;  ///< of the I/O that failed
};

using IoOutcome = std::variant<IoResult, IoFailure>;

}  // namespace vmtax::protocol
