#include "run/check.hpp"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "base/errors.hpp"
#include "base/files.hpp"
#include "base/places.hpp"
#include "base/process.hpp"
#include "drive/guard.hpp"

namespace vmtax::run {
namespace {

namespace fs = std::filesystem;

class Checks {
 public:
  void good(std::string subject, std::string finding) {
    result_.lines.push_back({Verdict::good, std::move(subject), std::move(finding)});
  }
  void warning(std::string subject, std::string finding) {
    result_.lines.push_back({Verdict::warning, std::move(subject), std::move(finding)});
  }
  void obstacle(std::string subject, std::string finding) {
    result_.lines.push_back({Verdict::obstacle, std::move(subject), std::move(finding)});
  }

  /// `look` says what it saw; an EnvironmentError from it is an obstacle.
  template <typename Look>
  void attempt(const std::string& subject, Look look) {
    try {
      good(subject, look());
    } catch (const EnvironmentError& error) {
      obstacle(subject, error.what());
    }
  }

  CheckResult& result() { return result_; }

 private:
  CheckResult result_;
};

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
    if (::access(agent.c_str(), X_OK) != 0)
      throw EnvironmentError("'" + agent.string() + "' is missing: run './setup build'");
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
  if (!means.emulator || !means.image) return;
  if (scenario.guest.accelerator == scenario::Accelerator::tcg) {
    means.accelerator = guest::Accelerator::tcg;
    checks.warning("accelerator",
                   "TCG, as asked: figures show that vmtax works, not what KVM loses");
    return;
  }
  const auto verdict = guest::probe_accelerator(*means.emulator, *means.image);
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

void check_stand_in(Checks& checks, const std::string& subject, const scenario::StandIn& stand_in) {
  checks.attempt(subject, [&] {
    // The directory itself is made when needed: the space is that of its nearest existing parent.
    fs::path parent = stand_in.directory;
    while (!fs::exists(parent) && parent.has_relative_path()) parent = parent.parent_path();
    struct statvfs room {};
    if (::statvfs(parent.c_str(), &room) != 0)
      throw EnvironmentError("'" + parent.string() + "' can't be examined");
    const Bytes available{room.f_bavail * room.f_frsize};
    const Bytes needed = stand_in.size + mib(64);
    if (available < needed)
      throw EnvironmentError(fmt::format(
          "'{}' has {} MiB free, {} MiB are needed: free some, or make the stand-in smaller",
          parent.string(), available.value >> 20, needed.value >> 20));
    return fmt::format("stand-in of {} in '{}', {} MiB free", format_bytes(stand_in.size),
                       stand_in.directory.string(), available.value >> 20);
  });
}

void check_device(Checks& checks, const plan::PlannedDrive& planned) {
  const auto& device = std::get<scenario::DevicePath>(planned.drive.where);
  const std::string subject = "drive " + planned.drive.name;
  if (!planned.writable) {
    checks.good(subject, device.path.string() + " is only read, since there is no 'erase'");
    return;
  }
  drive::GuardedDrive guarded;
  guarded.path = device.path;
  guarded.erase = device.erase;
  guarded.size = planned.facts.size;
  const auto reasons = drive::reasons_against_writing(guarded);
  for (const auto& reason : reasons) checks.obstacle(subject, reason);
  if (reasons.empty()) checks.good(subject, device.path.string() + " may be erased");
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

CheckResult check(const scenario::Scenario& scenario, const plan::Plan& plan) {
  Checks checks;
  check_rights(checks);
  check_guest(checks, scenario);
  check_memory(checks, scenario);
  for (const auto& planned : plan.drives) {
    if (const auto* stand_in = std::get_if<scenario::StandIn>(&planned.drive.where))
      check_stand_in(checks, "drive " + planned.drive.name, *stand_in);
    else
      check_device(checks, planned);
  }
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
