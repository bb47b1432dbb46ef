#include "run/machine_arms.hpp"

#include <algorithm>

#include "base/errors.hpp"
#include "base/log.hpp"
#include "run/guest_arm.hpp"
#include "run/host_arm.hpp"

namespace vmtax::run {

MachineArms::MachineArms(guest::Hypervisor& hypervisor, GuestSetting setting, Places places,
                         std::filesystem::path agent)
    : hypervisor_(hypervisor),
      setting_(std::move(setting)),
      places_(std::move(places)),
      agent_(std::move(agent)),
      housekeeper_(std::make_unique<HostAgent>(agent_, setting_.logs / "agent.log")),
      agent_hello_(housekeeper_->hello()) {}

std::unique_ptr<HostAgent> MachineArms::start_agent() const {
  auto started = std::make_unique<HostAgent>(agent_, setting_.logs / "agent.log");
  if (started->hello().agent_sha256 != agent_hello_.agent_sha256)
    throw EnvironmentError("'" + agent_.string() +
                           "' was replaced during the run: put it back, then resume");
  return started;
}

HostAgent& MachineArms::housekeeper() {
  if (!housekeeper_->answers()) {
    log::warning("the host's agent that drops pages is lost; another one is started");
    housekeeper_ = start_agent();
  }
  return *housekeeper_;
}

std::unique_ptr<Arm> MachineArms::arrive(const plan::PlannedDrive& drive,
                                         const plan::Visit& visit) {
  const Place& place = places_.at({drive.drive.name, visit.footprint});
  if (visit.arm != plan::ArmKind::guest) return std::make_unique<HostArm>(start_agent(), place);
  const auto planned = std::ranges::find_if(drive.configurations, [&](const auto& candidate) {
    return candidate.configuration.name == visit.configuration;
  });
  const std::string name = "vmtax-" + setting_.run_id + "-" + std::to_string(++guests_started_);
  const auto spec = domain_spec(setting_, planned->configuration, place, name);
  return std::make_unique<GuestArm>(hypervisor_, spec, place, housekeeper(),
                                    agent_hello_.agent_sha256);
}

}  // namespace vmtax::run
