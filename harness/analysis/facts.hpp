// The facts of a run that the analysis reads, by their names in RunRecord::facts:
//
//   host.kernel, guest.kernel    release, as `uname -r` prints it
//   host.virtualization          what the host itself runs in ("kvm", "vmware", ...); "none" or
//   empty
//                                on bare metal
//   host.clocksource, guest.clocksource
//
// and in DriveRecord::facts: rotational (boolean). A fact that is absent or of another type is
// unknown, and no finding is made of it.
#pragma once

#include <optional>
#include <string>

#include "store/records.hpp"

namespace vmtax::analysis {

/// A text at a JSON pointer such as "/host/kernel"; nothing when it is absent, no text or empty.
std::optional<std::string> text_fact(const nlohmann::json& facts, const char* pointer);

bool is_rotational(const store::DriveRecord& drive);

/// Whether QEMU answers from the host's page cache: writeback, writethrough, unsafe.
bool uses_host_cache(const store::ConfigurationRecord& configuration);

}  // namespace vmtax::analysis
