#include "kernel/loop_failures.hpp"

#include <cerrno>
#include <cstring>
#include <string>

#include "kernel/failures.hpp"
#include "kernel/loop_control.hpp"

namespace vmtax::kernel {

void throw_engine_failure(int number) {
  throw Broken{std::string{"the engine can't go on: "} + std::strerror(number), number};
}

void throw_flush_failure(int number) {
  throw Broken{std::string{"a flush failed: "} + std::strerror(number), number};
}

void throw_io_failure(std::uint64_t offset, std::int64_t moved, std::uint64_t asked) {
  const std::string where = "the I/O at offset " + std::to_string(offset);
  const int number = moved < 0 ? static_cast<int>(-moved) : 0;
  if (number != 0) throw Broken{where + " failed: " + std::strerror(number), number, Bytes{offset}};
  throw Broken{where + " was short: " + std::to_string(moved) + " of " + std::to_string(asked) +
                   " bytes (did the target shrink?)",
               0, Bytes{offset}};
}

void throw_as_told(int order, std::uint32_t in_flight) {
  if (order == LoopControl::end_as_stopped) throw Broken{"stopped on request", ECANCELED};
  throw Broken{"the device stalled: " + std::to_string(in_flight) + " I/Os are not completed",
               ETIMEDOUT};
}

}  // namespace vmtax::kernel
