// An arm on the host: an agent of its own on a partition (bare) or on an image file (backing).
#pragma once

#include "run/arm.hpp"
#include "run/host_agent.hpp"
#include "run/place.hpp"

namespace vmtax::run {

class HostArm : public Arm {
 public:
  HostArm(std::unique_ptr<HostAgent> agent, Place place);

  protocol::IoOutcome run(const protocol::IoJob& job) override;
  Bytes settle() override;
  nlohmann::json facts() override;
  void leave() override;

 private:
  std::unique_ptr<HostAgent> agent_;
  Place place_;
};

}  // namespace vmtax::run
