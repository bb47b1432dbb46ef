// Small files: read whole, written whole or not at all.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace vmtax {

/// The file's bytes; EnvironmentError with path and reason when it can't be read.
std::string read_text(const std::filesystem::path& path);

/// The same without the trailing newline, or nothing where the file is absent or unreadable: for
/// sysfs and procfs.
std::optional<std::string> read_attribute(const std::filesystem::path& path);

/// Written to a temporary neighbour, synced and renamed, so that a reader sees the old or the new.
/// EnvironmentError with path and reason.
void write_atomically(const std::filesystem::path& path, std::string_view text);

/// Creates the directory and its parents with mode 0755; EnvironmentError with the component.
void make_directories(const std::filesystem::path& path);

}  // namespace vmtax
