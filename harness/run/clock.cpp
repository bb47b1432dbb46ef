#include "run/clock.hpp"

namespace vmtax::run {

Nanoseconds Clock::now() const {
  return std::chrono::steady_clock::now().time_since_epoch();
}

std::int64_t Clock::unix_now_ns() const {
  return Nanoseconds{std::chrono::system_clock::now().time_since_epoch()}.count();
}

}  // namespace vmtax::run
