// The runner's clock, so that a test can make a night pass in a millisecond.
#pragma once

#include <cstdint>

#include "protocol/units.hpp"

namespace vmtax::run {

class Clock {
 public:
  virtual ~Clock() = default;
  virtual Nanoseconds now() const;           ///< monotonic
  virtual std::int64_t unix_now_ns() const;  ///< wall clock, for the record
};

}  // namespace vmtax::run
