// What is made in the file system, journalled: files, folders.
#pragma once

#include <filesystem>

#include "journal/journal.hpp"

namespace vmtax::drive {

// Kinds of journal entries of this folder.
inline constexpr const char* kind_file = "drive.file";
inline constexpr const char* kind_directory = "drive.directory";
inline constexpr const char* kind_loop = "drive.loop";
inline constexpr const char* kind_export = "drive.capped-export";
inline constexpr const char* kind_table = "drive.partition-table";
inline constexpr const char* kind_filesystem = "drive.filesystem";

/// Journals the file that the caller makes next. EnvironmentError when something is at that place
/// already: it would be removed at the end, and is not ours.
journal::EntryId will_make_file(const std::filesystem::path& path, journal::Journal& journal);

/// Makes the folder and those of its parents that are missing; each is removed at the end, the
/// parents only if others have put nothing into them. EnvironmentError when it exists already.
void make_own_directory(const std::filesystem::path& path, journal::Journal& journal);

// The removers.
void remove_file(const nlohmann::json& detail);
void remove_directory(const nlohmann::json& detail);

}  // namespace vmtax::drive
