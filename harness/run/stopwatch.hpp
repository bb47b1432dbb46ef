// Adds the time of its scope to one of the run's accounts.
#pragma once

#include "run/clock.hpp"

namespace vmtax::run {

class Stopwatch {
 public:
  Stopwatch(const Clock& clock, Nanoseconds& account)
      : clock_(clock), account_(account), start_(clock.now()) {}
  ~Stopwatch() { account_ += clock_.now() - start_; }
  Stopwatch(const Stopwatch&) = delete;
  Stopwatch& operator=(const Stopwatch&) = delete;

 private:
  const Clock& clock_;
  Nanoseconds& account_;
  Nanoseconds start_;
};

}  // namespace vmtax::run
