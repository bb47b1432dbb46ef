#include "run/runner.hpp"

#include <algorithm>

#include <nlohmann/json.hpp>

#include "base/errors.hpp"
#include "base/interrupt.hpp"
#include "base/log.hpp"
#include "run/stopwatch.hpp"

namespace vmtax::run {
namespace {

// How often in a row a visit's arm may fail to arrive before its other samples fail with the same
// reason.
constexpr int arrivals_in_a_row = 2;

store::Arm stored(plan::ArmKind arm) {
  switch (arm) {
    case plan::ArmKind::bare:
      return store::Arm::bare;
    case plan::ArmKind::backing:
      return store::Arm::backing;
    case plan::ArmKind::guest:
      return store::Arm::guest;
  }
  throw std::logic_error("unknown arm");
}

protocol::IoJob job_of(const plan::Plan& plan, const plan::PlannedDrive& drive,
                       const plan::CellRun& cell) {
  const auto& workload = plan.workloads.at(cell.workload);
  protocol::IoJob job;
  job.span = drive.span;
  job.pattern = workload.pattern;
  job.engine = workload.engine;
  job.block_size = workload.block_size;
  job.iodepth = cell.iodepth;
  job.direct = workload.direct;
  job.seed = cell.seed;
  job.ramp = plan.measure.ramp;
  job.runtime = plan.measure.runtime;
  return job;
}

std::string describe(const plan::PlannedDrive& drive, const plan::Visit& visit) {
  return drive.drive.name + " " + std::string{plan::to_text(visit.arm)} + " " +
         (visit.arm == plan::ArmKind::guest ? visit.configuration : visit.footprint);
}

}  // namespace

Runner::Runner(const plan::Plan& plan, ArmSource& arms, store::Store& store, const Clock& clock,
               Progress& progress)
    : plan_(plan), arms_(arms), store_(store), clock_(clock), progress_(progress) {}

void Runner::run_blocks() {
  const Stopwatch wall(clock_, time_.wall);
  began_ = clock_.now();
  const auto finished = store_.finished_blocks();
  const auto is_finished = [&](const plan::Block& block) {
    return std::ranges::find(finished, block.index) != finished.end();
  };
  std::size_t samples = 0, done = 0;
  for (const auto& block : plan_.blocks)
    for (const auto& visit : block.visits) {
      samples += visit.cells.size();
      if (is_finished(block)) done += visit.cells.size();
    }
  progress_.begin(samples, done);
  for (const auto& block : plan_.blocks) {
    if (is_finished(block)) continue;
    if (plan_.measure.budget && clock_.now() - began_ >= *plan_.measure.budget) {
      log::warning("the budget of " + format_duration(*plan_.measure.budget) +
                   " is used up: no further block begins");
      return;
    }
    run_block(block);
  }
}

void Runner::run_block(const plan::Block& block) {
  store::BlockRecord record;
  record.index = block.index;
  record.drive = plan_.drives.at(block.drive).drive.name;
  record.workload = block.workload ? plan_.workloads.at(*block.workload).name : "";
  record.round = block.round;
  const auto attempt = store_.begin_block(record);
  for (std::size_t visit = 0; visit < block.visits.size(); ++visit)
    run_visit(block, visit, attempt);
  store_.finish_block(attempt);
}

std::unique_ptr<Arm> Runner::arrive(const plan::PlannedDrive& drive, const plan::Visit& visit) {
  const Stopwatch booting(clock_, time_.booting);
  return arms_.arrive(drive, visit);
}

void Runner::note_facts(Arm& arm, const plan::Visit& visit) {
  if (visit.arm != plan::ArmKind::guest || guest_facts_known_) return;
  store_.add_facts({{"guest", arm.facts()}});
  guest_facts_known_ = true;
}

store::SampleRecord Runner::measure(Arm& arm, const plan::Block& block, const plan::CellRun& cell) {
  store::SampleRecord sample;
  {
    const Stopwatch settling(clock_, time_.settling);
    sample.resident_before = arm.settle();
  }
  sample.started_unix_ns = clock_.unix_now_ns();
  const auto start = clock_.now();
  {
    const Stopwatch measuring(clock_, time_.measuring);
    sample.outcome = arm.run(job_of(plan_, plan_.drives.at(block.drive), cell));
  }
  sample.host_elapsed = clock_.now() - start;
  return sample;
}

void Runner::run_visit(const plan::Block& block, std::size_t position, store::AttemptId attempt) {
  const auto& drive = plan_.drives.at(block.drive);
  const auto& visit = block.visits.at(position);
  progress_.visit("round " + std::to_string(block.round + 1) + "/" +
                  std::to_string(plan_.measure.rounds) + "  " + describe(drive, visit));
  std::unique_ptr<Arm> arm;
  int failed_arrivals = 0;
  std::string arrival_failure;
  for (std::size_t i = 0; i < visit.cells.size(); ++i) {
    interrupt::check();
    const auto& cell = visit.cells[i];
    const auto& workload = plan_.workloads.at(cell.workload);
    progress_.cell(workload.name + " depth " + std::to_string(cell.iodepth), clock_.now() - began_);
    store::SampleRecord sample;
    try {
      if (!arm && failed_arrivals < arrivals_in_a_row) {
        ++failed_arrivals;
        arm = arrive(drive, visit);
        failed_arrivals = 0;
        note_facts(*arm, visit);
      }
      if (!arm) throw MeasurementError(arrival_failure);
      sample = measure(*arm, block, cell);
    } catch (const MeasurementError& failure) {
      // A stop reaches children of libvirt too: what they lose then is no failure of the
      // measurement.
      interrupt::check();
      // The arm is lost with this sample; the next cell asks for a new one.
      sample.outcome = protocol::IoFailure{failure.what(), 0, {}};
      if (!arm) arrival_failure = failure.what();
      arm.reset();
    }
    if (const auto* failure = std::get_if<protocol::IoFailure>(&sample.outcome))
      log::warning(describe(drive, visit) + ", " + workload.name + " depth " +
                   std::to_string(cell.iodepth) + " failed: " + failure->reason);
    sample.drive = drive.drive.name;
    sample.workload = workload.name;
    sample.iodepth = cell.iodepth;
    sample.round = block.round;
    sample.arm = stored(visit.arm);
    sample.footprint = visit.footprint;
    sample.configuration = visit.configuration;
    sample.visit = position;
    sample.position = i;
    sample.seed = cell.seed;
    store_.add(attempt, sample);
    progress_.sample_done();
  }
  if (!arm) return;
  const Stopwatch ending(clock_, time_.ending);
  arm->leave();
}

}  // namespace vmtax::run
