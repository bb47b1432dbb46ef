// A run, analysed: every cell that was planned, the findings, and what failed. The report renders
// nothing but this.
#pragma once

#include <string>
#include <vector>

#include "analysis/cell.hpp"
#include "analysis/findings.hpp"
#include "analysis/study.hpp"

namespace vmtax::analysis {

/// A partner that a cell lacks; a host arm's is listed once, whatever number of cells it serves.
struct MissingSample {
  std::string drive;
  std::string place;  ///< configuration of a guest arm; footprint, or "bare region", of a host's
  std::string workload;
  std::uint32_t iodepth = 1;
  Missing missing;
};

/// The mean of a host arm over all its rounds, for curves: bare or backing, by footprint.
struct HostPoint {
  std::string drive;
  std::string footprint;
  std::string workload;
  std::uint32_t iodepth = 1;
  store::Arm arm = store::Arm::bare;
  ArmFigures figures;
};

struct Analysis {
  Study study;
  std::vector<Cell> cells;
  std::vector<Finding> findings;
  std::vector<MissingSample> missing;
  std::vector<HostPoint> host_points;
};

Analysis analyse(Study study);

/// Cells that lack a pair because a measurement failed (not because the run ended early).
std::size_t failed_cells(const Analysis& analysis);

}  // namespace vmtax::analysis
