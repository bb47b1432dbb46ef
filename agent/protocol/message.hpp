// The messages between harness and agent. Every request has a sequence number that its answers
// carry.
//
//   ping -> pong            readiness
//   hello -> welcome        versions and the agent's SHA-256; another protocol version is an error
//   facts -> facts_found    what is true on the agent's side
//   run -> progress* result the result is kept until its ack, and sent again on `resend`; while one
//   is
//                           kept no other job is run, and `welcome` names it to a new harness
//   settle -> settled       write back, drop pages, count what stayed
//   power_off               of a guest; no answer
//   anything -> error       in one clause; sequence 0 where the request can't be told
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "protocol/io_job.hpp"
#include "protocol/io_result.hpp"

namespace vmtax::protocol {

struct Ping {};
struct Pong {};
struct Hello {
  std::uint64_t protocol_version = 0;
};
struct Welcome {
  std::uint64_t protocol_version = 0;
  std::string agent_version;
  std::string agent_sha256;
  std::optional<std::uint64_t> kept_result;  ///< sequence of a result nobody acknowledged
};
struct FactsAsked {
  Target target;
};
struct FactsFound {
  std::string json;  ///< an object
};
struct Run {
  IoJob job;
};
/// At most one a second.
struct Progress {
  std::uint64_t ios = 0;
  Bytes bytes;
  Nanoseconds since_start{0};
};
struct Result {
  IoOutcome outcome;
};
struct Ack {
  std::uint64_t of = 0;
};
struct Resend {
  std::uint64_t of = 0;
};
struct Settle {
  std::vector<Target> targets;
  bool drop_caches = false;  ///< also all clean pages, dentries and inodes of the machine
};
struct Settled {
  std::vector<Bytes> resident;  ///< in the order of the targets
};
struct PowerOff {};
struct Error {
  std::string reason;
};

using Body = std::variant<Ping, Pong, Hello, Welcome, FactsAsked, FactsFound, Run, Progress, Result,
                          Ack, Resend, Settle, Settled, PowerOff, Error>;

struct Message {
  std::uint64_t sequence = 0;
  Body body;
};

/// The message as one frame, ready to be written.
std::string encode(const Message& message);

/// What a payload can't be read as.
struct MessageFault {
  std::uint64_t sequence = 0;  ///< 0 when even that can't be read
  std::string reason;
};

/// Never throws on any payload.
std::variant<Message, MessageFault> decode(std::string_view payload);

}  // namespace vmtax::protocol
