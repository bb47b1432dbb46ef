// A guest as the tests describe it, and the same with one thing changed.
#pragma once

#include "guest/domain_spec.hpp"

namespace vmtax::test {

inline guest::DiskSpec example_disk() {
  guest::DiskSpec disk;
  disk.source = "/var/lib/vmtax/run-1/regions/ext4/disk.raw";
  disk.format = "raw";
  disk.serial = "vmtax-1";
  disk.bus = "virtio";
  disk.cache = "none";
  disk.io = "native";
  return disk;
}

inline guest::DomainSpec example_guest() {
  guest::DomainSpec spec;
  spec.name = "vmtax-run-1-7";
  spec.run_id = "run-1";
  spec.emulator = "/usr/bin/qemu-system-x86_64";
  spec.vcpus = 2;
  spec.memory = mib(512);
  spec.kernel = "/var/cache/vmtax/kernel/boot/vmlinuz-6.1.0-1";
  spec.initramfs = "/var/cache/vmtax/initramfs-6.1.0-1-0123456789ab.img";
  spec.kernel_arguments = "console=ttyS0 panic=-1 tsc=reliable";
  spec.console_log = "/var/lib/vmtax/run-1/console.log";
  spec.disk = example_disk();
  return spec;
}

}  // namespace vmtax::test
