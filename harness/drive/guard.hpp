// The guard: why a drive must not be written. Called again before every destructive step.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "drive/inspect.hpp"
#include "protocol/units.hpp"

namespace vmtax::drive {

/// A drive that this run may write to, as long as the guard agrees.
struct GuardedDrive {
  std::filesystem::path path;        ///< as named by the user, or the stand-in's loop device
  bool made_by_this_run = false;     ///< a stand-in: needs no consent
  std::optional<std::string> erase;  ///< the serial that the user consented to
  Bytes size;                        ///< as it was when the plan was made
};

/// Every reason at once, each one clause with the fix; empty when the drive may be written. Consent
/// missing or not the drive's own serial; mounted (whole or partition, in any mount namespace),
/// swap, holders, a loop over it, open for writing or in a guest, boot disk, signatures found by
/// libblkid that no consent covers, read-only, size changed since the plan, a partition instead of
/// a whole drive, in use (O_EXCL refused). Consent covers signatures and nothing else of these.
/// Reads only: looking at a drive changes nothing on it.
std::vector<std::string> reasons_against_writing(const GuardedDrive& drive);

/// Throws EnvironmentError with all reasons in one line.
void check_guard(const GuardedDrive& drive);

/// What is wrong with the consent to erase this drive, with the fix; nothing when it names the
/// drive's own serial. Not asked for stand-ins.
std::optional<std::string> missing_consent(const GuardedDrive& drive, const DeviceFacts& facts);

/// Throws EnvironmentError unless `partition` is a region that vmtax made (by its name in the
/// table) and nobody uses it: to be checked before a region alone is formatted or written.
void check_region(const std::filesystem::path& partition);

}  // namespace vmtax::drive
