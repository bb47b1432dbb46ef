#include "protocol/io_result.hpp"

namespace vmtax::protocol {
namespace {

double per_second(std::uint64_t count, Nanoseconds elapsed) {
  if (elapsed <= Nanoseconds::zero()) return 0.0;
  return static_cast<double>(count) * 1e9 / static_cast<double>(elapsed.count());
}

}  // namespace

double IoResult::iops() const {
  return per_second(ios, elapsed);
}

double IoResult::bytes_per_second() const {
  return per_second(bytes.value, elapsed);
}

double IoResult::achieved_depth() const {
  if (elapsed <= Nanoseconds::zero()) return 0.0;
  return static_cast<double>(lat.sum_ns()) / static_cast<double>(elapsed.count());
}

}  // namespace vmtax::protocol
