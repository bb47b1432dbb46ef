#include "run/host_arm.hpp"

#include <nlohmann/json.hpp>

#include "base/errors.hpp"
#include "base/log.hpp"

namespace vmtax::run {

using namespace std::chrono_literals;

HostArm::HostArm(std::unique_ptr<HostAgent> agent, Place place)
    : agent_(std::move(agent)), place_(std::move(place)) {}

protocol::IoOutcome HostArm::run(const protocol::IoJob& job) {
  protocol::IoJob mine = job;
  mine.target.path = place_.path;
  return agent_->client().run(mine);
}

Bytes HostArm::settle() {
  const auto settled = agent_->client().settle({{place_.path, {}}},
                                               Deadline("the host writes back and drops", 120s));
  return settled.resident.at(0);
}

nlohmann::json HostArm::facts() {
  return agent_->client().facts({place_.path, {}}, Deadline("the host's agent tells facts", 10s));
}

void HostArm::leave() {
  try {
    agent_->end();
  } catch (const MeasurementError& failure) {
    // Gone it is, and its samples were taken: no reason to end the run.
    log::warning(failure.what());
  }
}

}  // namespace vmtax::run
