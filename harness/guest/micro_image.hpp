// The micro guest's kernel and initramfs: found, or built once per agent and kernel into the cache.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "guest/domain_spec.hpp"

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

/// What the micro guest's kernel is told.
std::string kernel_arguments(Accelerator accelerator);

/// The release that an x86 kernel image says it is; nothing when the file is no such image.
std::optional<std::string> kernel_release(const std::filesystem::path& image);

}  // namespace vmtax::guest
