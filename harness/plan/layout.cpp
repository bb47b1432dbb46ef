#include "plan/layout.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/errors.hpp"
#include "plan/room.hpp"

namespace vmtax::plan {
namespace {

using scenario::Backing;
using scenario::Configuration;
using scenario::Filesystem;

// A GPT lies at both ends; regions begin and end on whole units.
constexpr Bytes unit = mib(1);
constexpr Bytes table_reserve = mib(1);
constexpr Bytes largest_drive = Bytes{std::uint64_t{1} << 60};

std::string region_of(const Configuration& configuration) {
  return configuration.filesystem ? std::string{to_text(*configuration.filesystem)} : "bare";
}

std::string footprint_name(const Configuration& configuration) {
  if (configuration.backing == Backing::passthrough) return "bare";
  const auto& image = configuration.image;
  std::string name = fmt::format("{}/{}", region_of(configuration), to_text(configuration.backing));
  if (image.preallocation != scenario::Preallocation::off)
    name += fmt::format("-{}", to_text(image.preallocation));
  if (image.cluster_size) name += "-" + format_bytes(*image.cluster_size);
  if (image.extended_l2) name += *image.extended_l2 ? "-extended_l2" : "-plain_l2";
  if (image.lazy_refcounts) name += *image.lazy_refcounts ? "-lazy" : "-eager";
  return name;
}

std::vector<Footprint> footprints_of(const std::vector<Configuration>& configurations) {
  std::vector<Footprint> all{{"bare", "bare", Backing::passthrough, {}, {}}};
  for (const auto& configuration : configurations) {
    const auto name = footprint_name(configuration);
    if (std::ranges::find(all, name, &Footprint::name) == all.end())
      all.push_back(
          {name, region_of(configuration), configuration.backing, configuration.image, {}});
  }
  return all;
}

std::vector<Filesystem> filesystems_of(const std::vector<Configuration>& configurations) {
  std::vector<Filesystem> all;
  for (const auto& configuration : configurations)
    if (configuration.filesystem && std::ranges::find(all, *configuration.filesystem) == all.end())
      all.push_back(*configuration.filesystem);
  return all;
}

// What must share a drive, whatever its size.
struct Demand {
  std::vector<Footprint> footprints;
  std::vector<Filesystem> filesystems;
  bool writable = true;

  Bytes region_size(Bytes drive) const {
    if (!writable) return round_down(drive, unit);
    if (drive <= table_reserve * 2) return {};
    return round_down((drive - table_reserve * 2) / (1 + filesystems.size()), unit);
  }

  bool fits(Bytes drive, Bytes span) const {
    const Bytes region = region_size(drive);
    if (span > region) return false;
    return std::ranges::all_of(filesystems, [&](Filesystem filesystem) {
      Bytes needed;
      for (const auto& footprint : footprints)
        if (footprint.region == to_text(filesystem))
          needed = needed + image_size(footprint.backing, footprint.image, span);
      return needed <= room_in(filesystem, region);
    });
  }

  // Whole units up to `most`; both grow monotonically with what is sought.
  Bytes largest_span(Bytes drive) const {
    std::uint64_t fitting = 0, too_large = region_size(drive).value / unit.value + 1;
    while (too_large - fitting > 1) {
      const auto middle = fitting + (too_large - fitting) / 2;
      (fits(drive, unit * middle) ? fitting : too_large) = middle;
    }
    return unit * fitting;
  }

  Bytes smallest_drive(Bytes span) const {
    std::uint64_t too_small = 0, fitting = largest_drive.value / unit.value;
    while (fitting - too_small > 1) {
      const auto middle = too_small + (fitting - too_small) / 2;
      (fits(unit * middle, span) ? fitting : too_small) = middle;
    }
    return unit * fitting;
  }
};

[[noreturn]] void fail(const scenario::Mark& mark, const std::string& what,
                       const std::string& allowed) {
  throw ScenarioError(fmt::format("{}{}; allowed: {}", mark.prefix(), what, allowed));
}

Bytes choose_span(const scenario::Drive& drive, const DriveFacts& facts, const Demand& demand) {
  const Bytes largest = demand.largest_span(facts.size);
  if (drive.span && *drive.span <= largest) return *drive.span;
  const Bytes wanted = drive.span.value_or(unit);
  const Bytes needed = demand.smallest_drive(wanted);
  if (largest.value == 0)
    fail(drive.mark,
         fmt::format("drive '{}' of {} is too small for its {} regions", drive.name,
                     format_bytes(facts.size), 1 + demand.filesystems.size()),
         fmt::format("at least {} for a span of {}", format_bytes(needed), format_bytes(wanted)));
  if (!drive.span) return largest;
  fail(drive.mark,
       fmt::format("drive '{}' of {} has no room for a span of {} in its {} regions", drive.name,
                   format_bytes(facts.size), format_bytes(wanted), 1 + demand.filesystems.size()),
       fmt::format("a drive of at least {}, or a span up to {}", format_bytes(needed),
                   format_bytes(largest)));
}

std::vector<Region> regions_of(const Demand& demand, Bytes drive) {
  const Bytes size = demand.region_size(drive);
  Bytes offset = demand.writable ? table_reserve : Bytes{};
  std::vector<Region> regions{{"bare", RegionKind::bare, {}, offset, size}};
  for (const auto filesystem : demand.filesystems) {
    offset = offset + size;
    regions.push_back(
        {std::string{to_text(filesystem)}, RegionKind::filesystem, filesystem, offset, size});
  }
  return regions;
}

void check_disks(const std::vector<Configuration>& configurations, const DriveFacts& facts,
                 Bytes span) {
  for (const auto& configuration : configurations) {
    if (configuration.bus == scenario::Bus::sata && facts.logical_sector > Bytes{512})
      fail(configuration.mark,
           fmt::format("bus sata of configuration '{}' can't carry a drive with sectors of {}",
                       configuration.name, format_bytes(facts.logical_sector)),
           "bus virtio or scsi for such a drive");
    const Bytes largest = largest_disk(configuration.backing, configuration.image);
    if (span > largest)
      fail(configuration.mark,
           fmt::format("the span of {} is larger than configuration '{}' can hold",
                       format_bytes(span), configuration.name),
           fmt::format("up to {} with this cluster_size", format_bytes(largest)));
  }
}

}  // namespace

PlannedDrive lay_out(const scenario::Drive& drive, const DriveFacts& facts,
                     const std::vector<Configuration>& configurations) {
  const auto* device = std::get_if<scenario::DevicePath>(&drive.where);
  Demand demand{footprints_of(configurations), filesystems_of(configurations),
                !device || device->erase.has_value()};
  PlannedDrive planned;
  planned.drive = drive;
  planned.facts = facts;
  planned.writable = demand.writable;
  planned.span = choose_span(drive, facts, demand);
  planned.regions = regions_of(demand, facts.size);
  planned.footprints = demand.footprints;
  for (auto& footprint : planned.footprints)
    footprint.size =
        footprint.backing == Backing::passthrough ? planned.regions.front().size : planned.span;
  for (const auto& configuration : configurations)
    planned.configurations.push_back({configuration, footprint_name(configuration)});
  check_disks(configurations, facts, planned.span);
  return planned;
}

}  // namespace vmtax::plan
