// An arm in a guest: boots it, speaks to the agent in it, and ends it.
#pragma once

#include "guest/hypervisor.hpp"
#include "run/arm.hpp"
#include "run/host_agent.hpp"
#include "run/place.hpp"

namespace vmtax::run {

class GuestArm : public Arm {
 public:
  /// Boots and shakes hands. `expected_sha256`: of the host's agent; another binary in the guest is
  /// refused. `housekeeper`: drops the host's pages of the disk. MeasurementError with the
  /// console's last lines when the guest does not answer.
  GuestArm(guest::Hypervisor& hypervisor, const guest::DomainSpec& spec, Place place,
           HostAgent& housekeeper, const std::string& expected_sha256);

  protocol::IoOutcome run(const protocol::IoJob& job) override;
  Bytes settle() override;
  nlohmann::json facts() override;
  void leave() override;

 private:
  protocol::Target disk() const { return {{}, serial_}; }

  guest::Domain domain_;
  AgentClient client_;
  std::string serial_;
  Place place_;
  HostAgent& housekeeper_;
};

}  // namespace vmtax::run
