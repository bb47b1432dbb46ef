// How a planned configuration becomes a guest: the one place where words of the scenario turn into
// words of libvirt.
#pragma once

#include <filesystem>
#include <string>

#include "guest/accelerator.hpp"
#include "guest/domain_spec.hpp"
#include "guest/micro_image.hpp"
#include "plan/plan.hpp"
#include "run/place.hpp"
#include "scenario/scenario.hpp"

namespace vmtax::run {

/// What all guests of a run share.
struct GuestSetting {
  std::string run_id;
  scenario::Guest guest;
  guest::Accelerator accelerator = guest::Accelerator::tcg;
  std::filesystem::path emulator;
  guest::MicroImage image;
  std::filesystem::path logs;  ///< consoles are kept here
};

/// The serial by which the guest finds the disk under test.
std::string disk_serial(const std::string& run_id);

guest::DiskSpec disk_spec(const scenario::Configuration& configuration, const Place& place,
                          const std::string& run_id);

/// Pure. `name` must be unique on the connection; the console log is named after it.
guest::DomainSpec domain_spec(const GuestSetting& setting,
                              const scenario::Configuration& configuration, const Place& place,
                              const std::string& name);

}  // namespace vmtax::run
