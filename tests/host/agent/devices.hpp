// Files, loop devices and mounts of a test's own, removed with it.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "base/deadline.hpp"
#include "base/process.hpp"
#include "support/program.hpp"
#include "support/temporary_directory.hpp"

namespace vmtax::test {

inline constexpr std::chrono::seconds tool_limit{60};

/// A file whose every byte was written, so that no read is answered from a hole.
inline std::string written_file(const TemporaryDirectory& folder, const std::string& name,
                                int mebibytes) {
  const auto path = (folder.path() / name).string();
  run_checked({"dd", "if=/dev/urandom", "of=" + path, "bs=1M", "count=" + std::to_string(mebibytes),
               "status=none"},
              tool_limit);
  run_checked({"sync", path}, tool_limit);
  return path;
}

/// A loop device with direct I/O over a file.
class Loop {
 public:
  Loop(const std::string& file, int sector_size) {
    path_ = run_checked({"losetup", "--find", "--show", "--direct-io=on", "--sector-size",
                         std::to_string(sector_size), file},
                        tool_limit);
    while (!path_.empty() && path_.back() == '\n') path_.pop_back();
  }
  ~Loop() { run_process({"losetup", "--detach", path_}, tool_limit); }
  Loop(const Loop&) = delete;
  Loop& operator=(const Loop&) = delete;

  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

class Mount {
 public:
  Mount(const std::vector<std::string>& what, std::string where) : where_(std::move(where)) {
    std::filesystem::create_directories(where_);
    std::vector<std::string> command{"mount"};
    command.insert(command.end(), what.begin(), what.end());
    command.push_back(where_);
    run_checked(command, tool_limit);
  }
  /// An I/O that was stuck ends a moment after its file system was thawed, and holds it until then.
  ~Mount() {
    const Deadline deadline{"umount", tool_limit};
    while (!run_process({"umount", where_}, tool_limit).ok() && !deadline.passed()) {
    }
  }
  Mount(const Mount&) = delete;
  Mount& operator=(const Mount&) = delete;

 private:
  std::string where_;
};

inline ProcessOutput agent_io(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), {program("vmtax-agent"), "io"});
  return run_process(arguments, tool_limit);
}

/// The JSON of a job that must succeed.
inline nlohmann::json io_json(std::vector<std::string> arguments) {
  arguments.push_back("--json");
  const auto output = agent_io(std::move(arguments));
  if (!output.ok()) throw std::runtime_error{"vmtax-agent io: " + output.err};
  return nlohmann::json::parse(output.out);
}

}  // namespace vmtax::test
