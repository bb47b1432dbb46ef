// Loop devices over files in a test's own folder, and what a test may leave behind.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/files.hpp"
#include "base/process.hpp"
#include "drive/block_device.hpp"
#include "drive/mount_table.hpp"
#include "drive/processes.hpp"
#include "drive/removers.hpp"
#include "drive/stand_in.hpp"
#include "journal/journal.hpp"
#include "support/temporary_directory.hpp"

namespace vmtax::test {

/// Runs a program of the system that must succeed; its output without the last newline.
inline std::string tool(const std::vector<std::string>& argv) {
  auto text = run_checked(argv, std::chrono::seconds{60});
  while (!text.empty() && text.back() == '\n') text.pop_back();
  return text;
}

inline std::string checksum(const std::filesystem::path& path) {
  return tool({"sha256sum", path.string()}).substr(0, 64);
}

/// A loop device that somebody else made: no mark of vmtax.
class ForeignLoop {
 public:
  explicit ForeignLoop(const std::filesystem::path& file, std::vector<std::string> options = {}) {
    std::vector<std::string> command{"losetup", "--find", "--show"};
    command.insert(command.end(), options.begin(), options.end());
    command.push_back(file.string());
    node = tool(command);
  }
  ~ForeignLoop() { run_process({"losetup", "-d", node}, std::chrono::seconds{30}); }
  ForeignLoop(const ForeignLoop&) = delete;
  ForeignLoop& operator=(const ForeignLoop&) = delete;

  bool attached() const {
    const auto name = std::filesystem::path{node}.filename().string();
    return read_attribute(drive::sysfs_of(name) / "loop/backing_file").has_value();
  }

  std::string node;
};

/// A file of random bytes, so that a checksum shows every change.
inline std::filesystem::path random_file(const std::filesystem::path& path, int mebibytes) {
  tool({"dd", "if=/dev/urandom", "of=" + path.string(), "bs=1M",
        "count=" + std::to_string(mebibytes), "status=none"});
  return path;
}

/// Everything of a run below `directory` that is still there: loop devices, mounts, storage
/// daemons, files. Other runs on the machine don't count.
inline std::vector<std::string> left_below(const std::filesystem::path& directory) {
  const auto below = [&](const std::string& path) {
    return path.starts_with(directory.string() + "/");
  };
  std::vector<std::string> left;
  for (const auto& name : drive::names_in("/sys/class/block"))
    if (const auto backing = read_attribute(drive::sysfs_of(name) / "loop/backing_file");
        backing && below(*backing))
      left.push_back(name + " over " + *backing);
  for (const auto& mount : drive::mounts_everywhere())
    if (below(mount.mountpoint.string())) left.push_back("mount " + mount.mountpoint.string());
  for (const pid_t pid : drive::all_pids())
    if (const auto words = read_attribute("/proc/" + std::to_string(pid) + "/cmdline");
        words &&
        (words->find("nbdfuse") != std::string::npos ||
         words->starts_with("qemu-storage-daemon")) &&
        words->find(directory.string() + "/") != std::string::npos)
      left.push_back(drive::describe_process(pid));
  if (left.empty())
    for (const auto& entry : std::filesystem::recursive_directory_iterator(directory))
      left.push_back("file " + entry.path().string());
  return left;
}

/// A folder for stand-ins beside a folder for the journal.
struct Workplace {
  TemporaryDirectory folder;
  std::filesystem::path things = folder.path() / "things";
  std::filesystem::path journals = folder.path() / "journals";

  Workplace() { std::filesystem::create_directory(things); }
  std::vector<std::string> left() const { return left_below(things); }

  /// A stand-in by name, in the folder of things.
  drive::StandInSpec stand_in(const std::string& id, Bytes size) const {
    return {things, size, 0, Bytes{0}, id};
  }
};

}  // namespace vmtax::test
