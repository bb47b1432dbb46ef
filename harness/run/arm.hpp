// The one seam of vmtax: where the I/O kernel runs. Real arms drive an agent on the host or in a
// guest; tests use fake ones, and the whole runner is tested without a VM.
#pragma once

#include <memory>

#include <nlohmann/json_fwd.hpp>

#include "plan/plan.hpp"
#include "protocol/io_job.hpp"
#include "protocol/io_result.hpp"

namespace vmtax::run {

/// One visit's arm, from its arrival until it leaves.
class Arm {
 public:
  virtual ~Arm() = default;  ///< ends what is left, without throwing

  /// Runs one job; a failure of the measurement is an IoFailure. The job's target is set by the
  /// arm. Throws Interrupted.
  virtual protocol::IoOutcome run(const protocol::IoJob& job) = 0;

  /// With the arm idle: writes back and drops the pages of its disk, on its own side and on the
  /// host (image file and device below it). Returns how much of them is still in the host's page
  /// cache.
  virtual Bytes settle() = 0;

  /// What is true on this side: kernel, clocksource, queue limits, ...
  virtual nlohmann::json facts() = 0;

  /// Ends the arm in order and verifies that it is gone. Throws EnvironmentError when it is not.
  virtual void leave() = 0;
};

/// Opens the arm of a visit: starts the host's agent, or boots the guest. MeasurementError when
/// this visit can't be had (its samples are failures and the run goes on).
class ArmSource {
 public:
  virtual ~ArmSource() = default;
  virtual std::unique_ptr<Arm> arrive(const plan::PlannedDrive& drive,
                                      const plan::Visit& visit) = 0;
};

}  // namespace vmtax::run
