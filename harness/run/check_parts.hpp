// The parts of `vmtax check` and what they write into.
#pragma once

#include <string>
#include <utility>

#include "base/errors.hpp"
#include "run/check.hpp"

namespace vmtax::run {

class Checks {
 public:
  void good(std::string subject, std::string finding) {
    result_.lines.push_back({Verdict::good, std::move(subject), std::move(finding)});
  }
  void warning(std::string subject, std::string finding) {
    result_.lines.push_back({Verdict::warning, std::move(subject), std::move(finding)});
  }
  void obstacle(std::string subject, std::string finding) {
    result_.lines.push_back({Verdict::obstacle, std::move(subject), std::move(finding)});
  }

  /// `look` says what it saw; an EnvironmentError from it is an obstacle.
  template <typename Look>
  void attempt(const std::string& subject, Look look) {
    try {
      good(subject, look());
    } catch (const EnvironmentError& error) {
      obstacle(subject, error.what());
    }
  }

  CheckResult& result() { return result_; }

 private:
  CheckResult result_;
};

/// The programs that this plan needs beside QEMU.
void check_programs(Checks& checks, const plan::Plan& plan);

/// Whether each drive may be used as planned, and the room for all stand-ins together.
void check_drives(Checks& checks, const plan::Plan& plan);

}  // namespace vmtax::run
