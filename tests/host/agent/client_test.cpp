// The harness's client against a channel that is played by hand.
#include <algorithm>
#include <deque>
#include <functional>

#include <nlohmann/json.hpp>

#include "base/errors.hpp"
#include "protocol/frame.hpp"
#include "protocol/message.hpp"
#include "protocol/version.hpp"
#include "run/agent_client.hpp"
#include "support/catch.hpp"

using namespace vmtax;
using namespace std::chrono_literals;
using Catch::Contains;
using protocol::Message;

namespace {

// Answers each message of the client by a function; a read with nothing to say is a missed
// deadline.
class PlayedAgent : public ByteChannel {
 public:
  std::function<std::string(const Message&)> answer;
  std::string outgoing;
  std::vector<Message> seen;

  std::size_t read_some(std::span<char> into, const Deadline& deadline) override {
    if (closed) return 0;
    if (outgoing.empty()) {
      while (!deadline.passed()) {
      }
      throw MeasurementError{deadline.missed()};
    }
    const auto count = std::min({into.size(), outgoing.size(), std::size_t{13}});
    std::copy_n(outgoing.begin(), count, into.begin());
    outgoing.erase(0, count);
    return count;
  }
  void write_all(std::string_view bytes, const Deadline&) override {
    decoder_.feed(bytes);
    while (const auto item = decoder_.next()) {
      seen.push_back(std::get<Message>(protocol::decode(std::get<std::string>(*item))));
      outgoing += answer(seen.back());
    }
  }
  template <class T>
  long count() const {
    return std::count_if(seen.begin(), seen.end(), [](const Message& message) {
      return std::holds_alternative<T>(message.body);
    });
  }
  bool closed = false;

 private:
  protocol::FrameDecoder decoder_;
};

std::string reply(std::uint64_t sequence, protocol::Body body) {
  return protocol::encode({sequence, std::move(body)});
}

std::string damaged(std::string frame) {
  frame[frame.size() - 4] ^= 1;
  return frame;
}

protocol::Welcome good_welcome() {
  return {protocol::protocol_version, "0.1.0", "ab", {}};
}

protocol::IoJob some_job() {
  protocol::IoJob job;
  job.target.path = "/dev/x";
  job.runtime = 1ms;
  return job;
}

const protocol::Result failure{protocol::IoFailure{"why", 5, {}}};

}  // namespace

TEST_CASE("greeting passes over noise, old pongs and unanswered pings") {
  PlayedAgent agent;
  int pings = 0;
  agent.outgoing = "[ 0.0] Linux version\n" + reply(77, protocol::Pong{}) + "half a line";
  agent.answer = [&](const Message& message) -> std::string {
    if (std::holds_alternative<protocol::Ping>(message.body)) {
      // The noise without an end swallows the first answer; the second comes with a late twin.
      const auto pong = reply(message.sequence, protocol::Pong{});
      return ++pings == 1 ? pong : reply(1, protocol::Pong{}) + pong;
    }
    return reply(message.sequence, good_welcome());
  };
  run::AgentClient client{agent};
  const auto hello = client.greet(Deadline{"the agent answers", 20s});
  CHECK(hello.version == "0.1.0");
  CHECK(hello.agent_sha256 == "ab");
  CHECK(pings == 2);
  CHECK(agent.count<protocol::Ack>() == 0);
}

TEST_CASE("greeting throws a dead harness's result away") {
  PlayedAgent agent;
  agent.answer = [&](const Message& message) -> std::string {
    if (std::holds_alternative<protocol::Ping>(message.body))
      return reply(message.sequence, protocol::Pong{});
    if (std::holds_alternative<protocol::Ack>(message.body)) return "";
    auto welcome = good_welcome();
    welcome.kept_result = 41;
    return reply(message.sequence, welcome);
  };
  run::AgentClient client{agent};
  client.greet(Deadline{"the agent answers", 5s});
  REQUIRE(agent.count<protocol::Ack>() == 1);
  CHECK(std::get<protocol::Ack>(agent.seen.back().body).of == 41);
}

TEST_CASE("greeting refuses silence, a closed channel and another version") {
  PlayedAgent agent;
  agent.answer = [](const Message&) { return std::string{}; };
  run::AgentClient client{agent};
  CHECK_THROWS_WITH(client.greet(Deadline{"the agent answers", 30ms}),
                    Contains("the agent answers: not within 30ms"));
  agent.closed = true;
  CHECK_THROWS_WITH(client.greet(Deadline{"the agent answers", 5s}),
                    Contains("closed the channel"));
  agent.closed = false;
  agent.answer = [](const Message& message) {
    if (std::holds_alternative<protocol::Ping>(message.body))
      return reply(message.sequence, protocol::Pong{});
    return reply(message.sequence, protocol::Welcome{99, "9", "", {}});
  };
  CHECK_THROWS_WITH(client.greet(Deadline{"the agent answers", 5s}), Contains("version 99"));
}

TEST_CASE("a job's progress and late answers are passed over, its result is acknowledged") {
  PlayedAgent agent;
  agent.answer = [](const Message& message) -> std::string {
    if (!std::holds_alternative<protocol::Run>(message.body)) return "";
    return reply(1000, protocol::Pong{}) +
           reply(message.sequence, protocol::Progress{1, kib(4), 1s}) +
           reply(message.sequence, protocol::Progress{2, kib(8), 2s}) +
           reply(message.sequence, failure);
  };
  run::AgentClient client{agent};
  CHECK(std::get<protocol::IoFailure>(client.run(some_job())).reason == "why");
  REQUIRE(agent.count<protocol::Ack>() == 1);
  CHECK(std::get<protocol::Ack>(agent.seen.back().body).of == agent.seen.front().sequence);
}

TEST_CASE("a damaged result is asked for again once") {
  PlayedAgent agent;
  int sent = 0, to_damage = 1;
  agent.answer = [&](const Message& message) -> std::string {
    if (std::holds_alternative<protocol::Ack>(message.body)) return "";
    const auto* resend = std::get_if<protocol::Resend>(&message.body);
    const auto frame = reply(resend ? resend->of : message.sequence, failure);
    return ++sent <= to_damage ? damaged(frame) : frame;
  };
  run::AgentClient client{agent};
  SECTION("once") {
    CHECK(std::holds_alternative<protocol::IoFailure>(client.run(some_job())));
    CHECK(agent.count<protocol::Resend>() == 1);
  }
  SECTION("twice is given up, and the agent freed for the next job") {
    to_damage = 100;
    CHECK_THROWS_WITH(client.run(some_job()), Contains("damaged twice"));
    CHECK(agent.count<protocol::Resend>() == 1);
    CHECK(agent.count<protocol::Ack>() == 1);
  }
}

TEST_CASE("a job that shows no progress misses its deadline; one that moves may take longer") {
  PlayedAgent agent;
  run::AgentClient client{agent, 50ms};
  SECTION("by time") {
    agent.answer = [](const Message&) { return std::string{}; };
    CHECK_THROWS_WITH(client.run(some_job()), Contains("the job ends: not within 51ms"));
  }
  SECTION("by amount") {
    auto fill = some_job();
    fill.runtime = 0s;
    fill.amount = mib(1);
    agent.answer = [](const Message& message) {
      return reply(message.sequence, protocol::Progress{7, kib(28), 1s});
    };
    CHECK_THROWS_WITH(client.run(fill), Contains("the job moves on: not within 50ms"));
  }
}

TEST_CASE("the agent's own words arrive") {
  PlayedAgent agent;
  agent.answer = [](const Message& message) {
    return reply(message.sequence, protocol::Error{"job 3 still runs"});
  };
  run::AgentClient client{agent};
  const Deadline deadline{"the agent answers", 5s};
  CHECK_THROWS_WITH(client.run(some_job()), Contains("the agent says: job 3 still runs"));
  CHECK_THROWS_WITH(client.facts({"/x", ""}, deadline), Contains("still runs"));
  agent.answer = [](const Message& message) {
    return reply(message.sequence, protocol::Settled{{Bytes{0}}});
  };
  CHECK_THROWS_WITH(client.settle({{"/a", ""}, {"/b", ""}}, deadline), Contains("1 of 2"));
  CHECK_THROWS_WITH(client.facts({"/x", ""}, deadline), Contains("another kind"));
}
