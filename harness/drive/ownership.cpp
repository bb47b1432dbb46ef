#include "drive/ownership.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <vector>

#include <nlohmann/json.hpp>
#include <sys/stat.h>
#include <unistd.h>

#include "base/errors.hpp"
#include "drive/device_use.hpp"
#include "drive/processes.hpp"
#include "drive/wait_until.hpp"

namespace vmtax::drive {
namespace {

namespace fs = std::filesystem;

bool is_there(const fs::path& path) {
  std::error_code unknown;
  return fs::symlink_status(path, unknown).type() != fs::file_type::not_found;
}

[[noreturn]] void fail(const fs::path& path, const std::string& what, int error) {
  throw EnvironmentError("'" + path.string() + "' can't be " + what + ": " + std::strerror(error));
}

void make_one(const fs::path& path, bool shared, journal::Journal& journal) {
  journal.will_make(kind_directory, {{"path", path.string()}, {"shared", shared}});
  if (::mkdir(path.c_str(), 0755) != 0 && !(shared && errno == EEXIST)) fail(path, "made", errno);
}

}  // namespace

journal::EntryId will_make_file(const fs::path& path, journal::Journal& journal) {
  if (is_there(path))
    throw EnvironmentError("'" + path.string() +
                           "' exists already and is not of this run: move it");
  return journal.will_make(kind_file, {{"path", path.string()}});
}

void make_own_directory(const fs::path& path, journal::Journal& journal) {
  if (is_there(path))
    throw EnvironmentError("'" + path.string() +
                           "' exists already and is not of this run: move it");
  std::vector<fs::path> missing;
  for (auto parent = path.parent_path(); !parent.empty() && !is_there(parent);
       parent = parent.parent_path())
    missing.push_back(parent);
  for (auto parent = missing.rbegin(); parent != missing.rend(); ++parent)
    make_one(*parent, true, journal);
  make_one(path, false, journal);
}

void remove_file(const nlohmann::json& detail) {
  const fs::path path = detail.at("path").get<std::string>();
  // A killed run may have left the qemu-img that is about to make it: that ends by itself.
  const Deadline deadline{"'" + path.string() + "' is free", std::chrono::seconds{30}};
  std::vector<pid_t> pids;
  wait_until(deadline, [&] {
    pids = processes_naming(path);
    return std::ranges::none_of(pids, [](pid_t pid) { return is_one_of(pid, {"qemu-img"}); });
  });
  if (!is_there(path)) return;
  // Without its name the file could not be found again, and its blocks would stay taken.
  if (const auto loops = loops_over(path); !loops.empty())
    throw EnvironmentError("'" + path.string() + "' is still behind " + loops.front());
  if (!pids.empty())
    throw EnvironmentError("'" + path.string() + "' is still in use by " +
                           describe_processes(pids));
  if (::unlink(path.c_str()) != 0 && errno != ENOENT) fail(path, "removed", errno);
}

void remove_directory(const nlohmann::json& detail) {
  const fs::path path = detail.at("path").get<std::string>();
  if (::rmdir(path.c_str()) == 0 || errno == ENOENT) return;
  const int error = errno;
  // A file system that is read-only, or a file in place of the parent, says so before it says that
  // there is nothing: then the folder was never made.
  if (!is_there(path)) return;
  const bool kept_by_others = error == ENOTEMPTY && detail.value("shared", false);
  if (!kept_by_others) fail(path, "removed", error);
}

}  // namespace vmtax::drive
