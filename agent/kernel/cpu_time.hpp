// CPU time of the whole process, io_uring's kernel workers included.
#pragma once

#include <sys/resource.h>

#include "protocol/io_result.hpp"

namespace vmtax::kernel {

inline protocol::CpuTime cpu_time() {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  const auto to_ns = [](const timeval& time) {
    return std::chrono::seconds{time.tv_sec} + std::chrono::microseconds{time.tv_usec};
  };
  return {to_ns(usage.ru_utime), to_ns(usage.ru_stime)};
}

inline protocol::CpuTime operator-(const protocol::CpuTime& a, const protocol::CpuTime& b) {
  return {a.user - b.user, a.system - b.system};
}

}  // namespace vmtax::kernel
