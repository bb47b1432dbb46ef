// A place for whole runs of vmtax: scenario, results, state and runtime folders of the test's own,
// and what of it is to be seen on this host.
#pragma once

#include <sstream>
#include <string>

#include <nlohmann/json.hpp>

#include "base/files.hpp"
#include "support/program.hpp"
#include "support/temporary_directory.hpp"

namespace vmtax::test {

/// Loop devices, mounts and processes of this host that name `path`, one line each.
inline std::string host_lines_with(const std::string& path) {
  std::string found;
  for (const auto& listing :
       {run_process({"losetup", "-a"}, std::chrono::seconds{10}).out,
        run_process({"cat", "/proc/self/mountinfo"}, std::chrono::seconds{10}).out,
        run_process({"pgrep", "-a", "qemu|vmtax-agent"}, std::chrono::seconds{10}).out}) {
    std::istringstream lines(listing);
    for (std::string line; std::getline(lines, line);)
      if (line.find(path) != std::string::npos) found += line + "\n";
  }
  return found;
}

class CampaignBench {
 public:
  CampaignBench() {
    ::setenv("VMTAX_STATE", (folder_.path() / "state").c_str(), 1);
    ::setenv("VMTAX_RUNTIME", (folder_.path() / "r").c_str(), 1);
  }

  std::filesystem::path results() const { return folder_.path() / "results"; }
  std::filesystem::path runtime() const { return folder_.path() / "r"; }
  std::filesystem::path stand_ins() const { return folder_.path() / "drives"; }

  /// `drive` is the content of the stand_in map beside its directory, `rest` what follows the
  /// drives.
  std::string scenario(const std::string& drive, const std::string& rest) const {
    const auto path = folder_.path() / "scenario.yaml";
    write_atomically(
        path, "version: 1\nname: bench\ndrives:\n  - name: disk\n    stand_in: {directory: " +
                  stand_ins().string() + ", " + drive + "}\n" + rest);
    return path.string();
  }

  nlohmann::json report() const {
    return nlohmann::json::parse(read_text(results() / "report.json"));
  }

  /// Empty when nothing is left of a run but its results; else what differs.
  std::string leavings() const {
    std::string left = host_lines_with(folder_.path().string());
    for (const auto* name : {"drives", "r", "state/journal"}) {
      std::error_code none;
      for (const auto& entry : std::filesystem::directory_iterator(folder_.path() / name, none))
        left += entry.path().string() + "\n";
    }
    return left;
  }

 private:
  TemporaryDirectory folder_;
};

}  // namespace vmtax::test
