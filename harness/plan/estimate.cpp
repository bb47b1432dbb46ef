#include "plan/estimate.hpp"

#include <chrono>

namespace vmtax::plan {
namespace {

using namespace std::chrono_literals;

// Seen on a 2-core machine without KVM (2.8 s a boot, 90 ms between cells), with some reserve: a
// run that ends early pleases, one that ends late does not.
constexpr Nanoseconds boot = 3500ms;         // domain created, kernel, the agent's first answer
constexpr Nanoseconds guest_leaves = 500ms;  // power-off, and verified gone
constexpr Nanoseconds host_arm = 200ms;      // agent started and ended
constexpr Nanoseconds settling = 150ms;  // after each cell: write back, drop, count; and transport
constexpr Nanoseconds first_guest = 4s;  // a new libvirt root probes QEMU once
constexpr Nanoseconds region = 2s;       // partition, mkfs, mount; and their removal
constexpr double fill_rate = 300e6;      // bytes per second, host and guest

Nanoseconds fill_time(Bytes bytes) {
  return std::chrono::round<Nanoseconds>(
      std::chrono::duration<double>(static_cast<double>(bytes.value) / fill_rate));
}

}  // namespace

Estimate estimate(const Plan& plan) {
  Estimate sum;
  const Nanoseconds cell = plan.measure.ramp + plan.measure.runtime;
  for (const auto& block : plan.blocks) {
    for (const auto& visit : block.visits) {
      const auto cells = static_cast<std::int64_t>(visit.cells.size());
      const bool guest = visit.arm == ArmKind::guest;
      sum.samples += visit.cells.size();
      sum.boots += guest ? 1 : 0;
      sum.measuring += cell * cells;
      sum.total += (cell + settling) * cells + (guest ? boot + guest_leaves : host_arm);
    }
  }
  for (const auto& drive : plan.drives) {
    if (!drive.writable) continue;
    sum.total += region * static_cast<std::int64_t>(drive.regions.size());
    for (const auto& footprint : drive.footprints) {
      const bool by_guest = footprint.backing == scenario::Backing::qcow2;
      sum.filled = sum.filled + drive.span;
      sum.boots += by_guest ? 1 : 0;
      sum.total += fill_time(drive.span) + (by_guest ? boot + guest_leaves : host_arm);
    }
  }
  sum.total += first_guest;
  return sum;
}

}  // namespace vmtax::plan
