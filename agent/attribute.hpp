// Small files of sysfs and procfs.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace vmtax::agent {

/// The file's bytes without a trailing newline, or nothing where it is absent or unreadable.
std::optional<std::string> read_attribute(const std::filesystem::path& path);

}  // namespace vmtax::agent
