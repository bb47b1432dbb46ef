#include "plan/order.hpp"

#include "plan/random.hpp"

namespace vmtax::plan {
namespace {

// Raw files are the same bytes for the host; the map of a qcow2 image is QEMU's own, and
// passthrough's backing is the drive, which the bare arm measures.
bool host_measures(const Footprint& footprint) {
  return footprint.backing == scenario::Backing::raw;
}

std::vector<Visit> arms_of(const PlannedDrive& drive) {
  std::vector<Visit> visits{{ArmKind::bare, "bare", "", {}}};
  for (const auto& footprint : drive.footprints)
    if (host_measures(footprint)) visits.push_back({ArmKind::backing, footprint.name, "", {}});
  for (const auto& [configuration, footprint] : drive.configurations)
    visits.push_back({ArmKind::guest, footprint, configuration.name, {}});
  return visits;
}

std::vector<CellRun> cells_of(const Plan& plan, std::optional<std::size_t> only) {
  std::vector<CellRun> cells;
  for (std::size_t i = 0; i < plan.workloads.size(); ++i) {
    if (only && *only != i) continue;
    for (const auto iodepth : plan.workloads[i].iodepths) cells.push_back({i, iodepth, 0});
  }
  return cells;
}

Block make_block(const Plan& plan, std::size_t drive, std::optional<std::size_t> workload,
                 std::uint32_t round) {
  const auto& planned = plan.drives[drive];
  Random random(Hash{}
                    .add("order")
                    .add(plan.seed)
                    .add(planned.drive.name)
                    .add(workload ? plan.workloads[*workload].name : std::string{})
                    .add(round)
                    .value());
  Block block;
  block.drive = drive;
  block.workload = workload;
  block.round = round;
  block.visits = arms_of(planned);
  random.shuffle(block.visits);
  auto cells = cells_of(plan, workload);
  random.shuffle(cells);
  for (std::size_t visit = 0; visit < block.visits.size(); ++visit) {
    block.visits[visit].cells = cells;
    for (auto& cell : block.visits[visit].cells)
      cell.seed = job_seed(plan.seed, planned.drive.name, plan.workloads[cell.workload].name,
                           cell.iodepth, round, visit);
  }
  return block;
}

}  // namespace

std::vector<Block> make_blocks(const Plan& plan) {
  std::vector<std::optional<std::size_t>> workloads;
  if (plan.measure.visit == scenario::VisitKind::all)
    workloads.emplace_back();
  else
    for (std::size_t i = 0; i < plan.workloads.size(); ++i) workloads.emplace_back(i);

  std::vector<Block> blocks;
  for (std::uint32_t round = 0; round < plan.measure.rounds; ++round)
    for (std::size_t drive = 0; drive < plan.drives.size(); ++drive)
      for (const auto& workload : workloads) {
        blocks.push_back(make_block(plan, drive, workload, round));
        blocks.back().index = blocks.size() - 1;
      }
  return blocks;
}

std::uint64_t job_seed(std::uint64_t seed, std::string_view drive, std::string_view workload,
                       std::uint32_t iodepth, std::uint32_t round, std::size_t visit) {
  const auto hash = Hash{}
                        .add("job")
                        .add(seed)
                        .add(drive)
                        .add(workload)
                        .add(iodepth)
                        .add(round)
                        .add(visit)
                        .value();
  return hash >> 11;
}

}  // namespace vmtax::plan
