#include "base/places.hpp"

#include <cstdlib>

namespace vmtax::places {
namespace {

std::filesystem::path from_environment(const char* variable, const char* otherwise) {
  const char* value = std::getenv(variable);
  return std::filesystem::absolute(value && *value ? value : otherwise);
}

std::filesystem::path program_folder() {
  return std::filesystem::read_symlink("/proc/self/exe").parent_path();
}

}  // namespace

std::filesystem::path state() {
  return from_environment("VMTAX_STATE", "/var/lib/vmtax");
}
std::filesystem::path runtime() {
  return from_environment("VMTAX_RUNTIME", "/run/vmtax");
}
std::filesystem::path cache() {
  return from_environment("VMTAX_CACHE", "/var/cache/vmtax");
}
std::filesystem::path share() {
  return program_folder().parent_path() / "share" / "vmtax";
}

std::filesystem::path agent() {
  return from_environment("VMTAX_AGENT", (program_folder() / "vmtax-agent").c_str());
}

}  // namespace vmtax::places
