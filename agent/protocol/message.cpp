#include "protocol/message.hpp"

#include <exception>

#include <nlohmann/json.hpp>

#include "protocol/frame.hpp"
#include "protocol/io_json.hpp"
#include "protocol/json_fields.hpp"

namespace vmtax::protocol {
namespace {

using nlohmann::json;

constexpr std::size_t target_limit = 1024;
constexpr int depth_limit = 32;

// A body's type name and members, one overload each.
struct Writer {
  json& object;

  void operator()(const Ping&) const { object["type"] = "ping"; }
  void operator()(const Pong&) const { object["type"] = "pong"; }
  void operator()(const Hello& body) const {
    object["type"] = "hello";
    object["protocol"] = body.protocol_version;
  }
  void operator()(const Welcome& body) const {
    object["type"] = "welcome";
    object["protocol"] = body.protocol_version;
    object["version"] = body.agent_version;
    object["sha256"] = body.agent_sha256;
    if (body.kept_result) object["kept"] = *body.kept_result;
  }
  void operator()(const FactsAsked& body) const {
    object["type"] = "facts";
    object["target"] = to_json(body.target);
  }
  void operator()(const FactsFound& body) const {
    object["type"] = "facts_found";
    object["facts"] = json::parse(body.json);
  }
  void operator()(const Run& body) const {
    object["type"] = "run";
    object["job"] = to_json(body.job);
  }
  void operator()(const Progress& body) const {
    object["type"] = "progress";
    object["ios"] = body.ios;
    object["bytes"] = body.bytes.value;
    object["since_start_ns"] = body.since_start.count();
  }
  void operator()(const Result& body) const {
    object["type"] = "result";
    object["outcome"] = to_json(body.outcome);
  }
  void operator()(const Ack& body) const {
    object["type"] = "ack";
    object["of"] = body.of;
  }
  void operator()(const Resend& body) const {
    object["type"] = "resend";
    object["of"] = body.of;
  }
  void operator()(const Settle& body) const {
    object["type"] = "settle";
    object["drop_caches"] = body.drop_caches;
    auto& targets = object["targets"] = json::array();
    for (const auto& target : body.targets) targets.push_back(to_json(target));
  }
  void operator()(const Settled& body) const {
    object["type"] = "settled";
    auto& resident = object["resident"] = json::array();
    for (const auto bytes : body.resident) resident.push_back(bytes.value);
  }
  void operator()(const PowerOff&) const { object["type"] = "power_off"; }
  void operator()(const Error& body) const {
    object["type"] = "error";
    object["reason"] = body.reason;
  }
};

Welcome read_welcome(const Fields& fields) {
  Welcome welcome{fields.number("protocol"), fields.text("version"), fields.text("sha256"), {}};
  if (fields.has("kept")) welcome.kept_result = fields.number("kept");
  return welcome;
}

FactsFound read_facts(const Fields& fields) {
  const auto& facts = fields.member("facts");
  if (!facts.is_object()) fields.fail("facts", "is no object");
  return {facts.dump()};
}

Settle read_settle(const Fields& fields) {
  Settle settle;
  settle.drop_caches = fields.boolean("drop_caches");
  for (const auto& target : fields.list("targets", target_limit))
    settle.targets.push_back(target_from_json(target));
  return settle;
}

Settled read_settled(const Fields& fields) {
  Settled settled;
  for (const auto& bytes : fields.list("resident", target_limit))
    settled.resident.emplace_back(fields.number_of(bytes, "resident", 1ULL << 62));
  return settled;
}

Body read_body(const Fields& fields) {
  const auto type = fields.text("type");
  if (type == "ping") return Ping{};
  if (type == "pong") return Pong{};
  if (type == "hello") return Hello{fields.number("protocol")};
  if (type == "welcome") return read_welcome(fields);
  if (type == "facts") return FactsAsked{target_from_json(fields.member("target"))};
  if (type == "facts_found") return read_facts(fields);
  if (type == "run") return Run{job_from_json(fields.member("job"))};
  if (type == "progress")
    return Progress{fields.number("ios"), fields.bytes("bytes"), fields.duration("since_start_ns")};
  if (type == "result") return Result{outcome_from_json(fields.member("outcome"))};
  if (type == "ack") return Ack{fields.number("of")};
  if (type == "resend") return Resend{fields.number("of")};
  if (type == "settle") return read_settle(fields);
  if (type == "settled") return read_settled(fields);
  if (type == "power_off") return PowerOff{};
  if (type == "error") return Error{fields.text("reason")};
  fields.fail("type", "\"" + type.substr(0, 40) + "\" is unknown");
}

}  // namespace

std::string encode(const Message& message) {
  json object{{"seq", message.sequence}};
  std::visit(Writer{object}, message.body);
  return encode_frame(object.dump(-1, ' ', false, json::error_handler_t::replace));
}

std::variant<Message, MessageFault> decode(std::string_view payload) {
  // Deeper values are dropped: copying and printing JSON recurse.
  const auto shallow = [](int depth, json::parse_event_t, json&) { return depth <= depth_limit; };
  const auto object = json::parse(payload, shallow, false);
  if (object.is_discarded()) return MessageFault{0, "the payload is no JSON"};
  std::uint64_t sequence = 0;
  try {
    const Fields fields{object, "message"};
    sequence = fields.number("seq");
    return Message{sequence, read_body(fields)};
  } catch (const std::exception& fault) {
    return MessageFault{sequence, fault.what()};
  }
}

}  // namespace vmtax::protocol
