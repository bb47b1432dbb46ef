#include "run/provision.hpp"

#include <algorithm>
#include <set>

#include "base/errors.hpp"
#include "base/interrupt.hpp"
#include "base/log.hpp"
#include "drive/guard.hpp"
#include "drive/regions.hpp"
#include "drive/stand_in.hpp"

namespace vmtax::run {
namespace {

// A footprint's or region's name as one component of a path.
std::string file_name(std::string name) {
  std::ranges::replace(name, '/', '-');
  return name;
}

drive::GuardedDrive guarded(const plan::PlannedDrive& planned, const std::filesystem::path& mounts,
                            journal::Journal& journal) {
  drive::GuardedDrive result;
  result.size = planned.facts.size;
  if (const auto* device = std::get_if<scenario::DevicePath>(&planned.drive.where)) {
    result.path = device->path;
    result.erase = device->erase;
    return result;
  }
  const auto& stand_in = std::get<scenario::StandIn>(planned.drive.where);
  drive::StandInSpec spec;
  spec.directory = stand_in.directory;
  spec.size = stand_in.size;
  if (stand_in.throttle) {
    spec.cap_iops = stand_in.throttle->iops;
    spec.cap_bandwidth_per_second = stand_in.throttle->bandwidth_per_second;
  }
  spec.id = journal.run_id() + "-" + file_name(mounts.filename());
  result.path = drive::make_stand_in(spec, journal);
  result.made_by_this_run = true;
  return result;
}

void make_image(const plan::Footprint& footprint, const std::filesystem::path& path,
                journal::Journal& journal) {
  drive::ImageSpec spec;
  spec.path = path;
  spec.format = scenario::to_text(footprint.backing);
  spec.size = footprint.size;
  spec.preallocation = scenario::to_text(footprint.image.preallocation);
  spec.cluster_size = footprint.image.cluster_size;
  spec.extended_l2 = footprint.image.extended_l2;
  spec.lazy_refcounts = footprint.image.lazy_refcounts;
  drive::make_image(spec, journal);
}

// A drive without consent: as it is, opened for reading only, and nothing is made on it.
drive::DeviceFacts adopt_read_only(const plan::PlannedDrive& planned, Places& places) {
  const auto& path = std::get<scenario::DevicePath>(planned.drive.where).path;
  const auto facts = drive::inspect(path);
  for (const auto& footprint : planned.footprints) {
    Place place;
    place.path = path;
    place.is_block_device = true;
    place.read_only = true;
    place.format = "raw";
    place.logical_sector = facts.logical_sector;
    place.physical_sector = facts.physical_sector;
    places[{planned.drive.name, footprint.name}] = place;
  }
  return facts;
}

// `mounts` is named after the drive and is its own.
drive::DeviceFacts provision_drive(const plan::PlannedDrive& planned,
                                   const std::filesystem::path& mounts, journal::Journal& journal,
                                   Places& places) {
  const auto drive = guarded(planned, mounts, journal);
  const auto facts = drive::inspect(drive.path);
  std::vector<drive::Slice> slices;
  for (const auto& region : planned.regions)
    slices.push_back({region.name, region.offset, region.size});
  const auto partitions = drive::make_partitions(drive, slices, journal);
  for (std::size_t i = 0; i < planned.regions.size(); ++i) {
    interrupt::check();
    const auto& region = planned.regions[i];
    const auto mountpoint = mounts / region.name;
    if (region.filesystem)
      drive::make_filesystem(partitions[i], std::string{scenario::to_text(*region.filesystem)},
                             mountpoint, journal);
    for (const auto& footprint : planned.footprints) {
      if (footprint.region != region.name) continue;
      Place place;
      place.logical_sector = facts.logical_sector;
      place.physical_sector = facts.physical_sector;
      place.is_block_device = !region.filesystem;
      place.format = region.filesystem ? scenario::to_text(footprint.backing) : "raw";
      place.path = region.filesystem ? mountpoint / file_name(footprint.name) : partitions[i];
      if (region.filesystem) make_image(footprint, place.path, journal);
      places[{planned.drive.name, footprint.name}] = place;
    }
  }
  return facts;
}

protocol::IoJob fill_job(const plan::PlannedDrive& drive, std::uint64_t seed) {
  protocol::IoJob job;
  job.span = drive.span;
  job.pattern = protocol::Pattern::write;
  job.block_size = mib(1);
  job.iodepth = 4;
  job.seed = seed;
  job.amount = drive.span;
  return job;
}

// The visit that fills a footprint: a host arm, or for a format with a map a guest of the first
// configuration stored there.
plan::Visit filling_visit(const plan::PlannedDrive& drive, const plan::Footprint& footprint) {
  plan::Visit visit;
  visit.footprint = footprint.name;
  if (footprint.backing != scenario::Backing::qcow2) {
    visit.arm = footprint.backing == scenario::Backing::passthrough ? plan::ArmKind::bare
                                                                    : plan::ArmKind::backing;
    return visit;
  }
  visit.arm = plan::ArmKind::guest;
  const auto stored_there = std::ranges::find(drive.configurations, footprint.name,
                                              &plan::PlannedConfiguration::footprint);
  visit.configuration = stored_there->configuration.name;
  return visit;
}

}  // namespace

std::string describe(const UnseenDrives& unseen) {
  std::string line;
  for (const auto& [name, reason] : unseen)
    line += (line.empty() ? "drive " : "; drive ") + name + ": " + reason;
  return line;
}

DriveSurvey survey_drives(const scenario::Scenario& scenario) {
  DriveSurvey survey;
  for (const auto& drive : scenario.drives) {
    if (const auto* stand_in = std::get_if<scenario::StandIn>(&drive.where)) {
      survey.facts[drive.name] = {stand_in->size, Bytes{512}};
      continue;
    }
    try {
      const auto seen = drive::inspect(std::get<scenario::DevicePath>(drive.where).path);
      survey.facts[drive.name] = {seen.size, seen.logical_sector};
    } catch (const EnvironmentError& reason) {
      survey.unseen[drive.name] = reason.what();
    }
  }
  return survey;
}

Provisioned provision(const plan::Plan& plan, const std::filesystem::path& mounts,
                      journal::Journal& journal) {
  Provisioned result;
  for (std::size_t i = 0; i < plan.drives.size(); ++i) {
    interrupt::check();
    const auto& planned = plan.drives[i];
    log::info("preparing drive " + planned.drive.name);
    // By number: a drive's name may be anything, a path's component may not.
    const auto own_mounts = mounts / ("drive" + std::to_string(i));
    try {
      result.devices[planned.drive.name] =
          planned.writable ? provision_drive(planned, own_mounts, journal, result.places)
                           : adopt_read_only(planned, result.places);
    } catch (const EnvironmentError& error) {
      throw EnvironmentError("drive " + planned.drive.name + ": " + error.what());
    }
  }
  return result;
}

void fill(const plan::Plan& plan, ArmSource& arms) {
  for (plan::PlannedDrive drive : plan.drives) {
    if (!drive.writable) continue;
    // A cap belongs to what is measured, not to what prepares it.
    for (auto& planned : drive.configurations) planned.configuration.iotune.clear();
    for (const auto& footprint : drive.footprints) {
      interrupt::check();
      log::info("filling " + format_bytes(drive.span) + " of " + drive.drive.name + " " +
                footprint.name);
      const std::string what = "drive " + drive.drive.name + ", filling " + footprint.name + ": ";
      try {
        const auto arm = arms.arrive(drive, filling_visit(drive, footprint));
        const auto outcome = arm->run(
            fill_job(drive, plan::job_seed(plan.seed, drive.drive.name, footprint.name, 0, 0, 0)));
        if (const auto* failure = std::get_if<protocol::IoFailure>(&outcome))
          throw EnvironmentError(what + failure->reason);
        arm->settle();
        arm->leave();
      } catch (const MeasurementError& failure) {
        interrupt::check();
        throw EnvironmentError(what + failure.what());
      }
    }
  }
}

}  // namespace vmtax::run
