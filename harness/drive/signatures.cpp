#include "drive/signatures.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <memory>

#include <blkid/blkid.h>
#include <fcntl.h>

#include "base/errors.hpp"
#include "base/fd.hpp"

namespace vmtax::drive {
namespace {

std::string value_of(blkid_probe probe, const char* name) {
  const char* data = nullptr;
  if (blkid_probe_lookup_value(probe, name, &data, nullptr) != 0 || !data) return {};
  return data;
}

std::string describe(blkid_probe probe) {
  if (const auto table = value_of(probe, "PTTYPE"); !table.empty())
    return table + " partition table";
  const auto type = value_of(probe, "TYPE");
  const auto label = value_of(probe, "LABEL");
  return type.empty() || label.empty() ? type : type + " (label " + label + ")";
}

}  // namespace

std::vector<std::string> signatures_on(const std::filesystem::path& device) {
  const Fd file{::open(device.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)};
  const std::unique_ptr<blkid_struct_probe, decltype(&blkid_free_probe)> probe{blkid_new_probe(),
                                                                               &blkid_free_probe};
  if (!file || !probe || blkid_probe_set_device(probe.get(), file.get(), 0, 0) != 0)
    throw EnvironmentError("'" + device.string() +
                           "' can't be read for signatures: " + std::strerror(errno));
  blkid_probe_enable_superblocks(probe.get(), 1);
  blkid_probe_set_superblocks_flags(probe.get(),
                                    BLKID_SUBLKS_TYPE | BLKID_SUBLKS_LABEL | BLKID_SUBLKS_BADCSUM);
  blkid_probe_enable_partitions(probe.get(), 1);
  // One after the other, as wipefs does: a device may carry the remains of several.
  std::vector<std::string> found;
  int outcome = 0;
  while ((outcome = blkid_do_probe(probe.get())) == 0) {
    auto text = describe(probe.get());
    if (!text.empty() && std::ranges::find(found, text) == found.end())
      found.push_back(std::move(text));
  }
  if (outcome < 0) throw EnvironmentError("'" + device.string() + "' can't be read for signatures");
  return found;
}

}  // namespace vmtax::drive
