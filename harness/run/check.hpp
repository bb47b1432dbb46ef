// Whether this host can and may run a scenario: every obstacle with its fix, before anything is
// made.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "guest/accelerator.hpp"
#include "guest/micro_image.hpp"
#include "plan/plan.hpp"
#include "run/provision.hpp"

namespace vmtax::run {

enum class Verdict { good, warning, obstacle };

struct CheckLine {
  Verdict verdict = Verdict::good;
  std::string subject;  ///< "KVM", "guest kernel", "drive optane", ...
  std::string finding;  ///< what was seen; for an obstacle with the fix
};

/// What the checks found out that a run needs; set where the check was good.
struct Means {
  std::optional<std::filesystem::path> emulator;
  std::optional<guest::MicroImage> image;
  std::optional<guest::Accelerator> accelerator;
};

struct CheckResult {
  std::vector<CheckLine> lines;
  Means means;
  bool able() const;  ///< no obstacle
  /// All obstacles in one line, for an EnvironmentError.
  std::string obstacles() const;
};

/// Looks at everything; makes nothing but cached images and probe results. `plan` is of the drives
/// that can be seen, `unseen` are the others.
CheckResult check(const scenario::Scenario& scenario, const plan::Plan& plan,
                  const UnseenDrives& unseen);

/// As a table for a terminal.
std::string describe(const CheckResult& result);

}  // namespace vmtax::run
