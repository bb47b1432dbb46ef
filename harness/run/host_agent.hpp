// An agent on this host: a child process that speaks the protocol over its pipes.
#pragma once

#include <filesystem>

#include "base/child_process.hpp"
#include "run/agent_client.hpp"

namespace vmtax::run {

class HostAgent {
 public:
  /// Starts it and shakes hands; its standard error is appended to `log`. EnvironmentError when the
  /// agent is missing, MeasurementError when it does not answer.
  HostAgent(const std::filesystem::path& agent, const std::filesystem::path& log);

  AgentClient& client() { return client_; }
  const Hello& hello() const { return hello_; }
  /// Whether it still answers, within 10 s.
  bool answers();
  /// Ends it in order. MeasurementError when it did not end well; gone it is in any case.
  void end();

 private:
  ChildProcess process_;
  AgentClient client_;
  Hello hello_;
};

}  // namespace vmtax::run
