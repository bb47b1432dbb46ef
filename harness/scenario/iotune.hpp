// libvirt's <iotune> of a configuration.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "scenario/yaml_tree.hpp"

namespace vmtax::scenario {

/// The values in libvirt's units: bytes, requests, and whole seconds for a _max_length. Holds
/// QEMU's rules: a burst is above its steady rate, and size_iops_sec needs a limit on requests.
std::map<std::string, std::uint64_t> build_iotune(const Node& section);

}  // namespace vmtax::scenario
