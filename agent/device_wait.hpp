// Waits for devices that drivers are still making, by the kernel's own announcements of them.
#pragma once

#include <chrono>
#include <functional>

#include "kernel/descriptor.hpp"

namespace vmtax::agent {

class DeviceWait {
 public:
  /// From here on no announcement is missed.
  DeviceWait();

  /// Looks now and after each announcement until `there` says yes; false after `limit`.
  bool until(const std::function<bool()>& there, std::chrono::milliseconds limit) const;

 private:
  kernel::Descriptor events_;
};

}  // namespace vmtax::agent
