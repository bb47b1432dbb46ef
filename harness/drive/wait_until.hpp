// Waiting for something that the kernel announces nowhere: looked at again until the deadline.
#pragma once

#include <algorithm>
#include <chrono>
#include <thread>

#include "base/deadline.hpp"
#include "base/interrupt.hpp"

namespace vmtax::drive {

/// True as soon as `happened()` is; false at the deadline. Throws Interrupted when a stop is asked
/// (within a clean-up it is shielded).
template <typename Predicate>
bool wait_until(const Deadline& deadline, Predicate happened) {
  using namespace std::chrono_literals;
  while (!happened()) {
    if (deadline.passed()) return false;
    interrupt::check();
    std::this_thread::sleep_for(std::min<std::chrono::milliseconds>(10ms, deadline.left()));
  }
  return true;
}

}  // namespace vmtax::drive
