#include "agent/session.hpp"

#include <utility>

#include <nlohmann/json.hpp>

#include "agent/facts.hpp"
#include "agent/settle.hpp"
#include "agent/sha256.hpp"
#include "agent/target.hpp"
#include "kernel/failures.hpp"
#include "protocol/version.hpp"

namespace vmtax::agent {
namespace {

using namespace protocol;

// A harness that doesn't read for so long is taken for gone; what it misses it can ask for again.
constexpr std::chrono::milliseconds write_limit{10'000};
constexpr std::chrono::seconds progress_interval{1};
// A guest's drivers still look for its disks when the first message comes.
constexpr std::chrono::seconds disk_limit{10};

}  // namespace

void Session::receive(std::string_view bytes) {
  decoder_.feed(bytes);
  while (const auto item = decoder_.next()) {
    if (const auto* fault = std::get_if<FrameFault>(&*item)) {
      send_error(0, "received " + std::string{to_text(*fault)});
      continue;
    }
    const auto decoded = decode(std::get<std::string>(*item));
    if (const auto* fault = std::get_if<MessageFault>(&decoded))
      send_error(fault->sequence, fault->reason);
    else
      answer(std::get<Message>(decoded));
  }
}

void Session::answer(const Message& message) {
  const auto sequence = message.sequence;
  try {
    if (std::holds_alternative<Ping>(message.body))
      send(sequence, Pong{});
    else if (const auto* hello = std::get_if<Hello>(&message.body))
      welcome(sequence, *hello);
    else if (const auto* asked = std::get_if<FactsAsked>(&message.body))
      send(sequence,
           FactsFound{collect_facts(path_of(asked->target))
                          .dump(-1, ' ', false, nlohmann::json::error_handler_t::replace)});
    else if (const auto* run = std::get_if<Run>(&message.body))
      start(sequence, run->job);
    else if (const auto* ack = std::get_if<Ack>(&message.body))
      acknowledge(sequence, ack->of);
    else if (const auto* again = std::get_if<Resend>(&message.body))
      resend(sequence, again->of);
    else if (const auto* asked_settle = std::get_if<Settle>(&message.body))
      settle_all(sequence, *asked_settle);
    else if (std::holds_alternative<PowerOff>(message.body) && is_guest_)
      power_off_asked_ = true;
    else if (std::holds_alternative<PowerOff>(message.body))
      send_error(sequence, "this agent is no guest: it powers nothing off");
    else if (!std::holds_alternative<Error>(message.body))  // errors answering errors never end
      send_error(sequence, "that message is for the harness");
  } catch (const std::exception& reason) {
    send_error(sequence, reason.what());
  }
}

std::string Session::path_of(const Target& target) const {
  if (is_guest_ && !target.serial.empty()) await_serial(target.serial, disk_limit);
  return resolve_target(target);
}

void Session::send(Sequence sequence, Body body) {
  port_.write(encode({sequence, std::move(body)}), write_limit);
}

void Session::send_error(Sequence sequence, std::string reason) {
  send(sequence, Error{std::move(reason)});
}

void Session::welcome(Sequence sequence, const Hello& hello) {
  if (hello.protocol_version != protocol_version)
    return send_error(sequence, "protocol version " + std::to_string(hello.protocol_version) +
                                    " is not spoken here: this agent " +
                                    std::string{agent_version} + " speaks " +
                                    std::to_string(protocol_version));
  if (sha256_.empty()) sha256_ = sha256_of_file("/proc/self/exe");
  send(sequence, Welcome{protocol_version, std::string{agent_version}, sha256_, kept_sequence_});
}

void Session::start(Sequence sequence, const IoJob& job) {
  if (job_) return send_error(sequence, "job " + std::to_string(job_sequence_) + " still runs");
  if (kept_sequence_)
    return send_error(sequence, "the result of job " + std::to_string(*kept_sequence_) +
                                    " is not acknowledged yet");
  if (auto why = why_invalid(job))
    return keep_and_send(sequence, IoFailure{std::move(*why), EINVAL, {}});
  std::string path;
  try {
    path = path_of(job.target);
  } catch (const kernel::Refused& refused) {
    return keep_and_send(sequence, IoFailure{refused.what(), refused.error_number, {}});
  }
  job_sequence_ = sequence;
  job_block_size_ = job.block_size;
  last_progress_ = std::chrono::steady_clock::now();
  job_ = std::make_unique<kernel::WatchedJob>(job, std::move(path));
}

void Session::acknowledge(Sequence sequence, std::uint64_t of) {
  if (kept_sequence_ != of)
    return send_error(sequence, "there is no result of job " + std::to_string(of));
  kept_sequence_.reset();
  kept_frame_.clear();
}

void Session::resend(Sequence sequence, std::uint64_t of) {
  if (kept_sequence_ == of)
    port_.write(kept_frame_, write_limit);
  else if (job_ && job_sequence_ == of)
    send_progress();  // the result is still to come
  else
    send_error(sequence, "there is no result of job " + std::to_string(of));
}

void Session::settle_all(Sequence sequence, const Settle& settle_asked) {
  if (job_) return send_error(sequence, "job " + std::to_string(job_sequence_) + " still runs");
  std::vector<std::string> paths;
  for (const auto& target : settle_asked.targets) paths.push_back(path_of(target));
  Settled settled;
  for (const auto& path : paths) settled.resident.push_back(settle(path));
  if (settle_asked.drop_caches) {
    drop_all_caches();
    for (std::size_t i = 0; i < paths.size(); ++i) settled.resident[i] = settle(paths[i]);
  }
  send(sequence, std::move(settled));
}

void Session::look_after_job() {
  if (!job_) return;
  if (auto end = job_->watch()) {
    job_.reset();
    keep_and_send(job_sequence_, std::move(end->outcome));
  } else if (std::chrono::steady_clock::now() - last_progress_ >= progress_interval) {
    send_progress();
  }
}

void Session::send_progress() {
  last_progress_ = std::chrono::steady_clock::now();
  const auto ios = job_->ios();
  send(job_sequence_, Progress{ios, job_block_size_ * ios, job_->since_start()});
}

void Session::keep_and_send(Sequence sequence, IoOutcome outcome) {
  kept_sequence_ = sequence;
  Message message;
  message.sequence = sequence;
  message.body.emplace<Result>().outcome = std::move(outcome);
  kept_frame_ = encode(message);
  port_.write(kept_frame_, write_limit);
}

}  // namespace vmtax::agent
