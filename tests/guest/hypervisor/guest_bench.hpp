// A hypervisor with its own root and journal, and guests on it, for tests.
#pragma once

#include <filesystem>
#include <fstream>
#include <string>

#include <unistd.h>

#include "base/places.hpp"
#include "guest/accelerator.hpp"
#include "guest/hypervisor.hpp"
#include "guest/micro_image.hpp"
#include "run/agent_client.hpp"
#include "support/temporary_directory.hpp"

namespace vmtax::test {

/// A guest under emulation with a new 64 MiB disk in `folder`.
inline guest::DomainSpec small_guest(const std::filesystem::path& folder) {
  const auto image = guest::micro_image("auto", places::agent());
  guest::DomainSpec spec;
  spec.name = "vmtax-test-" + std::to_string(::getpid());
  spec.run_id = "test-run";
  spec.emulator = guest::find_emulator();
  spec.memory = mib(512);
  spec.kernel = image.kernel;
  spec.initramfs = image.initramfs;
  spec.kernel_arguments = guest::kernel_arguments(guest::Accelerator::tcg);
  spec.console_log = folder / "console.log";
  spec.disk.source = folder / "disk.raw";
  spec.disk.format = "raw";
  spec.disk.serial = "vmtax-test";
  spec.disk.bus = "virtio";
  spec.disk.cache = "none";
  spec.disk.io = "native";
  std::ofstream{spec.disk.source}.close();
  std::filesystem::resize_file(spec.disk.source, 64 << 20);
  return spec;
}

struct GuestBench {
  TemporaryDirectory folder;
  journal::Journal journal{folder.path() / "journal", "test-run", guest::removers()};
  std::filesystem::path root = folder.path() / "r";
  guest::Hypervisor hypervisor{{"embed", root}, journal};
  guest::DomainSpec spec = small_guest(folder.path());
};

/// Shakes hands with the guest's agent; the limit of the issue for a boot.
inline run::Hello greet(run::AgentClient& client) {
  return client.greet(Deadline{"the guest's agent answers", std::chrono::seconds{30}});
}

/// Whether a process runs, a zombie not counted.
inline bool alive(pid_t pid) {
  std::ifstream stat{"/proc/" + std::to_string(pid) + "/stat"};
  std::string text;
  std::getline(stat, text);
  const auto at = text.rfind(") ");
  return at != std::string::npos && text[at + 2] != 'Z' && text[at + 2] != 'X';
}

}  // namespace vmtax::test
