// Waiting without I/O, for the arrivals of an open loop.
#pragma once

#include <cstdint>

#include <sched.h>
#include <time.h>

namespace vmtax::kernel {

/// Sleeps so long, or until a signal; 0 only gives the processor to whoever else wants it.
inline void pause_for(std::uint64_t ns) {
  if (ns == 0) {
    ::sched_yield();
    return;
  }
  const timespec length{static_cast<time_t>(ns / 1'000'000'000U),
                        static_cast<long>(ns % 1'000'000'000U)};
  ::clock_nanosleep(CLOCK_MONOTONIC, 0, &length, nullptr);
}

}  // namespace vmtax::kernel
