// The agent behind pipes, spoken to frame by frame.
#include <nlohmann/json.hpp>

#include "base/child_process.hpp"
#include "devices.hpp"
#include "protocol/frame.hpp"
#include "protocol/message.hpp"
#include "protocol/version.hpp"
#include "run/agent_client.hpp"
#include "support/catch.hpp"

using namespace vmtax;
using namespace vmtax::test;
using namespace std::chrono_literals;
using Catch::Contains;

namespace {

struct Serving {
  TemporaryDirectory folder;
  ChildProcess child{{program("vmtax-agent"), "serve"}, (folder.path() / "stderr").string()};
  protocol::FrameDecoder decoder;

  void write(const std::string& bytes) {
    child.channel().write_all(bytes, Deadline{"the agent reads", 10s});
  }
  std::uint64_t ask(std::uint64_t sequence, protocol::Body body) {
    write(protocol::encode({sequence, std::move(body)}));
    return sequence;
  }
  protocol::Message next() {
    const Deadline deadline{"the agent answers", 20s};
    for (;;) {
      if (const auto item = decoder.next())
        return std::get<protocol::Message>(protocol::decode(std::get<std::string>(*item)));
      char chunk[4096];
      const auto got = child.channel().read_some(chunk, deadline);
      REQUIRE(got > 0);
      decoder.feed({chunk, got});
    }
  }
  template <class T>
  T next_as(std::uint64_t sequence) {
    auto message = next();
    CHECK(message.sequence == sequence);
    if (auto* error = std::get_if<protocol::Error>(&message.body)) UNSCOPED_INFO(error->reason);
    REQUIRE(std::holds_alternative<T>(message.body));
    return std::get<T>(message.body);
  }
};

protocol::IoJob job_on(const std::string& path, Nanoseconds runtime) {
  protocol::IoJob job;
  job.target.path = path;
  job.iodepth = 4;
  job.runtime = runtime;
  return job;
}

}  // namespace

TEST_CASE("the handshake names versions and the agent's own SHA-256") {
  Serving agent;
  agent.ask(1, protocol::Ping{});
  agent.next_as<protocol::Pong>(1);
  agent.ask(2, protocol::Hello{protocol::protocol_version});
  const auto welcome = agent.next_as<protocol::Welcome>(2);
  CHECK(welcome.protocol_version == protocol::protocol_version);
  CHECK(welcome.agent_version == protocol::agent_version);
  CHECK(welcome.agent_sha256 ==
        run_checked({"sha256sum", program("vmtax-agent")}, tool_limit).substr(0, 64));
  CHECK_FALSE(welcome.kept_result);
}

TEST_CASE("another protocol version is an error, not a crash") {
  Serving agent;
  agent.ask(3, protocol::Hello{99});
  CHECK_THAT(agent.next_as<protocol::Error>(3).reason, Contains("protocol version 99"));
  agent.ask(4, protocol::Ping{});
  agent.next_as<protocol::Pong>(4);
}

TEST_CASE(
    "garbage, torn and oversized lines are answered by an error each, and the agent goes on") {
  Serving agent;
  agent.write("GET / HTTP/1.1\n");
  CHECK_THAT(agent.next_as<protocol::Error>(0).reason, Contains("garbage"));
  const auto ping = protocol::encode({1, protocol::Ping{}});
  agent.write(ping.substr(0, ping.size() - 5) + "\n");
  CHECK_THAT(agent.next_as<protocol::Error>(0).reason, Contains("truncated"));
  agent.write(std::string(protocol::max_frame_size + 100, 'x') + "\n");
  CHECK_THAT(agent.next_as<protocol::Error>(0).reason, Contains("oversized"));
  agent.write(protocol::encode_frame("not json"));
  CHECK_THAT(agent.next_as<protocol::Error>(0).reason, Contains("no JSON"));
  agent.write(protocol::encode_frame(R"({"seq":9,"type":"run","job":{}})"));
  CHECK_THAT(agent.next_as<protocol::Error>(9).reason, Contains("missing"));
  agent.ask(10, protocol::PowerOff{});
  CHECK_THAT(agent.next_as<protocol::Error>(10).reason, Contains("no guest"));
  agent.ask(11, protocol::Pong{});
  CHECK_THAT(agent.next_as<protocol::Error>(11).reason, Contains("for the harness"));
  agent.ask(12, protocol::Error{"that must not be answered"});
  agent.write(ping);
  agent.next_as<protocol::Pong>(1);
}

TEST_CASE("a result is kept until its ack and sent again when asked for") {
  Serving agent;
  const auto file = written_file(agent.folder, "file", 4);
  agent.ask(5, protocol::Run{job_on(file, 100ms)});
  const auto first = std::get<protocol::IoResult>(agent.next_as<protocol::Result>(5).outcome);
  CHECK(first.ios > 0);
  CHECK(first.direct);
  CHECK(first.target_path == file);
  CHECK(first.lat.count() == first.ios);

  agent.ask(6, protocol::Run{job_on(file, 100ms)});
  CHECK_THAT(agent.next_as<protocol::Error>(6).reason, Contains("job 5 is not acknowledged"));
  agent.ask(7, protocol::Resend{4});
  CHECK_THAT(agent.next_as<protocol::Error>(7).reason, Contains("no result of job 4"));
  agent.ask(8, protocol::Resend{5});
  const auto again = std::get<protocol::IoResult>(agent.next_as<protocol::Result>(5).outcome);
  CHECK(again.lat.sparse() == first.lat.sparse());
  agent.ask(9, protocol::Hello{protocol::protocol_version});
  CHECK(agent.next_as<protocol::Welcome>(9).kept_result == 5U);

  agent.ask(10, protocol::Ack{5});
  agent.ask(11, protocol::Resend{5});
  CHECK_THAT(agent.next_as<protocol::Error>(11).reason, Contains("no result of job 5"));
  agent.ask(12, protocol::Run{job_on(file, 50ms)});
  agent.next_as<protocol::Result>(12);
}

TEST_CASE("while a job runs pings are answered, other jobs refused, progress comes once a second") {
  Serving agent;
  const auto file = written_file(agent.folder, "file", 4);
  agent.ask(1, protocol::Run{job_on(file, 2500ms)});
  agent.ask(2, protocol::Ping{});
  agent.next_as<protocol::Pong>(2);
  agent.ask(3, protocol::Run{job_on(file, 1s)});
  CHECK_THAT(agent.next_as<protocol::Error>(3).reason, Contains("job 1 still runs"));
  agent.ask(4, protocol::Settle{{{file, ""}}, false});
  CHECK_THAT(agent.next_as<protocol::Error>(4).reason, Contains("job 1 still runs"));
  int progresses = 0;
  std::uint64_t ios = 0;
  for (;;) {
    const auto message = agent.next();
    REQUIRE(message.sequence == 1);
    if (const auto* progress = std::get_if<protocol::Progress>(&message.body)) {
      ++progresses;
      CHECK(progress->ios > ios);
      CHECK(progress->bytes.value == progress->ios * 4096);
      ios = progress->ios;
      continue;
    }
    const auto& outcome = std::get<protocol::Result>(message.body).outcome;
    CHECK(std::get<protocol::IoResult>(outcome).ios >= ios);
    break;
  }
  CHECK(progresses >= 1);
  CHECK(progresses <= 2);
}

TEST_CASE("jobs that can't be run are failures with their reason") {
  Serving agent;
  agent.ask(1, protocol::Run{job_on("/no/such", 1s)});
  const auto missing = std::get<protocol::IoFailure>(agent.next_as<protocol::Result>(1).outcome);
  CHECK(missing.error_number == ENOENT);
  agent.ask(2, protocol::Ack{1});
  auto job = job_on("/dev/null", 1s);
  job.engine = protocol::Engine::psync;
  agent.ask(3, protocol::Run{job});
  CHECK_THAT(std::get<protocol::IoFailure>(agent.next_as<protocol::Result>(3).outcome).reason,
             Contains("psync"));
  agent.ask(4, protocol::FactsAsked{{"", "no-such-serial"}});
  CHECK_THAT(agent.next_as<protocol::Error>(4).reason, Contains("0 disks"));
}

TEST_CASE("when the harness goes away the agent ends, even in the middle of a job") {
  Serving agent;
  const auto file = written_file(agent.folder, "file", 4);
  const bool running = GENERATE(false, true);
  if (running) agent.ask(1, protocol::Run{job_on(file, 1h)});
  agent.ask(2, protocol::Ping{});
  agent.next_as<protocol::Pong>(2);
  const auto end = agent.child.close(Deadline{"the agent ends", 10s});
  CHECK(end.exit_code == 0);
}

TEST_CASE("the client drives a real agent: greeting, facts, jobs, settling") {
  Serving agent;
  const auto file = written_file(agent.folder, "file", 4);
  run::AgentClient client{agent.child.channel()};
  const Deadline deadline{"the agent answers", 20s};
  CHECK(client.greet(deadline).agent_sha256.size() == 64);
  CHECK(client.facts({file, ""}, deadline)["target"]["kind"] == "file");
  CHECK(std::get<protocol::IoResult>(client.run(job_on(file, 1200ms))).ios > 0);
  CHECK(std::holds_alternative<protocol::IoFailure>(client.run(job_on("/no/such", 1s))));
  auto fill = job_on(file, 0s);
  fill.pattern = protocol::Pattern::write;
  fill.amount = mib(4);
  CHECK(std::get<protocol::IoResult>(client.run(fill)).bytes == mib(4));
  CHECK(client.settle({{file, ""}}, deadline).resident == std::vector{Bytes{0}});
  CHECK_THROWS_WITH(client.facts({"", "no-such-serial"}, deadline), Contains("0 disks"));
}
