#include "run/guest_arm.hpp"

#include <nlohmann/json.hpp>

#include "base/errors.hpp"

namespace vmtax::run {

using namespace std::chrono_literals;

GuestArm::GuestArm(guest::Hypervisor& hypervisor, const guest::DomainSpec& spec, Place place,
                   HostAgent& housekeeper, const std::string& expected_sha256)
    : domain_(hypervisor.start(spec)),
      client_(domain_.channel()),
      serial_(spec.disk.serial),
      place_(std::move(place)),
      housekeeper_(housekeeper) {
  Hello hello;
  try {
    hello = client_.greet(Deadline("the guest's agent answers", 120s));
  } catch (const MeasurementError& failure) {
    throw MeasurementError(std::string{failure.what()} +
                           "; its console ends with: " + domain_.console());
  }
  if (hello.agent_sha256 != expected_sha256)
    throw MeasurementError("the guest runs another agent (SHA-256 " + hello.agent_sha256 +
                           ") than the host (" + expected_sha256 + ")");
}

protocol::IoOutcome GuestArm::run(const protocol::IoJob& job) {
  protocol::IoJob mine = job;
  mine.target = disk();
  return client_.run(mine);
}

Bytes GuestArm::settle() {
  client_.settle({disk()}, Deadline("the guest writes back and drops", 120s));
  // The guest first: what it writes back may land in the host's page cache.
  const auto settled = housekeeper_.client().settle(
      {{place_.path, {}}}, Deadline("the host writes back and drops", 120s));
  return settled.resident.at(0);
}

nlohmann::json GuestArm::facts() {
  return client_.facts(disk(), Deadline("the guest's agent tells facts", 20s));
}

void GuestArm::leave() {
  // Nothing is lost without an orderly shutdown: the guest has no file system, and ending QEMU
  // closes the image in order.
  domain_.end(Deadline("the guest ends", 0s));
}

}  // namespace vmtax::run
