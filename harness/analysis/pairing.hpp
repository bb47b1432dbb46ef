// Strict pairing: which guest sample stands against which host samples. Only samples of finished
// blocks are paired; what is missing is listed with its reason, never dropped.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "analysis/study.hpp"

namespace vmtax::analysis {

enum class MissingKind {
  failed,        ///< it was measured and failed, or its visit could not be had
  interrupted,   ///< measured in a block that was not finished
  not_measured,  ///< its block was not begun
};
std::string_view to_text(MissingKind kind);

struct Missing {
  store::Arm arm = store::Arm::guest;
  std::uint32_t round = 0;
  MissingKind kind = MissingKind::not_measured;
  std::string reason;
};

/// The successful samples of one round of a cell, by arm. More than one per arm: a second visit in
/// the same block; the arm's figure is then their geometric mean (the mean of the logs).
struct Round {
  std::uint32_t round = 0;
  std::vector<const Sample*> bare, backing, guest;

  bool paired() const { return !bare.empty() && !guest.empty(); }
  const std::vector<const Sample*>& arm(store::Arm which) const;
};

/// One cell with every round that was asked for. Points into the study.
struct PairedCell {
  const store::DriveRecord* drive = nullptr;
  const store::ConfigurationRecord* configuration = nullptr;
  const store::WorkloadRecord* workload = nullptr;
  std::uint32_t iodepth = 1;
  std::vector<Round> rounds;
  std::vector<Missing> missing;

  std::size_t rounds_asked() const { return rounds.size(); }
  std::size_t rounds_obtained() const;  ///< with a guest and a bare sample
};

/// Every cell that was planned, in the order of drives, configurations, workloads and depths. A
/// bare partner has the same drive, workload, depth and round, on the configuration's own footprint
/// where that was measured, else on the bare region; a backing partner is on the configuration's
/// footprint.
std::vector<PairedCell> pair_cells(const Study& study);

}  // namespace vmtax::analysis
