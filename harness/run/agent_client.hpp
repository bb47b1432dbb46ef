// The harness's end of the protocol: speaks to one agent over a ByteChannel, on the host or in a guest.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "base/byte_channel.hpp"
#include "protocol/io_job.hpp"
#include "protocol/io_result.hpp"

namespace vmtax::run {

struct Hello {
  std::string version;
  std::string agent_sha256;
};

/// What is left in the page cache after a settle, by target in the order asked.
struct Settled {
  std::vector<Bytes> resident;
};

/// Every call throws MeasurementError with its deadline's name when no answer comes, or with the agent's
/// own words; Interrupted when a stop is asked.
class AgentClient {
 public:
  explicit AgentClient(ByteChannel& channel);

  /// Pings until the agent answers, then shakes hands; refuses another protocol version.
  Hello greet(const Deadline& deadline);

  /// kernel, clocksource, queue limits of `target`, ...
  nlohmann::json facts(const protocol::Target& target, const Deadline& deadline);

  /// Runs one job and acknowledges its result. A job that fails in the agent is an IoFailure. The
  /// deadline is derived from the job (a fill has none but progress: some within 60 s).
  protocol::IoOutcome run(const protocol::IoJob& job);

  /// Writes back, drops the pages of the targets and counts what is still resident.
  Settled settle(const std::vector<protocol::Target>& targets, const Deadline& deadline);

  /// Asks a guest's agent to power off; no answer is awaited.
  void power_off();

 private:
  struct Exchange;
  ByteChannel& channel_;
  std::string received_;
  std::uint64_t sequence_ = 0;
};

}  // namespace vmtax::run
