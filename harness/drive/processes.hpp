// Which processes hold something: a device, a file system, a path of ours on their command line.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include <sys/types.h>

#include "drive/roots.hpp"

namespace vmtax::drive {

std::vector<pid_t> all_pids(const Roots& roots = {});

/// Whether the program of this process has one of these names (`comm`, at most 15 characters).
bool is_one_of(pid_t pid, const std::vector<std::string>& programs, const Roots& roots = {});

/// "qemu-system-x86 (pid 812)".
std::string describe_process(pid_t pid, const Roots& roots = {});
std::string describe_processes(const std::vector<pid_t>& pids, const Roots& roots = {});

/// Processes other than this one that have one of these device numbers ("8:1") open for writing,
/// and any QEMU that has it open at all. Readers (udev, blkid) come and go and do no harm.
std::vector<pid_t> openers_of(const std::vector<std::string>& numbers, const Roots& roots = {});

/// Processes with a descriptor, a working directory, a root or a program on the file system with
/// this device number (st_dev).
std::vector<pid_t> users_of_filesystem(dev_t device, const Roots& roots = {});

/// Processes other than this one with `path` as a word of their command line, or as a value within
/// one ("filename=PATH,...", JSON). A program that was started just before its parent was killed is
/// found by this and by nothing else.
std::vector<pid_t> processes_naming(const std::filesystem::path& path, const Roots& roots = {});

/// Whether `text` has `path` as a whole word: neither "/a/b" in "/a/bc" nor in "/x/a/b".
bool names_path(std::string_view text, std::string_view path);

}  // namespace vmtax::drive
