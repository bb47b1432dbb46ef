// Which accelerator guests really get: KVM only where a guest was seen to run under it.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "guest/domain_spec.hpp"
#include "guest/micro_image.hpp"

namespace vmtax::guest {

struct AcceleratorVerdict {
  Accelerator accelerator = Accelerator::tcg;
  std::string kvm_obstacle;  ///< why not KVM, with the fix; empty when it is usable
};

/// Control by effect: /dev/kvm may be absent, unreadable, or open and yet run no guest (nested or
/// para-virtualised hosts). Boots the micro guest under KVM once with a deadline and remembers the
/// verdict in the runtime folder, keyed by boot, emulator and kernel.
AcceleratorVerdict probe_accelerator(const std::filesystem::path& emulator,
                                     const MicroImage& image);

/// Why the micro guest doesn't boot under this accelerator; nothing when its kernel was seen to
/// start the agent. Takes at most about 20 s.
std::optional<std::string> boot_obstacle(const std::filesystem::path& emulator,
                                         const MicroImage& image, Accelerator accelerator);

/// qemu-system-x86_64, /usr/bin/kvm of Proxmox VE, or /usr/libexec/qemu-kvm. EnvironmentError with
/// the package to install.
std::filesystem::path find_emulator();

}  // namespace vmtax::guest
