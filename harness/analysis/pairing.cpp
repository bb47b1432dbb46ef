#include "analysis/pairing.hpp"

#include <algorithm>
#include <map>
#include <tuple>

namespace vmtax::analysis {
namespace {

using store::Arm;

// `place` is the configuration of a guest sample and the footprint of a host's.
using Key = std::tuple<Arm, std::string, std::string, std::uint32_t, std::uint32_t, std::string>;
using Index = std::map<Key, std::vector<const Sample*>>;

constexpr const char* any_footprint = "";

Index index_of(const Study& study) {
  Index index;
  for (const Sample& s : study.samples) {
    const std::string& place = s.arm == Arm::guest ? s.configuration : s.footprint;
    index[{s.arm, s.drive, s.workload, s.iodepth, s.round, place}].push_back(&s);
    if (s.arm == Arm::bare && place != any_footprint)
      index[{s.arm, s.drive, s.workload, s.iodepth, s.round, any_footprint}].push_back(&s);
  }
  return index;
}

const std::vector<const Sample*>& found(const Index& index, const PairedCell& cell, Arm arm,
                                        std::uint32_t round) {
  static const std::vector<const Sample*> none;
  const auto look = [&](const std::string& place) -> const std::vector<const Sample*>& {
    const auto it =
        index.find({arm, cell.drive->name, cell.workload->name, cell.iodepth, round, place});
    return it == index.end() ? none : it->second;
  };
  if (arm == Arm::guest) return look(cell.configuration->name);
  const auto& own = look(cell.configuration->footprint);
  return own.empty() && arm == Arm::bare ? look(any_footprint) : own;
}

Missing why_missing(Arm arm, std::uint32_t round, const std::vector<const Sample*>& samples) {
  for (const Sample* sample : samples) {
    if (const auto* failure = std::get_if<Failure>(&sample->outcome))
      return {arm, round, MissingKind::failed, failure->reason};
  }
  if (!samples.empty())
    return {arm, round, MissingKind::interrupted, "its block was interrupted before its end"};
  return {arm, round, MissingKind::not_measured, "not measured"};
}

void take(PairedCell& cell, Round& round, std::vector<const Sample*> Round::*arm_samples, Arm arm,
          const Index& index) {
  const auto& samples = found(index, cell, arm, round.round);
  auto& taken = round.*arm_samples;
  std::copy_if(samples.begin(), samples.end(), std::back_inserter(taken),
               [](const Sample* sample) { return sample->block_finished && sample->figures(); });
  if (taken.empty()) cell.missing.push_back(why_missing(arm, round.round, samples));
}

PairedCell pair_cell(const Study& study, const store::ConfigurationRecord& configuration,
                     const store::WorkloadRecord& workload, std::uint32_t iodepth,
                     const Index& index) {
  PairedCell cell;
  cell.drive = &study.drive(configuration.drive);
  cell.configuration = &configuration;
  cell.workload = &workload;
  cell.iodepth = iodepth;
  for (std::uint32_t number = 0; number < study.run.rounds; ++number) {
    Round round;
    round.round = number;
    take(cell, round, &Round::bare, Arm::bare, index);
    if (configuration.host_measures_backing)
      take(cell, round, &Round::backing, Arm::backing, index);
    take(cell, round, &Round::guest, Arm::guest, index);
    cell.rounds.push_back(std::move(round));
  }
  return cell;
}

}  // namespace

std::string_view to_text(MissingKind kind) {
  switch (kind) {
    case MissingKind::failed:
      return "failed";
    case MissingKind::interrupted:
      return "interrupted";
    case MissingKind::not_measured:
      return "not measured";
  }
  return "?";
}

const std::vector<const Sample*>& Round::arm(Arm which) const {
  switch (which) {
    case Arm::bare:
      return bare;
    case Arm::backing:
      return backing;
    case Arm::guest:
      break;
  }
  return guest;
}

std::size_t PairedCell::rounds_obtained() const {
  return static_cast<std::size_t>(
      std::count_if(rounds.begin(), rounds.end(), [](const Round& r) { return r.paired(); }));
}

std::vector<PairedCell> pair_cells(const Study& study) {
  const Index index = index_of(study);
  std::vector<PairedCell> cells;
  for (const auto& drive : study.run.drives) {
    for (const auto& configuration : study.run.configurations) {
      if (configuration.drive != drive.name) continue;
      for (const auto& workload : study.run.workloads) {
        for (const std::uint32_t iodepth : workload.iodepths)
          cells.push_back(pair_cell(study, configuration, workload, iodepth, index));
      }
    }
  }
  return cells;
}

}  // namespace vmtax::analysis
