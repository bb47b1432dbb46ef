// Finds what a job names: a path as it is, or the disk with a serial. There is no udev in the micro
// guest, and names such as vda follow no order, so the serial is read from sysfs.
#pragma once

#include <chrono>
#include <filesystem>
#include <string>

#include "protocol/io_job.hpp"

namespace vmtax::agent {

/// Where sysfs and the device nodes are; other folders in tests.
struct DeviceRoots {
  std::filesystem::path sys = "/sys";
  std::filesystem::path dev = "/dev";
};

/// The target's path. Throws kernel::Refused when no disk or more than one has the serial, naming
/// the serials that there are.
std::string resolve_target(const protocol::Target& target, const DeviceRoots& roots = {});

/// Waits until a disk has the serial, or `limit` has passed: drivers find disks while the agent
/// already serves.
void await_serial(const std::string& serial, std::chrono::milliseconds limit,
                  const DeviceRoots& roots = {});

/// The serial of a disk by its name in /sys/block, without padding; empty when it has none.
std::string disk_serial(const std::string& disk, const std::filesystem::path& sys = "/sys");

}  // namespace vmtax::agent
