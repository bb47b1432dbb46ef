// Where vmtax keeps things on the host, and where its own files are. All are absolute: what a
// journal names must be found again from any folder.
#pragma once

#include <filesystem>

namespace vmtax::places {

/// Journals of runs, kept over a reboot: $VMTAX_STATE or /var/lib/vmtax.
std::filesystem::path state();

/// Private libvirt roots and sockets, short because a socket's path has at most 107 characters:
/// $VMTAX_RUNTIME or /run/vmtax.
std::filesystem::path runtime();

/// Guest kernels, initramfs images, probe results: $VMTAX_CACHE or /var/cache/vmtax.
std::filesystem::path cache();

/// Files shipped with vmtax (images/, report assets): ../share/vmtax beside the program's own
/// folder.
std::filesystem::path share();

/// The agent's binary, beside the program itself or $VMTAX_AGENT.
std::filesystem::path agent();

}  // namespace vmtax::places
