// The real arms: agents on this machine and guests on its hypervisor.
#pragma once

#include "guest/hypervisor.hpp"
#include "run/arm.hpp"
#include "run/guest_setting.hpp"
#include "run/host_agent.hpp"
#include "run/place.hpp"

namespace vmtax::run {

class MachineArms : public ArmSource {
 public:
  /// `agent`: the one binary, used on both sides.
  MachineArms(guest::Hypervisor& hypervisor, GuestSetting setting, Places places,
              std::filesystem::path agent);

  std::unique_ptr<Arm> arrive(const plan::PlannedDrive& drive, const plan::Visit& visit) override;

  const Hello& agent() const { return agent_hello_; }
  /// The host's agent that drops pages while a guest measures. One that doesn't answer is replaced.
  HostAgent& housekeeper();

 private:
  std::unique_ptr<HostAgent> start_agent() const;

  guest::Hypervisor& hypervisor_;
  GuestSetting setting_;
  Places places_;
  std::filesystem::path agent_;
  std::unique_ptr<HostAgent> housekeeper_;
  Hello agent_hello_;
  int guests_started_ = 0;
};

}  // namespace vmtax::run
