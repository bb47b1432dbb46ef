#include "guest/init.hpp"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <stdexcept>
#include <string>

#include <sys/mount.h>
#include <sys/reboot.h>
#include <sys/stat.h>
#include <unistd.h>

#include "agent/port.hpp"
#include "agent/serve.hpp"
#include "guest/modules.hpp"
#include "protocol/version.hpp"

namespace vmtax::guest {
namespace {

constexpr std::chrono::seconds port_limit{20};

void say(const std::string& line) {
  std::fprintf(stderr, "vmtax-agent: %s\n", line.c_str());
}

void mount_on(const char* type, const char* where) {
  ::mkdir(where, 0755);
  if (::mount(type, where, type, 0, nullptr) != 0 && errno != EBUSY)
    throw std::runtime_error{std::string{"mount "} + where + ": " + std::strerror(errno)};
}

void serve_harness() {
  mount_on("proc", "/proc");
  mount_on("sysfs", "/sys");
  mount_on("devtmpfs", "/dev");
  for (const auto& failure : load_modules("/modules")) say("module " + failure);
  auto port = agent::Port::named(std::string{protocol::guest_port}, port_limit);
  // The console of a quiet kernel says at least that the guest came so far.
  say(std::string{protocol::agent_version} + " serves on " + std::string{protocol::guest_port});
  agent::ServeOptions options;
  options.is_guest = true;
  const auto end = agent::serve(port, options);
  say(end == agent::ServeEnd::power_off ? "power off, as told" : "power off: the harness is gone");
}

}  // namespace

void run_as_init() {
  try {
    serve_harness();
  } catch (const std::exception& error) {
    say(error.what());
  }
  ::sync();
  ::reboot(RB_POWER_OFF);
  for (;;) ::pause();  // an init that returns is a kernel panic
}

}  // namespace vmtax::guest
