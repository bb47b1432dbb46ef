#include "protocol/message.hpp"

#include <random>

#include "protocol/frame.hpp"
#include "support/catch.hpp"

using namespace vmtax;
using namespace vmtax::protocol;
using namespace std::chrono_literals;
using Catch::Contains;

namespace {

std::string payload_of(const Message& message) {
  FrameDecoder decoder;
  decoder.feed(encode(message));
  return std::get<std::string>(decoder.next().value());
}

template <class T>
T round_trip(T body) {
  const auto decoded = decode(payload_of({42, std::move(body)}));
  REQUIRE(std::holds_alternative<Message>(decoded));
  CHECK(std::get<Message>(decoded).sequence == 42);
  return std::get<T>(std::get<Message>(decoded).body);
}

MessageFault fault_of(std::string_view payload) {
  const auto decoded = decode(payload);
  REQUIRE(std::holds_alternative<MessageFault>(decoded));
  return std::get<MessageFault>(decoded);
}

}  // namespace

TEST_CASE("every message is read back") {
  round_trip(Ping{});
  round_trip(Pong{});
  round_trip(PowerOff{});
  CHECK(round_trip(Hello{3}).protocol_version == 3);
  const auto welcome = round_trip(Welcome{1, "0.1.0", "ab", 9});
  CHECK((welcome.agent_version == "0.1.0" && welcome.agent_sha256 == "ab"));
  CHECK(welcome.kept_result == 9U);
  CHECK_FALSE(round_trip(Welcome{1, "", "", {}}).kept_result);
  CHECK(round_trip(FactsAsked{{"", "serial"}}).target.serial == "serial");
  CHECK(round_trip(FactsFound{R"({"a":[1,2]})"}).json == R"({"a":[1,2]})");
  IoJob job;
  job.target.path = "/dev/x";
  job.runtime = 5s;
  CHECK(round_trip(Run{job}).job.runtime == 5s);
  const auto progress = round_trip(Progress{5, kib(20), 3s});
  CHECK((progress.ios == 5 && progress.bytes == kib(20) && progress.since_start == 3s));
  CHECK(std::get<IoFailure>(round_trip(Result{IoFailure{"why", 5, {}}}).outcome).reason == "why");
  CHECK(round_trip(Ack{8}).of == 8);
  CHECK(round_trip(Resend{8}).of == 8);
  const auto settle = round_trip(Settle{{{"/a", ""}, {"", "s"}}, true});
  CHECK((settle.targets.size() == 2 && settle.targets[1].serial == "s" && settle.drop_caches));
  CHECK(round_trip(Settled{{Bytes{0}, kib(4)}}).resident == std::vector{Bytes{0}, kib(4)});
  CHECK(round_trip(Error{"no"}).reason == "no");
}

TEST_CASE("a ping on the wire") {
  CHECK(payload_of({7, Ping{}}) == R"({"seq":7,"type":"ping"})");
}

TEST_CASE("bytes that are no text don't end the agent") {
  CHECK_THAT(round_trip(Error{"\xff\xfe newline\n\x01"}).reason, Contains("newline\n"));
}

TEST_CASE("what can't be read is told with the sequence where it has one") {
  CHECK(fault_of("").sequence == 0);
  CHECK_THAT(fault_of("{").reason, Contains("no JSON"));
  CHECK_THAT(fault_of("[]").reason, Contains("no object"));
  CHECK_THAT(fault_of(R"({"type":"ping"})").reason, Contains("seq is missing"));
  CHECK(fault_of(R"({"seq":-1,"type":"ping"})").sequence == 0);
  const auto unknown = fault_of(R"({"seq":5,"type":"format_disk"})");
  CHECK(unknown.sequence == 5);
  CHECK_THAT(unknown.reason, Contains("format_disk") && Contains("unknown"));
  CHECK_THAT(fault_of(R"({"seq":5,"type":"run"})").reason, Contains("job is missing"));
  CHECK_THAT(fault_of(R"({"seq":5,"type":"settled","resident":[-1]})").reason,
             Contains("resident"));
  CHECK_THAT(fault_of(R"({"seq":5,"type":"settle","drop_caches":false,"targets":{}})").reason,
             Contains("no list"));
}

TEST_CASE("deep nesting does not exhaust the stack") {
  for (const std::size_t depth : {100U, 100'000U, 2'000'000U}) {
    decode(std::string(depth, '['));
    std::string facts = R"({"seq":1,"type":"facts_found","facts":{"a":)";
    facts += std::string(depth, '[') + std::string(depth, ']') + "}}";
    const auto decoded = decode(facts);
    if (const auto* message = std::get_if<Message>(&decoded))
      CHECK(std::get<FactsFound>(message->body).json.size() < 200);
  }
}

TEST_CASE("changed payloads never throw") {
  IoJob job;
  job.target.path = "/dev/x";
  job.runtime = 5s;
  const auto good = payload_of({3, Run{job}});
  std::mt19937 random{5};
  int faults = 0;
  for (int i = 0; i < 20000; ++i) {
    auto bad = good;
    for (unsigned changes = 1 + random() % 4; changes > 0; --changes)
      bad[random() % bad.size()] = static_cast<char>(random());
    faults += std::holds_alternative<MessageFault>(decode(bad));
  }
  CHECK(faults > 15000);
}
