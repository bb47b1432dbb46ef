// What one serving agent knows: the running job, the kept result, and the answer to each message.
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>

#include "agent/port.hpp"
#include "kernel/watched_job.hpp"
#include "protocol/frame.hpp"
#include "protocol/message.hpp"

namespace vmtax::agent {

class Session {
 public:
  Session(Port& port, bool is_guest) : port_(port), is_guest_(is_guest) {}

  /// Takes what the harness sent and answers every frame in it.
  void receive(std::string_view bytes);
  /// The harness is gone: what it had begun to send is void.
  void forget_partial_frame() { decoder_ = {}; }
  /// Sends progress when it is due and the result at the job's end.
  void look_after_job();

  int job_fd() const { return job_ ? job_->done_fd() : -1; }
  bool running() const { return job_ != nullptr; }
  bool power_off_asked() const { return power_off_asked_; }

 private:
  using Sequence = std::uint64_t;

  void answer(const protocol::Message& message);
  std::string path_of(const protocol::Target& target) const;
  void send(Sequence sequence, protocol::Body body);
  void send_error(Sequence sequence, std::string reason);

  void welcome(Sequence sequence, const protocol::Hello& hello);
  void start(Sequence sequence, const protocol::IoJob& job);
  void acknowledge(Sequence sequence, std::uint64_t of);
  void resend(Sequence sequence, std::uint64_t of);
  void settle_all(Sequence sequence, const protocol::Settle& settle);
  void send_progress();
  void keep_and_send(Sequence sequence, protocol::IoOutcome outcome);

  Port& port_;
  bool is_guest_;
  bool power_off_asked_ = false;
  protocol::FrameDecoder decoder_;
  std::unique_ptr<kernel::WatchedJob> job_;
  Sequence job_sequence_ = 0;
  std::chrono::steady_clock::time_point last_progress_;
  std::optional<Sequence> kept_sequence_;
  std::string kept_frame_;
  std::string sha256_;
  Bytes job_block_size_;
};

}  // namespace vmtax::agent
