#include "kernel/in_use.hpp"

#include <fstream>
#include <map>
#include <sstream>
#include <string_view>

#include <sys/stat.h>
#include <sys/sysmacros.h>

namespace vmtax::kernel {
namespace {

namespace fs = std::filesystem;

std::string dev_text(dev_t device) {
  return std::to_string(::major(device)) + ":" + std::to_string(::minor(device));
}

std::string first_line(const fs::path& file) {
  std::ifstream stream{file};
  std::string line;
  std::getline(stream, line);
  return line;
}

// The device's relatives as "major:minor" -> how to call it.
std::map<std::string, std::string> relatives(dev_t device, const fs::path& sys) {
  std::map<std::string, std::string> found{{dev_text(device), "it"}};
  std::error_code error;
  const auto self = fs::canonical(sys / "dev/block" / dev_text(device), error);
  if (error) return found;
  if (fs::exists(self / "partition", error))
    found[first_line(self.parent_path() / "dev")] =
        "its disk " + self.parent_path().filename().string();
  for (const auto& entry : fs::directory_iterator{self, error})
    if (fs::exists(entry.path() / "partition", error))
      found[first_line(entry.path() / "dev")] = "its partition " + entry.path().filename().string();
  return found;
}

// "major:minor" of the block device behind a path, or nothing. Some file systems (btrfs) mount
// under an invented device number; their source still names the real one.
std::string device_behind(const std::string& path) {
  struct stat status {};
  if (path.empty() || path[0] != '/' || ::stat(path.c_str(), &status) != 0 ||
      !S_ISBLK(status.st_mode))
    return {};
  return dev_text(status.st_rdev);
}

}  // namespace

std::optional<std::string> why_in_use(dev_t device, const SystemRoots& roots) {
  const auto family = relatives(device, roots.sys);
  std::string line;
  std::ifstream mounts{roots.proc / "self/mountinfo"};
  while (std::getline(mounts, line)) {
    std::istringstream fields{line};
    std::string skipped, number, root, where, word, source;
    fields >> skipped >> skipped >> number >> root >> where;
    while (fields >> word && word != "-") {
    }
    fields >> skipped >> source;
    for (const auto& key : {number, device_behind(source)})
      if (const auto found = family.find(key); found != family.end())
        return found->second + " is mounted on " + where;
  }
  std::ifstream swaps{roots.proc / "swaps"};
  while (std::getline(swaps, line)) {
    const auto key = device_behind(line.substr(0, line.find(' ')));
    if (const auto found = family.find(key); found != family.end())
      return found->second + " is used as swap";
  }
  return std::nullopt;
}

}  // namespace vmtax::kernel
