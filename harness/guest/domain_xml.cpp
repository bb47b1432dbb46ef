// The only file that knows pugixml.
#include <sstream>
#include <stdexcept>

#include <pugixml.hpp>

#include "guest/domain_spec.hpp"

namespace vmtax::guest {
namespace {

pugi::xml_node with_text(pugi::xml_node parent, const char* name, const std::string& text) {
  auto node = parent.append_child(name);
  node.text().set(text.c_str());
  return node;
}

void set(pugi::xml_node node, const char* name, const std::string& value) {
  node.append_attribute(name).set_value(value.c_str());
}

void set(pugi::xml_node node, const char* name, std::uint64_t value) {
  node.append_attribute(name).set_value(static_cast<unsigned long long>(value));
}

std::string to_string(const pugi::xml_document& document) {
  std::ostringstream text;
  document.save(text, "  ", pugi::format_indent | pugi::format_no_declaration);
  return text.str();
}

// The scenario refuses these by name and line; what slips through must not be dropped in silence,
// because the sample would then carry a knob that it didn't have.
void refuse_inexpressible(const DiskSpec& disk) {
  const auto refuse = [&](const char* knob) {
    throw std::invalid_argument(std::string{knob} + " can't be set on bus " + disk.bus +
                                ": libvirt has no word for it");
  };
  if (disk.bus == "scsi" && disk.queue_size) refuse("queue_size");
  if (disk.bus == "sata" && disk.queue_size) refuse("queue_size");
  if (disk.bus == "sata" && disk.queues) refuse("queues");
  if (disk.bus == "sata" && disk.iothread) refuse("iothread");
  if (disk.format != "qcow2" && disk.l2_cache_size)
    throw std::invalid_argument("l2_cache_size needs format qcow2, not " + disk.format);
  if (disk.serial.empty() || disk.serial.size() > 20)
    throw std::invalid_argument("serial '" + disk.serial + "': QEMU cuts it to 20 characters");
}

void add_driver(pugi::xml_node element, const DiskSpec& disk) {
  auto driver = element.append_child("driver");
  set(driver, "name", "qemu");
  set(driver, "type", disk.format);
  set(driver, "cache", disk.cache);
  // A write that fails must end the sample, not reach the guest's block layer as one slow request.
  set(driver, "error_policy", "stop");
  set(driver, "rerror_policy", "stop");
  set(driver, "io", disk.io);
  if (!disk.discard.empty()) set(driver, "discard", disk.discard);
  if (!disk.detect_zeroes.empty()) set(driver, "detect_zeroes", disk.detect_zeroes);
  if (disk.bus == "virtio") {
    if (disk.iothread) set(driver, "iothread", 1);
    if (disk.queues) set(driver, "queues", *disk.queues);
    if (disk.queue_size) set(driver, "queue_size", *disk.queue_size);
  }
  if (disk.l2_cache_size) {
    auto size = with_text(driver.append_child("metadata_cache"), "max_size",
                          std::to_string(disk.l2_cache_size->value));
    set(size, "unit", "bytes");
  }
}

void add_disk(pugi::xml_node parent, const DiskSpec& disk) {
  refuse_inexpressible(disk);
  auto element = parent.append_child("disk");
  set(element, "type", disk.source_is_block_device ? "block" : "file");
  set(element, "device", "disk");
  add_driver(element, disk);
  set(element.append_child("source"), disk.source_is_block_device ? "dev" : "file",
      disk.source.string());
  if (disk.read_only) element.append_child("readonly");
  auto target = element.append_child("target");
  set(target, "dev", disk.bus == "virtio" ? "vda" : "sda");
  set(target, "bus", disk.bus);
  if (!disk.iotune.empty()) {
    auto iotune = element.append_child("iotune");
    for (const auto& [name, value] : disk.iotune)
      with_text(iotune, name.c_str(), std::to_string(value));
  }
  with_text(element, "serial", disk.serial);
  auto blockio = element.append_child("blockio");
  set(blockio, "logical_block_size", disk.logical_block_size.value);
  set(blockio, "physical_block_size", disk.physical_block_size.value);
}

// With virtio-scsi the queues and the I/O thread belong to the controller.
void add_scsi_controller(pugi::xml_node devices, const DiskSpec& disk) {
  auto controller = devices.append_child("controller");
  set(controller, "type", "scsi");
  set(controller, "index", 0);
  set(controller, "model", "virtio-scsi");
  if (!disk.queues && !disk.iothread) return;
  auto driver = controller.append_child("driver");
  if (disk.queues) set(driver, "queues", *disk.queues);
  if (disk.iothread) set(driver, "iothread", 1);
}

void add_devices(pugi::xml_node domain, const DomainSpec& spec) {
  auto devices = domain.append_child("devices");
  with_text(devices, "emulator", spec.emulator.string());
  add_disk(devices, spec.disk);
  if (spec.disk.bus == "scsi") add_scsi_controller(devices, spec.disk);
  auto usb = devices.append_child("controller");
  set(usb, "type", "usb");
  set(usb, "model", "none");
  auto serial = devices.append_child("serial");
  set(serial, "type", "file");
  set(serial.append_child("source"), "path", spec.console_log.string());
  auto channel = devices.append_child("channel");
  set(channel, "type", "unix");
  auto target = channel.append_child("target");
  set(target, "type", "virtio");
  set(target, "name", spec.channel);
  set(devices.append_child("memballoon"), "model", "none");
}

void add_machine(pugi::xml_node domain, const DomainSpec& spec) {
  auto memory = with_text(domain, "memory", std::to_string(spec.memory.value));
  set(memory, "unit", "b");
  with_text(domain, "vcpu", std::to_string(spec.vcpus));
  if (spec.disk.iothread) with_text(domain, "iothreads", "1");
  auto os = domain.append_child("os");
  // One machine type for every bus, so that configurations differ in nothing else; q35 is the one
  // that has SATA.
  auto type = with_text(os, "type", "hvm");
  set(type, "arch", "x86_64");
  set(type, "machine", "q35");
  with_text(os, "kernel", spec.kernel.string());
  with_text(os, "initrd", spec.initramfs.string());
  with_text(os, "cmdline", spec.kernel_arguments);
  domain.append_child("features").append_child("acpi");
  auto cpu = domain.append_child("cpu");
  set(cpu, "mode", spec.accelerator == Accelerator::kvm ? "host-passthrough" : "maximum");
  // Without it KVM hides the invariant TSC, and the guest may leave it for a slow clock.
  if (spec.accelerator == Accelerator::kvm) set(cpu, "migratable", "off");
  set(domain.append_child("clock"), "offset", "utc");
  with_text(domain, "on_poweroff", "destroy");
  with_text(domain, "on_reboot", "destroy");
  with_text(domain, "on_crash", "destroy");
}

}  // namespace

std::string domain_xml(const DomainSpec& spec) {
  pugi::xml_document document;
  auto domain = document.append_child("domain");
  set(domain, "type", spec.accelerator == Accelerator::kvm ? "kvm" : "qemu");
  with_text(domain, "name", spec.name);
  auto tag = domain.append_child("metadata").append_child("vmtax:guest");
  set(tag, "xmlns:vmtax", tag_namespace);
  set(tag, "run", spec.run_id);
  add_machine(domain, spec);
  add_devices(domain, spec);
  return to_string(document);
}

std::string disk_xml(const DiskSpec& disk) {
  pugi::xml_document document;
  add_disk(document, disk);
  return to_string(document);
}

}  // namespace vmtax::guest
