// A named point in time by which something must have happened. Every wait has one.
#pragma once

#include <algorithm>
#include <chrono>
#include <string>
#include <utility>

namespace vmtax {

class Deadline {
 public:
  using Clock = std::chrono::steady_clock;

  /// `name` completes the sentence "<name> within <limit>", e.g. "the guest's agent answers".
  Deadline(std::string name, std::chrono::milliseconds limit)
      : name_(std::move(name)), limit_(limit), at_(Clock::now() + limit) {}

  const std::string& name() const { return name_; }
  std::chrono::milliseconds limit() const { return limit_; }
  Clock::time_point at() const { return at_; }
  bool passed() const { return Clock::now() >= at_; }
  std::chrono::milliseconds left() const {
    return std::max(std::chrono::milliseconds{0},
                    std::chrono::ceil<std::chrono::milliseconds>(at_ - Clock::now()));
  }

  /// "the guest's agent answers: not within 30s": the message of the error at a missed deadline.
  std::string missed() const;

 private:
  std::string name_;
  std::chrono::milliseconds limit_;
  Clock::time_point at_;
};

}  // namespace vmtax
