#include "run/check.hpp"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>
#include <unistd.h>

#include "base/errors.hpp"
#include "base/files.hpp"
#include "base/places.hpp"
#include "base/process.hpp"
#include "guest/hypervisor.hpp"
#include "run/check_parts.hpp"
#include "run/host_agent.hpp"

namespace vmtax::run {
namespace {

namespace fs = std::filesystem;

void check_rights(Checks& checks) {
  if (::geteuid() == 0)
    checks.good("rights", "root");
  else
    checks.obstacle("rights",
                    "not root: loop devices, partitions and mounts need it; run with sudo");
}

void check_guest(Checks& checks, const scenario::Scenario& scenario) {
  auto& means = checks.result().means;
  checks.attempt("agent", [] {
    const auto agent = places::agent();
    std::error_code unknown;
    if (!fs::is_regular_file(agent, unknown))
      throw EnvironmentError("'" + agent.string() + "' is missing: run './setup build'");
    if (::access(agent.c_str(), X_OK) != 0)
      throw EnvironmentError("'" + agent.string() + "' may not be run: make it executable");
    try {
      HostAgent{agent, "/dev/null"}.end();
    } catch (const MeasurementError& failure) {
      throw EnvironmentError("'" + agent.string() + "' is no working agent: " + failure.what());
    }
    return agent.string();
  });
  checks.attempt("QEMU", [&] {
    means.emulator = guest::find_emulator();
    auto version = run_checked({means.emulator->string(), "--version"}, std::chrono::seconds{10});
    return version.substr(0, version.find('\n'));
  });
  checks.attempt("guest kernel", [&] {
    means.image = guest::micro_image(scenario.guest.kernel, places::agent());
    return means.image->kernel_release + " (" + means.image->kernel.string() + ")";
  });
  checks.attempt("libvirt", [&] {
    return guest::check_connection({scenario.guest.connection, places::runtime() / "01234567/v"});
  });
  if (!means.emulator || !means.image) return;
  if (scenario.guest.accelerator == scenario::Accelerator::tcg) {
    means.accelerator = guest::Accelerator::tcg;
    checks.warning("accelerator",
                   "TCG, as asked: figures show that vmtax works, not what KVM loses");
    return;
  }
  guest::AcceleratorVerdict verdict;
  try {
    verdict = guest::probe_accelerator(*means.emulator, *means.image);
  } catch (const EnvironmentError& error) {
    checks.obstacle("accelerator", error.what());
    return;
  }
  if (verdict.accelerator == guest::Accelerator::kvm) {
    means.accelerator = guest::Accelerator::kvm;
    checks.good("accelerator", "KVM");
  } else if (scenario.guest.accelerator == scenario::Accelerator::kvm) {
    checks.obstacle("accelerator", "KVM is asked for, but " + verdict.kvm_obstacle);
  } else {
    means.accelerator = guest::Accelerator::tcg;
    checks.warning("accelerator", "TCG, since " + verdict.kvm_obstacle +
                                      ": figures show that vmtax works, not what KVM loses");
  }
}

// The kernel's own estimate of what can be had without swapping.
std::optional<Bytes> available_memory() {
  const auto text = read_attribute("/proc/meminfo").value_or("");
  const auto at = text.find("MemAvailable:");
  if (at == std::string::npos) return std::nullopt;
  const auto digits = text.find_first_of("0123456789", at);
  std::uint64_t kib_count = 0;
  std::from_chars(text.data() + digits, text.data() + text.size(), kib_count);
  return kib(kib_count);
}

void check_memory(Checks& checks, const scenario::Scenario& scenario) {
  const auto available = available_memory();
  const Bytes needed = scenario.guest.memory + mib(256);  // QEMU itself, the agent, vmtax
  if (!available) {
    checks.warning("memory", "unknown: /proc/meminfo says no MemAvailable");
  } else if (*available < needed) {
    checks.obstacle("memory",
                    fmt::format("{} MiB available, {} MiB needed: free some, or lower guest.memory",
                                available->value >> 20, needed.value >> 20));
  } else {
    checks.good("memory", fmt::format("{} MiB available, {} MiB needed", available->value >> 20,
                                      needed.value >> 20));
  }
}

}  // namespace

bool CheckResult::able() const {
  return std::ranges::none_of(lines,
                              [](const auto& line) { return line.verdict == Verdict::obstacle; });
}

std::string CheckResult::obstacles() const {
  std::string all;
  for (const auto& line : lines)
    if (line.verdict == Verdict::obstacle)
      all += (all.empty() ? "" : "; ") + line.subject + ": " + line.finding;
  return all;
}

CheckResult check(const scenario::Scenario& scenario, const plan::Plan& plan,
                  const UnseenDrives& unseen) {
  Checks checks;
  check_rights(checks);
  check_guest(checks, scenario);
  check_memory(checks, scenario);
  check_programs(checks, plan);
  check_drives(checks, plan);
  for (const auto& [name, reason] : unseen) checks.obstacle("drive " + name, reason);
  return std::move(checks.result());
}

std::string describe(const CheckResult& result) {
  std::size_t width = 0;
  for (const auto& line : result.lines) width = std::max(width, line.subject.size());
  std::string text;
  for (const auto& line : result.lines) {
    const char* mark = line.verdict == Verdict::good      ? "ok      "
                       : line.verdict == Verdict::warning ? "warning "
                                                          : "OBSTACLE";
    text += fmt::format("{}  {:<{}}  {}\n", mark, line.subject, width, line.finding);
  }
  return text;
}

}  // namespace vmtax::run
