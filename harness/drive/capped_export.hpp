// A file that is slow for everybody alike: what a capped stand-in lies on.
//
// qemu-storage-daemon serves the file through a throttle group by NBD on a Unix socket, and nbdfuse
// shows that as a file, over which the loop device lies. Rejected: the daemon's own FUSE export.
// Its writes are corrupted as soon as two requests are in flight (seen with QEMU 7.2: a nested read
// of /dev/fuse overwrites the buffer of the write that waits for the throttle). Rejected: blkio
// limits, which let 100 ms worth of requests through at once and miss a QEMU in another group.
//
// Both programs are known by their command lines, which name paths of this run alone: that finds
// them after this process was killed at any moment, and no number can be mistaken. Discard is
// passed on, because the kernel also clears blocks by punching holes and expects to read zeros
// there. What was never written is read without the cap, as from other drives: fill first.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "protocol/units.hpp"

namespace vmtax::drive {

struct CappedExport {
  std::filesystem::path folder;  ///< of this run; holds all of the export's files
  std::uint64_t iops = 0;        ///< 0: none
  Bytes bandwidth_per_second;    ///< 0: none

  std::filesystem::path file() const { return folder / "disk.img"; }      ///< what is exported
  std::filesystem::path mountpoint() const { return folder / "capped"; }  ///< what it is shown as
  std::filesystem::path socket() const { return folder / "nbd.sock"; }
  std::filesystem::path log() const { return folder / "nbdfuse.log"; }
};

/// The whole command line of the server.
std::vector<std::string> server_arguments(const CappedExport& spec);

/// Starts both programs and returns when the file is shown with its size. EnvironmentError: a
/// program is missing, the folder's name is too long for a socket, or what they said.
void start_export(const CappedExport& spec);

/// Ends both, unmounts what they left, removes their files (but `file()`), and sees all gone.
/// EnvironmentError while a loop device is still attached to the mountpoint.
void end_export(const CappedExport& spec);

}  // namespace vmtax::drive
