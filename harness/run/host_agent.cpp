#include "run/host_agent.hpp"

#include "base/errors.hpp"

namespace vmtax::run {

using namespace std::chrono_literals;

HostAgent::HostAgent(const std::filesystem::path& agent, const std::filesystem::path& log)
    : process_({agent.string(), "serve"}, log.string()), client_(process_.channel()) {
  hello_ = client_.greet(Deadline("the host's agent answers", 10s));
}

bool HostAgent::answers() {
  try {
    client_.greet(Deadline("the host's agent answers", 10s));
    return true;
  } catch (const MeasurementError&) {
    return false;
  }
}

void HostAgent::end() {
  const auto output = process_.close(Deadline("the host's agent ends", 10s));
  if (!output.ok())
    throw MeasurementError(
        output.signal ? "the host's agent was ended by signal " + std::to_string(output.signal)
                      : "the host's agent exited with " + std::to_string(output.exit_code));
}

}  // namespace vmtax::run
