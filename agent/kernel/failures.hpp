// How a job ends other than by a result. Thrown by what prepares and runs it, caught in one place.
#pragma once

#include <cstring>
#include <optional>
#include <stdexcept>
#include <string>

#include "protocol/io_result.hpp"

namespace vmtax::kernel {

/// The job must not or can't be run here: the target, its limits, or the engine says no before the
/// first I/O.
struct Refused : std::runtime_error {
  explicit Refused(const std::string& reason, int number = 0)
      : std::runtime_error(reason), error_number(number) {}
  int error_number;
};

/// An I/O went wrong while the job ran.
struct Broken : std::runtime_error {
  explicit Broken(const std::string& reason, int number = 0, std::optional<Bytes> where = {})
      : std::runtime_error(reason), error_number(number), offset(where) {}
  int error_number;
  std::optional<Bytes> offset;
};

/// "PATH: doing: reason of the errno".
inline Refused refused_by_system(const std::string& what, int number) {
  return Refused{what + ": " + std::strerror(number), number};
}

}  // namespace vmtax::kernel
