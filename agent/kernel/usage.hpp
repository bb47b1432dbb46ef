// CPU time and context switches of the whole process, io_uring's kernel workers included.
#pragma once

#include <sys/resource.h>

#include "protocol/io_result.hpp"

namespace vmtax::kernel {

struct Usage {
  protocol::CpuTime cpu;
  protocol::ContextSwitches switches;
};

inline Usage usage_now() {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  const auto to_ns = [](const timeval& time) {
    return std::chrono::seconds{time.tv_sec} + std::chrono::microseconds{time.tv_usec};
  };
  return {
      {to_ns(usage.ru_utime), to_ns(usage.ru_stime)},
      {static_cast<std::uint64_t>(usage.ru_nvcsw), static_cast<std::uint64_t>(usage.ru_nivcsw)}};
}

inline Usage operator-(const Usage& a, const Usage& b) {
  return {{a.cpu.user - b.cpu.user, a.cpu.system - b.cpu.system},
          {a.switches.voluntary - b.switches.voluntary,
           a.switches.involuntary - b.switches.involuntary}};
}

}  // namespace vmtax::kernel
