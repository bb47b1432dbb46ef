#include "drive/mount_table.hpp"

#include <algorithm>
#include <set>
#include <sstream>
#include <utility>

#include "base/files.hpp"
#include "drive/processes.hpp"

namespace vmtax::drive {
namespace {

namespace fs = std::filesystem;

bool is_octal(char c) {
  return c >= '0' && c <= '7';
}

// "36 35 98:0 /mnt1 /mnt2 rw,noatime master:1 - ext3 /dev/root rw": the optional fields before the
// lone dash vary in number.
std::optional<Mount> parse_line(const std::string& line) {
  std::istringstream words(line);
  std::string id, parent, root, options, word;
  Mount mount;
  std::string mountpoint;
  if (!(words >> id >> parent >> mount.device >> root >> mountpoint >> options)) return {};
  while (words >> word && word != "-") {
  }
  if (!(words >> mount.type >> mount.source)) return {};
  mount.mountpoint = unescape(mountpoint);
  mount.source = unescape(mount.source);
  return mount;
}

}  // namespace

std::string unescape(std::string_view text) {
  std::string plain;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] == '\\' && at + 3 < text.size() && is_octal(text[at + 1]) &&
        is_octal(text[at + 2]) && is_octal(text[at + 3])) {
      plain += static_cast<char>((text[at + 1] - '0') << 6 | (text[at + 2] - '0') << 3 |
                                 (text[at + 3] - '0'));
      at += 3;
    } else {
      plain += text[at];
    }
  }
  return plain;
}

std::vector<Mount> parse_mounts(std::string_view text) {
  std::vector<Mount> mounts;
  std::istringstream lines{std::string{text}};
  for (std::string line; std::getline(lines, line);)
    if (auto mount = parse_line(line)) mounts.push_back(std::move(*mount));
  return mounts;
}

std::vector<Mount> own_mounts(const Roots& roots) {
  return parse_mounts(read_text(roots.proc / "self/mountinfo"));
}

std::vector<Mount> mounts_everywhere(const Roots& roots) {
  auto mounts = own_mounts(roots);
  std::set<std::pair<std::string, fs::path>> known;
  for (const auto& mount : mounts) known.emplace(mount.device, mount.mountpoint);
  std::error_code error;
  std::set<fs::path> namespaces{fs::read_symlink(roots.proc / "self/ns/mnt", error)};
  for (const pid_t pid : all_pids(roots)) {
    const auto process = roots.proc / std::to_string(pid);
    const auto identity = fs::read_symlink(process / "ns/mnt", error);
    if (error || !namespaces.insert(identity).second) continue;
    const auto text = read_attribute(process / "mountinfo");
    if (!text) {
      // It ended in between, but another process may live in the same namespace.
      namespaces.erase(identity);
      continue;
    }
    for (auto& mount : parse_mounts(*text)) {
      if (!known.emplace(mount.device, mount.mountpoint).second) continue;
      mount.seen_by = pid;
      mounts.push_back(std::move(mount));
    }
  }
  return mounts;
}

std::optional<Mount> mounted_at(const fs::path& mountpoint, const Roots& roots) {
  const auto mounts = own_mounts(roots);
  const auto found = std::find_if(mounts.rbegin(), mounts.rend(), [&](const Mount& mount) {
    return mount.mountpoint == mountpoint;
  });
  if (found == mounts.rend()) return std::nullopt;
  return *found;
}

}  // namespace vmtax::drive
