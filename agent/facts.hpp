// What is true where the agent runs: attached to every result, compared between host and guest.
#pragma once

#include <string>

#include <nlohmann/json_fwd.hpp>

#include "agent/target.hpp"

namespace vmtax::agent {

/// {"kernel": {"release", "version", "command_line"}, "clocksource", "cpu": {"model", "count",
/// "hypervisor"}, "mitigations": {name: text}, "memory_bytes", "steal_ticks",
/// "target": {"path", "kind", "size", "queue": {name: text}}}. What can't be read is absent; target
/// is absent for an empty path, and has "error" when it can't be opened.
nlohmann::json collect_facts(const std::string& target_path, const DeviceRoots& roots = {});

}  // namespace vmtax::agent
