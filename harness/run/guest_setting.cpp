#include "run/guest_setting.hpp"

namespace vmtax::run {
namespace {

template <typename Enum>
std::string text_of(const std::optional<Enum>& value) {
  return value ? std::string{scenario::to_text(*value)} : std::string{};
}

}  // namespace

std::string disk_serial(const std::string& run_id) {
  return "vmtax-" + run_id;
}

guest::DiskSpec disk_spec(const scenario::Configuration& configuration, const Place& place,
                          const std::string& run_id) {
  guest::DiskSpec disk;
  disk.source = place.path;
  disk.source_is_block_device = place.is_block_device;
  disk.read_only = place.read_only;
  disk.format = place.format;
  disk.serial = disk_serial(run_id);
  disk.bus = scenario::to_text(configuration.bus);
  disk.cache = scenario::to_text(configuration.cache);
  disk.io = scenario::to_text(configuration.io);
  disk.iothread = configuration.iothread;
  disk.queues = configuration.queues;
  disk.queue_size = configuration.queue_size;
  disk.discard = text_of(configuration.discard);
  disk.detect_zeroes = text_of(configuration.detect_zeroes);
  disk.l2_cache_size = configuration.l2_cache_size;
  disk.iotune = configuration.iotune;
  disk.logical_block_size = place.logical_sector;
  disk.physical_block_size = place.physical_sector;
  return disk;
}

guest::DomainSpec domain_spec(const GuestSetting& setting,
                              const scenario::Configuration& configuration, const Place& place,
                              const std::string& name) {
  guest::DomainSpec spec;
  spec.name = name;
  spec.run_id = setting.run_id;
  spec.accelerator = setting.accelerator;
  spec.emulator = setting.emulator;
  spec.vcpus = setting.guest.vcpus;
  spec.memory = setting.guest.memory;
  spec.kernel = setting.image.kernel;
  spec.initramfs = setting.image.initramfs;
  spec.kernel_arguments = guest::kernel_arguments(setting.accelerator);
  spec.console_log = setting.logs / ("console-" + name + ".log");
  spec.disk = disk_spec(configuration, place, setting.run_id);
  return spec;
}

}  // namespace vmtax::run
