// The micro guest's kernel and initramfs: found, or built once per agent and kernel into the cache.
#pragma once

#include <filesystem>
#include <string>

namespace vmtax::guest {

struct MicroImage {
  std::filesystem::path kernel;
  std::filesystem::path initramfs;
  std::string kernel_release;
};

/// `kernel`: "auto" (the host's own where image and modules can be read, else the one that
/// `./setup deps` put into the cache), or the path of a vmlinuz with its modules beside it.
/// EnvironmentError with the places that were looked at and the fix.
MicroImage micro_image(const std::string& kernel, const std::filesystem::path& agent);

}  // namespace vmtax::guest
