// QEMU processes of this host, told apart by their command lines and held by a pidfd, so that a pid
// can't come to mean another process between the question and the signal.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include <sys/types.h>

#include "base/deadline.hpp"
#include "base/fd.hpp"

namespace vmtax::guest {

class QemuProcess {
 public:
  /// The guest that libvirt started under this name, if `pid` is it.
  static std::optional<QemuProcess> named(pid_t pid, const std::string& name);

  /// Every guest that an embedded libvirt with this root started and that still lives: its command
  /// line names libvirt's files in the root.
  static std::vector<QemuProcess> of_root(const std::filesystem::path& root);

  pid_t pid() const { return pid_; }

  /// Whether it has ended by the deadline, or before a stop was asked. A zombie has ended: its
  /// disks are closed, whenever its parent may reap it.
  bool wait_gone(const Deadline& deadline) const;

  /// Ends it: SIGTERM, by which QEMU closes its images in order, then SIGKILL. EnvironmentError
  /// when it lives on even so.
  void end() const;

 private:
  QemuProcess(pid_t pid, Fd pidfd) : pid_(pid), pidfd_(std::move(pidfd)) {}
  static std::optional<QemuProcess> hold(pid_t pid);
  void signal(int number) const;

  pid_t pid_ = 0;
  Fd pidfd_;
};

}  // namespace vmtax::guest
