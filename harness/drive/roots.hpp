// Where the kernel's files are read: the machine's own, or a recorded tree in a test.
#pragma once

#include <filesystem>

namespace vmtax::drive {

struct Roots {
  std::filesystem::path sys = "/sys";
  std::filesystem::path proc = "/proc";
};

}  // namespace vmtax::drive
