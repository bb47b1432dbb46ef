// The facts of a run that the analysis reads, by their names in RunRecord::facts:
//
//   host.kernel.release, guest.kernel.release   as `uname -r` prints it
//   host.cpu.hypervisor                         true: the host's processor is itself virtual
//
// and in DriveRecord::facts: rotational (boolean). A fact that is absent or of another type is
// unknown, and no finding is made of it.
#pragma once

#include <optional>
#include <string>

#include "store/records.hpp"

namespace vmtax::analysis {

/// A text at a JSON pointer such as "/host/kernel/release"; nothing when it is absent, no text or
/// empty.
std::optional<std::string> text_fact(const nlohmann::json& facts, const char* pointer);

/// Whether there is a boolean at this pointer and it is true.
bool is_true_fact(const nlohmann::json& facts, const char* pointer);

/// Of a stand-in it is not known: a loop device hands on what lies below, often a virtual disk that
/// says so of itself.
bool is_rotational(const store::DriveRecord& drive);

/// Whether QEMU answers from the host's page cache: writeback, writethrough, unsafe.
bool uses_host_cache(const store::ConfigurationRecord& configuration);

}  // namespace vmtax::analysis
