// Answers a harness: the agent's side of protocol/message.hpp.
#pragma once

#include <chrono>
#include <string>

#include "agent/port.hpp"

namespace vmtax::agent {

struct ServeOptions {
  bool is_guest = false;  ///< then power_off is obeyed
  /// How long a port without a harness is kept open: before the first one comes, and after one left
  /// (it may be restarted and come back for its result).
  std::chrono::seconds patience_at_start{600};
  std::chrono::seconds patience_after_loss{60};
};

enum class ServeEnd { power_off, harness_gone };

/// Returns when told to power off or when no harness will come (again). One job at a time runs in a
/// thread of its own, so that pings are answered meanwhile; its result is kept until acknowledged.
ServeEnd serve(Port& port, const ServeOptions& options);

}  // namespace vmtax::agent
