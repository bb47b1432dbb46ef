#include "run/agent_client.hpp"

#include <array>
#include <utility>

#include <nlohmann/json.hpp>

#include "base/errors.hpp"
#include "protocol/version.hpp"

namespace vmtax::run {
namespace {

using namespace protocol;

constexpr std::chrono::milliseconds ping_interval{1000};
constexpr std::chrono::milliseconds short_write{10'000};

Deadline write_deadline() {
  return {"the agent takes a message", short_write};
}

// What an answer to a request says when it isn't the one that was asked for.
[[noreturn]] void refuse(const Body& body) {
  if (const auto* error = std::get_if<Error>(&body))
    throw MeasurementError{"the agent says: " + error->reason};
  throw MeasurementError{"the agent's answer is of another kind than the question"};
}

}  // namespace

AgentClient::AgentClient(ByteChannel& channel, std::chrono::milliseconds standstill)
    : channel_(channel), standstill_(standstill) {}

std::uint64_t AgentClient::send(Body body, const Deadline& deadline) {
  const auto sequence = ++sequence_;
  channel_.write_all(encode({sequence, std::move(body)}), deadline);
  return sequence;
}

FrameDecoder::Item AgentClient::next_item(const Deadline& deadline) {
  for (;;) {
    if (auto item = decoder_.next()) return std::move(*item);
    std::array<char, 65536> chunk;
    const auto got = channel_.read_some(chunk, deadline);
    if (got == 0) throw MeasurementError{deadline.name() + ": the agent closed the channel"};
    decoder_.feed({chunk.data(), got});
  }
}

// The next message that answers `sequence`, or nothing for a line that can't be read. Answers to
// questions that are over (late pongs, a job's last progress) are passed over, as is what the agent
// could not read: the caller's deadline or resend covers it.
std::optional<Body> AgentClient::next_answer(std::uint64_t sequence, const Deadline& deadline) {
  for (;;) {
    const auto item = next_item(deadline);
    const auto* payload = std::get_if<std::string>(&item);
    if (!payload) return std::nullopt;
    auto decoded = decode(*payload);
    auto* message = std::get_if<Message>(&decoded);
    if (!message) return std::nullopt;
    if (message->sequence == sequence) return std::move(message->body);
    if (message->sequence == 0) refuse(message->body);
  }
}

template <class Answer>
Answer AgentClient::await(std::uint64_t sequence, const Deadline& deadline) {
  auto body = next_answer(sequence, deadline);
  if (!body) throw MeasurementError{deadline.name() + ": the agent's answer arrived damaged"};
  if (auto* answer = std::get_if<Answer>(&*body)) return std::move(*answer);
  refuse(*body);
}

bool AgentClient::ping(const Deadline& deadline) {
  const auto sequence = send(Ping{}, deadline);
  const Deadline once{"the agent answers a ping", std::min(ping_interval, deadline.left())};
  try {
    for (;;) {
      const auto item = next_item(once);
      const auto* payload = std::get_if<std::string>(&item);
      if (!payload) continue;
      const auto decoded = decode(*payload);
      const auto* message = std::get_if<Message>(&decoded);
      if (message && message->sequence == sequence && std::holds_alternative<Pong>(message->body))
        return true;
    }
  } catch (const MeasurementError&) {
    if (!once.passed()) throw;  // not this ping's deadline, but an end of the channel
    return false;
  }
}

Hello AgentClient::greet(const Deadline& deadline) {
  // Ends whatever half line an earlier harness or a console has left at the agent's end.
  channel_.write_all("\n", deadline);
  while (!ping(deadline))
    if (deadline.passed()) throw MeasurementError{deadline.missed()};
  const auto sequence = send(protocol::Hello{protocol_version}, deadline);
  const auto welcome = await<Welcome>(sequence, deadline);
  if (welcome.protocol_version != protocol_version)
    throw MeasurementError{"the agent speaks protocol version " +
                           std::to_string(welcome.protocol_version) + ", this is " +
                           std::to_string(protocol_version)};
  if (welcome.kept_result) send(Ack{*welcome.kept_result}, deadline);
  return {welcome.agent_version, welcome.agent_sha256};
}

nlohmann::json AgentClient::facts(const Target& target, const Deadline& deadline) {
  const auto sequence = send(FactsAsked{target}, deadline);
  return nlohmann::json::parse(await<FactsFound>(sequence, deadline).json);
}

IoOutcome AgentClient::run(const IoJob& job) {
  const auto sequence = send(Run{job}, write_deadline());
  const auto planned = std::chrono::ceil<std::chrono::milliseconds>(job.ramp + job.runtime);
  Deadline deadline{"the job ends", planned + standstill_};
  std::uint64_t moved = 0;
  bool damaged = false;
  for (;;) {
    const auto body = next_answer(sequence, deadline);
    if (!body) {
      if (std::exchange(damaged, true)) {
        send(Ack{sequence}, write_deadline());  // given up: it must not bar the next job
        throw MeasurementError{"the job's answers arrived damaged twice"};
      }
      send(Resend{sequence}, write_deadline());
    } else if (const auto* progress = std::get_if<Progress>(&*body)) {
      damaged = false;
      if (job.amount && progress->ios != std::exchange(moved, progress->ios))
        deadline = Deadline{"the job moves on", standstill_};
    } else if (const auto* result = std::get_if<Result>(&*body)) {
      send(Ack{sequence}, write_deadline());
      return result->outcome;
    } else {
      refuse(*body);
    }
  }
}

Settled AgentClient::settle(const std::vector<Target>& targets, const Deadline& deadline,
                            bool drop_caches) {
  const auto sequence = send(Settle{targets, drop_caches}, deadline);
  auto settled = await<protocol::Settled>(sequence, deadline);
  if (settled.resident.size() != targets.size())
    throw MeasurementError{"the agent settled " + std::to_string(settled.resident.size()) + " of " +
                           std::to_string(targets.size()) + " targets"};
  return {std::move(settled.resident)};
}

void AgentClient::power_off() {
  send(PowerOff{}, write_deadline());
}

}  // namespace vmtax::run
