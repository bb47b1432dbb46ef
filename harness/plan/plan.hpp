// The plan of a run: everything that will be done, in its order, as plain data. Pure: no I/O, no
// clock, no machine; the same scenario, drive facts and seed give the same plan everywhere.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "protocol/units.hpp"
#include "scenario/scenario.hpp"

namespace vmtax::plan {

/// The three places where the I/O kernel runs.
enum class ArmKind { bare, backing, guest };
std::string_view to_text(ArmKind arm);

/// What the plan must know of a drive that is not in the scenario. For a stand-in: its size and
/// 512.
struct DriveFacts {
  Bytes size;
  Bytes logical_sector = Bytes{512};
};

enum class RegionKind { bare, filesystem };

/// An equal slice of the drive: one partition.
struct Region {
  std::string name;  ///< "bare", "ext4", "xfs"
  RegionKind kind = RegionKind::bare;
  std::optional<scenario::Filesystem> filesystem;
  Bytes offset;
  Bytes size;
};

/// The bytes that one backing occupies; shared by every configuration that stores alike.
struct Footprint {
  std::string name;    ///< "bare", "ext4/raw", "xfs/qcow2-64KiB"; a safe file name with / as -
  std::string region;  ///< the region's name
  scenario::Backing backing = scenario::Backing::passthrough;
  scenario::ImageOptions image;
  Bytes size;  ///< of the guest's disk: for passthrough the region, else the span
};

/// A configuration on a drive, and where it is stored.
struct PlannedConfiguration {
  scenario::Configuration configuration;
  std::string footprint;
};

struct PlannedDrive {
  scenario::Drive drive;
  DriveFacts facts;
  /// False for a path without `erase`: nothing is ever written to it. It has no partition table and
  /// no fill; its one region "bare" is the whole drive, opened read-only.
  bool writable = true;
  Bytes span;  ///< equal for every arm of the drive
  std::vector<Region> regions;
  std::vector<Footprint> footprints;
  std::vector<PlannedConfiguration> configurations;
};

/// One run of the I/O kernel within a visit.
struct CellRun {
  std::size_t workload = 0;  ///< index into Plan::workloads
  std::uint32_t iodepth = 1;
  std::uint64_t seed = 0;
};

/// One arm in one block.
struct Visit {
  ArmKind arm = ArmKind::bare;
  std::string footprint;
  std::string configuration;   ///< of a guest arm, else empty
  std::vector<CellRun> cells;  ///< the same order in every visit of the block
};

/// The unit of pairing and of resume: every arm of a drive visits once, in random order.
struct Block {
  std::size_t index = 0;
  std::size_t drive = 0;                ///< index into Plan::drives
  std::optional<std::size_t> workload;  ///< nothing with `visit: all`
  std::uint32_t round = 0;              ///< from 0
  std::vector<Visit> visits;
};

/// From figures seen on a 2-core machine under TCG (estimate.cpp): an upper bound with KVM.
struct Estimate {
  Nanoseconds measuring{0};  ///< ramp and runtime of all cells
  Nanoseconds total{0};      ///< with boots, fills and settling, roughly
  Bytes filled;              ///< written once, before the first block
  std::size_t boots = 0;     ///< of guest visits, and one for each qcow2 image, filled by a guest
  std::size_t samples = 0;
};

struct Plan {
  std::string name;
  std::uint64_t seed = 0;
  std::vector<PlannedDrive> drives;
  std::vector<scenario::Workload> workloads;
  scenario::Measure measure;
  std::vector<Block> blocks;  ///< in the order in which they run
  Estimate estimate;
};

/// `facts` by drive name. Throws ScenarioError with the drive's mark when a drive is too small for
/// its regions and span, saying how much would be needed; and for what its sectors don't allow.
Plan make_plan(const scenario::Scenario& scenario, const std::map<std::string, DriveFacts>& facts);

/// seed of one job = hash of (plan seed, drive, workload, depth, round, visit): every visit touches
/// the same span in the same distribution, at different offsets (design, section 5.3). At most 53
/// bits, so that it passes through JSON and SQLite unchanged. `visit`: position in its block.
std::uint64_t job_seed(std::uint64_t seed, std::string_view drive, std::string_view workload,
                       std::uint32_t iodepth, std::uint32_t round, std::size_t visit);

/// For people (`vmtax plan`): tables of at most 100 columns where names are short.
/// For programs (`vmtax plan --json`): the format is specified in plan_json.cpp.
std::string describe(const Plan& plan);
std::string to_json(const Plan& plan);

}  // namespace vmtax::plan
