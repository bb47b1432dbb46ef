// The one clock of the measured code, on host and in guest alike. CLOCK_MONOTONIC is read through
// the vDSO; CLOCK_MONOTONIC_RAW was a system call on kernels that are still in use.
#pragma once

#include <cstdint>

#include <time.h>

#include "protocol/io_result.hpp"

namespace vmtax::kernel {

inline std::uint64_t now_ns() {
  timespec now;
  ::clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<std::uint64_t>(now.tv_sec) * 1'000'000'000U +
         static_cast<std::uint64_t>(now.tv_nsec);
}

/// The least mean cost of a read in a few rounds of them: well under 2 ms even where a read leaves
/// the guest.
protocol::ClockFacts clock_facts();

}  // namespace vmtax::kernel
