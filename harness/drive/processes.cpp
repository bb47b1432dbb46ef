#include "drive/processes.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cstdlib>
#include <optional>
#include <sstream>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/files.hpp"
#include "drive/block_device.hpp"
#include "drive/wait_until.hpp"

namespace vmtax::drive {
namespace {

namespace fs = std::filesystem;

fs::path folder_of(pid_t pid, const Roots& roots) {
  return roots.proc / std::to_string(pid);
}

std::string command_of(pid_t pid, const Roots& roots) {
  return read_attribute(folder_of(pid, roots) / "comm").value_or("a process");
}

bool is_qemu(const std::string& command) {
  return command.starts_with("qemu") || command == "kvm";
}

// "flags:\t0100002" of fdinfo, in octal.
bool opened_for_writing(const fs::path& fdinfo) {
  const auto text = read_attribute(fdinfo);
  const auto at = text ? text->find("flags:\t") : std::string::npos;
  if (at == std::string::npos) return false;
  const auto flags = std::strtoul(text->c_str() + at + 7, nullptr, 8);
  return (flags & O_ACCMODE) != O_RDONLY;
}

bool has_open(pid_t pid, const std::vector<std::string>& numbers, const Roots& roots) {
  const auto folder = folder_of(pid, roots);
  const bool qemu = is_qemu(command_of(pid, roots));
  for (const auto& fd : names_in(folder / "fd")) {
    // Only what lies in /dev is followed: a stat of a file on a dead network or FUSE mount hangs.
    std::error_code error;
    const auto target = fs::read_symlink(folder / "fd" / fd, error);
    if (error || !target.string().starts_with("/dev/")) continue;
    const auto number = block_number(folder / "fd" / fd);
    if (!number || std::ranges::find(numbers, number_text(*number)) == numbers.end()) continue;
    if (qemu || opened_for_writing(folder / "fdinfo" / fd)) return true;
  }
  return false;
}

// "7f..-7f.. r-xp 00000000 07:01 123  /path": the fourth word is major:minor in hexadecimal.
bool maps_from(const std::string& maps, dev_t device) {
  std::istringstream lines(maps);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string range, mode, offset;
    unsigned long upper = 0, lower = 0;
    char colon = 0;
    if (words >> range >> mode >> offset >> std::hex >> upper >> colon >> lower &&
        std::to_string(upper) + ":" + std::to_string(lower) == number_text(device))
      return true;
  }
  return false;
}

bool uses(pid_t pid, dev_t device, const Roots& roots) {
  const auto folder = folder_of(pid, roots);
  std::vector<fs::path> links{folder / "cwd", folder / "root", folder / "exe"};
  for (const auto& fd : names_in(folder / "fd")) links.push_back(folder / "fd" / fd);
  for (const auto& link : links) {
    struct stat status {};
    if (::stat(link.c_str(), &status) == 0 && status.st_dev == device) return true;
  }
  const auto maps = read_attribute(folder / "maps");
  return maps && maps_from(*maps, device);
}

// In the middle of an exec a process has no command line for a moment. Kernel threads and zombies
// never have one: they have no program either.
std::string command_line_of(pid_t pid, const Roots& roots) {
  const auto folder = folder_of(pid, roots);
  std::string words;
  wait_until(Deadline{"an exec ends", std::chrono::milliseconds{500}}, [&] {
    words = read_attribute(folder / "cmdline").value_or("");
    std::error_code no_program;
    const auto program = fs::read_symlink(folder / "exe", no_program);
    return !words.empty() || no_program;
  });
  return words;
}

template <typename Predicate>
std::vector<pid_t> others(const Roots& roots, Predicate wanted) {
  std::vector<pid_t> found;
  for (const pid_t pid : all_pids(roots))
    if (pid != ::getpid() && wanted(pid)) found.push_back(pid);
  return found;
}

}  // namespace

std::vector<pid_t> all_pids(const Roots& roots) {
  std::vector<pid_t> pids;
  for (const auto& name : names_in(roots.proc)) {
    pid_t pid = 0;
    const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), pid);
    if (error == std::errc{} && end == name.data() + name.size()) pids.push_back(pid);
  }
  std::ranges::sort(pids);
  return pids;
}

bool is_one_of(pid_t pid, const std::vector<std::string>& programs, const Roots& roots) {
  return std::ranges::find(programs, command_of(pid, roots)) != programs.end();
}

std::string describe_process(pid_t pid, const Roots& roots) {
  return command_of(pid, roots) + " (pid " + std::to_string(pid) + ")";
}

std::string describe_processes(const std::vector<pid_t>& pids, const Roots& roots) {
  std::string text;
  for (const pid_t pid : pids) text += (text.empty() ? "" : ", ") + describe_process(pid, roots);
  return text;
}

std::vector<pid_t> openers_of(const std::vector<std::string>& numbers, const Roots& roots) {
  return others(roots, [&](pid_t pid) { return has_open(pid, numbers, roots); });
}

std::vector<pid_t> users_of_filesystem(dev_t device, const Roots& roots) {
  std::vector<pid_t> found;
  for (const pid_t pid : all_pids(roots))
    if (uses(pid, device, roots)) found.push_back(pid);
  return found;
}

std::vector<pid_t> processes_naming(const fs::path& path, const Roots& roots) {
  return others(roots,
                [&](pid_t pid) { return names_path(command_line_of(pid, roots), path.string()); });
}

bool names_path(std::string_view text, std::string_view path) {
  const auto ends_word = [](char c) { return c == '\0' || c == ',' || c == '"' || c == '\n'; };
  const auto starts_word = [&](char c) { return ends_word(c) || c == '='; };
  for (auto at = text.find(path); at != std::string_view::npos; at = text.find(path, at + 1)) {
    const auto end = at + path.size();
    if ((at == 0 || starts_word(text[at - 1])) && (end == text.size() || ends_word(text[end])))
      return true;
  }
  return false;
}

}  // namespace vmtax::drive
