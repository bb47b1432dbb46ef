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

  const Hello& agent() const { return housekeeper_.hello(); }
  HostAgent& housekeeper() { return housekeeper_; }

 private:
  guest::Hypervisor& hypervisor_;
  GuestSetting setting_;
  Places places_;
  std::filesystem::path agent_;
  HostAgent housekeeper_;
  int guests_started_ = 0;
};

}  // namespace vmtax::run
