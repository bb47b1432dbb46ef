// The harness's end of the protocol: speaks to one agent over a ByteChannel, on the host or in a
// guest.
#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "base/byte_channel.hpp"
#include "protocol/frame.hpp"
#include "protocol/io_job.hpp"
#include "protocol/io_result.hpp"
#include "protocol/message.hpp"

namespace vmtax::run {

struct Hello {
  std::string version;
  std::string agent_sha256;
};

/// What is left in the page cache after a settle, by target in the order asked.
struct Settled {
  std::vector<Bytes> resident;
};

/// Every call throws MeasurementError with its deadline's name when no answer comes, or with the
/// agent's own words; Interrupted when a stop is asked.
class AgentClient {
 public:
  /// A job with an amount has no end by the clock: it must show progress within `standstill`.
  explicit AgentClient(ByteChannel& channel,
                       std::chrono::milliseconds standstill = std::chrono::seconds{60});

  /// Pings until the agent answers, then shakes hands; refuses another protocol version. What lies
  /// in the channel before the first answer (a console's noise, old answers) is passed over; a
  /// result that an earlier harness never took is thrown away.
  Hello greet(const Deadline& deadline);

  /// kernel, clocksource, queue limits of `target`, ...
  nlohmann::json facts(const protocol::Target& target, const Deadline& deadline);

  /// Runs one job and acknowledges its result. A job that fails in the agent is an IoFailure. The
  /// deadline is derived from the job: ramp, runtime and `standstill`. A damaged answer is asked
  /// for again once.
  protocol::IoOutcome run(const protocol::IoJob& job);

  /// Writes back, drops the pages of the targets and counts what is still resident. `drop_caches`:
  /// also every clean page of the agent's machine.
  Settled settle(const std::vector<protocol::Target>& targets, const Deadline& deadline,
                 bool drop_caches = false);

  /// Asks a guest's agent to power off; no answer is awaited.
  void power_off();

 private:
  std::uint64_t send(protocol::Body body, const Deadline& deadline);
  protocol::FrameDecoder::Item next_item(const Deadline& deadline);
  std::optional<protocol::Body> next_answer(std::uint64_t sequence, const Deadline& deadline);
  template <class Answer>
  Answer await(std::uint64_t sequence, const Deadline& deadline);
  bool ping(const Deadline& deadline);

  ByteChannel& channel_;
  std::chrono::milliseconds standstill_;
  protocol::FrameDecoder decoder_;
  std::uint64_t sequence_ = 0;
};

}  // namespace vmtax::run
