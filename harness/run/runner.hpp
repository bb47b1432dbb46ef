// Carries out the blocks of a plan: every visit's arm arrives, runs each cell, and leaves; each
// sample is committed before the next begins. Knows nothing of drives or guests: only the seam
// `Arm`.
#pragma once

#include "plan/plan.hpp"
#include "run/arm.hpp"
#include "run/clock.hpp"
#include "run/progress.hpp"
#include "store/store.hpp"

namespace vmtax::run {

class Runner {
 public:
  Runner(const plan::Plan& plan, ArmSource& arms, store::Store& store, const Clock& clock,
         Progress& progress);

  /// Runs every block that has no finished attempt yet, within the budget. A visit's arm that can't
  /// be had or is lost makes failures of its samples, and the run goes on. Throws Interrupted (what
  /// was measured is in the store; the block is run anew when the run is resumed) and
  /// EnvironmentError (an arm could not be ended).
  void run_blocks();

  /// How the time of run_blocks went, also after it threw.
  const store::TimeShare& time() const { return time_; }

 private:
  void run_block(const plan::Block& block);
  void run_visit(const plan::Block& block, std::size_t visit, store::AttemptId attempt);
  store::SampleRecord measure(Arm& arm, const plan::Block& block, const plan::CellRun& cell);
  std::unique_ptr<Arm> arrive(const plan::PlannedDrive& drive, const plan::Visit& visit);
  void note_facts(Arm& arm, const plan::Visit& visit);

  const plan::Plan& plan_;
  ArmSource& arms_;
  store::Store& store_;
  const Clock& clock_;
  Progress& progress_;
  store::TimeShare time_;
  Nanoseconds began_{0};
  bool guest_facts_known_ = false;
};

}  // namespace vmtax::run
