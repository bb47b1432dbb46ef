// Makes what a plan needs on the host: drives, regions, file systems, images; and fills it.
#pragma once

#include <filesystem>
#include <map>
#include <string>

#include "drive/inspect.hpp"
#include "journal/journal.hpp"
#include "plan/plan.hpp"
#include "run/arm.hpp"
#include "run/place.hpp"

namespace vmtax::run {

struct Provisioned {
  Places places;
  std::map<std::string, drive::DeviceFacts> devices;  ///< by drive name
};

/// What the plan must know of each drive of the scenario: of a stand-in from the scenario, of a
/// device by looking at it (nothing is written).
/// Drives that can't be planned for, by name, each with the reason: absent, or no block device.
using UnseenDrives = std::map<std::string, std::string>;
/// All of them in one line.
std::string describe(const UnseenDrives& unseen);

struct DriveSurvey {
  std::map<std::string, plan::DriveFacts> facts;
  UnseenDrives unseen;
};

/// Looks at every drive of the scenario; each is in one of the two.
DriveSurvey survey_drives(const scenario::Scenario& scenario);

/// Makes everything, each thing journalled first. `mounts`: an existing directory of the run for
/// its mount points. EnvironmentError as the drive folder says; Interrupted between steps.
Provisioned provision(const plan::Plan& plan, const std::filesystem::path& mounts,
                      journal::Journal& journal);

/// Writes the whole span of every footprint once with random data, through the host where the bytes
/// are the disk's own (partition, raw file), through a guest where the format has a map (qcow2), so
/// that no read is ever answered from nothing. EnvironmentError when a fill fails.
void fill(const plan::Plan& plan, ArmSource& arms);

}  // namespace vmtax::run
