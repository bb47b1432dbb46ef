#include "drive/block_device.hpp"

#include <algorithm>
#include <charconv>
#include <utility>

#include <sys/stat.h>
#include <sys/sysmacros.h>

#include "base/errors.hpp"
#include "base/files.hpp"

namespace vmtax::drive {

namespace fs = std::filesystem;

std::string number_text(dev_t number) {
  return std::to_string(major(number)) + ":" + std::to_string(minor(number));
}

std::optional<dev_t> block_number(const fs::path& path) {
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0 || !S_ISBLK(status.st_mode)) return std::nullopt;
  return status.st_rdev;
}

std::optional<std::string> name_of_number(const std::string& number, const Roots& roots) {
  std::error_code error;
  const auto target = fs::read_symlink(roots.sys / "dev/block" / number, error);
  if (error) return std::nullopt;
  return target.filename().string();
}

std::string kernel_name(const fs::path& path, const Roots& roots) {
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0)
    throw EnvironmentError("drive '" + path.string() +
                           "' does not exist: name it by a path under /dev/disk/by-id");
  if (!S_ISBLK(status.st_mode))
    throw EnvironmentError("drive '" + path.string() +
                           "' is no block device: for a file or a folder use stand_in");
  const auto name = name_of_number(number_text(status.st_rdev), roots);
  if (!name)
    throw EnvironmentError("drive '" + path.string() + "' (" + number_text(status.st_rdev) +
                           ") is a node without a device: the drive is gone");
  return *name;
}

fs::path node_of(const std::string& name) {
  std::string node = name;
  std::ranges::replace(node, '!', '/');
  return fs::path{"/dev"} / node;
}

fs::path sysfs_of(const std::string& name, const Roots& roots) {
  return roots.sys / "class/block" / name;
}

std::string whole_disk(const std::string& name, const Roots& roots) {
  std::error_code error;
  const auto folder = fs::canonical(sysfs_of(name, roots), error);
  if (error || !fs::exists(folder / "partition")) return name;
  return folder.parent_path().filename().string();
}

std::vector<std::string> partitions_of(const std::string& disk, const Roots& roots) {
  std::vector<std::pair<std::uint64_t, std::string>> found;
  const auto folder = sysfs_of(disk, roots);
  for (const auto& name : names_in(folder))
    if (const auto number = read_number(folder / name / "partition"))
      found.emplace_back(*number, name);
  std::ranges::sort(found);
  std::vector<std::string> names;
  for (auto& [number, name] : found) names.push_back(std::move(name));
  return names;
}

std::vector<std::string> family_of(const std::string& disk, const Roots& roots) {
  auto names = partitions_of(disk, roots);
  names.insert(names.begin(), disk);
  return names;
}

std::optional<std::uint64_t> read_number(const fs::path& attribute) {
  const auto text = read_attribute(attribute);
  if (!text) return std::nullopt;
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text->data(), text->data() + text->size(), number);
  if (error != std::errc{} || end != text->data() + text->size()) return std::nullopt;
  return number;
}

std::vector<std::string> names_in(const fs::path& folder) {
  std::vector<std::string> names;
  std::error_code error;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end;
       entry.increment(error))
    names.push_back(entry->path().filename().string());
  std::ranges::sort(names);
  return names;
}

}  // namespace vmtax::drive
