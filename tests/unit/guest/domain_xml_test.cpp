#include <functional>
#include <set>
#include <stdexcept>
#include <string>

#include <unistd.h>

#include "base/files.hpp"
#include "example_spec.hpp"
#include "support/catch.hpp"

using namespace vmtax;
using vmtax::guest::Accelerator;
using vmtax::guest::DiskSpec;
using vmtax::guest::DomainSpec;
using vmtax::test::example_disk;
using vmtax::test::example_guest;

namespace {

// Whole files, so that a change of the XML is read by whoever makes it. VMTAX_UPDATE_GOLDEN=1
// writes them anew.
void compare_with_golden(const std::string& name, const std::string& text) {
  const auto path = std::string{VMTAX_SOURCE_DIR "/tests/golden/guest/"} + name + ".xml";
  if (::getenv("VMTAX_UPDATE_GOLDEN")) write_atomically(path, text);
  INFO(path);
  CHECK(read_text(path) == text);
}

DiskSpec disk_on(const std::string& bus) {
  auto disk = example_disk();
  disk.bus = bus;
  return disk;
}

}  // namespace

TEST_CASE("a domain is as its golden file says") {
  auto spec = example_guest();
  SECTION("under emulation") {
    compare_with_golden("tcg", domain_xml(spec));
  }
  SECTION("under KVM") {
    spec.accelerator = Accelerator::kvm;
    spec.kernel_arguments = "console=ttyS0 panic=-1";
    compare_with_golden("kvm", domain_xml(spec));
  }
  SECTION("virtio with an I/O thread, queues and their size") {
    spec.disk.io = "io_uring";
    spec.disk.iothread = true;
    spec.disk.queues = 4;
    spec.disk.queue_size = 256;
    compare_with_golden("virtio-queues", domain_xml(spec));
  }
  SECTION("virtio-scsi carries queues and I/O thread on its controller") {
    spec.disk.bus = "scsi";
    spec.disk.iothread = true;
    spec.disk.queues = 2;
    compare_with_golden("scsi-queues", domain_xml(spec));
  }
  SECTION("scsi without them") {
    spec.disk.bus = "scsi";
    compare_with_golden("scsi", domain_xml(spec));
  }
  SECTION("sata") {
    spec.disk.bus = "sata";
    compare_with_golden("sata", domain_xml(spec));
  }
}

TEST_CASE("a disk is as its golden file says") {
  auto disk = example_disk();
  SECTION("a block device with 4096-byte sectors") {
    disk.source = "/dev/loop7p1";
    disk.source_is_block_device = true;
    disk.logical_block_size = kib(4);
    disk.physical_block_size = kib(4);
    compare_with_golden("disk-block-4k", disk_xml(disk));
  }
  SECTION("qcow2 with its cache") {
    disk.source = "/var/lib/vmtax/run-1/regions/xfs/disk.qcow2";
    disk.format = "qcow2";
    disk.cache = "writeback";
    disk.io = "threads";
    disk.l2_cache_size = mib(4);
    compare_with_golden("disk-qcow2-l2", disk_xml(disk));
  }
  SECTION("capped") {
    disk.iotune = {{"total_iops_sec", 5000}, {"read_bytes_sec", 1048576}};
    compare_with_golden("disk-iotune", disk_xml(disk));
  }
  SECTION("discard and zeroes") {
    disk.discard = "unmap";
    disk.detect_zeroes = "unmap";
    compare_with_golden("disk-discard", disk_xml(disk));
  }
}

TEST_CASE("every knob of a disk changes its domain") {
  const std::vector<std::function<void(DiskSpec&)>> knobs{
      [](DiskSpec& d) { d.source = "/other"; },
      [](DiskSpec& d) { d.source_is_block_device = true; },
      [](DiskSpec& d) { d.format = "qcow2"; },
      [](DiskSpec& d) { d.serial = "vmtax-2"; },
      [](DiskSpec& d) { d.bus = "scsi"; },
      [](DiskSpec& d) { d.bus = "sata"; },
      [](DiskSpec& d) { d.cache = "writeback"; },
      [](DiskSpec& d) { d.io = "io_uring"; },
      [](DiskSpec& d) { d.iothread = true; },
      [](DiskSpec& d) { d.queues = 2; },
      [](DiskSpec& d) { d.queue_size = 64; },
      [](DiskSpec& d) { d.discard = "unmap"; },
      [](DiskSpec& d) { d.detect_zeroes = "on"; },
      [](DiskSpec& d) {
        d.format = "qcow2";
        d.l2_cache_size = mib(1);
      },
      [](DiskSpec& d) {
        d.iotune = {{"total_iops_sec", 1}};
      },
      [](DiskSpec& d) { d.logical_block_size = kib(4); },
      [](DiskSpec& d) { d.physical_block_size = kib(4); }};
  std::set<std::string> seen{domain_xml(example_guest())};
  for (const auto& turn : knobs) {
    auto spec = example_guest();
    turn(spec.disk);
    INFO(domain_xml(spec));
    CHECK(seen.insert(domain_xml(spec)).second);
  }
}

TEST_CASE("what XML takes for markup is escaped") {
  auto spec = example_guest();
  spec.disk.source = "/srv/a&b/<x>'\".raw";
  spec.name = "a<b&c";
  spec.kernel_arguments = "x=\"1 && 2\"";
  const auto xml = domain_xml(spec);
  CHECK(xml.find("<name>a&lt;b&amp;c</name>") != std::string::npos);
  CHECK(xml.find("file=\"/srv/a&amp;b/&lt;x>'&quot;.raw\"") != std::string::npos);
  CHECK(xml.find("<cmdline>x=\"1 &amp;&amp; 2\"</cmdline>") != std::string::npos);
}

TEST_CASE("a knob that libvirt can't express is refused, never dropped") {
  const auto refused = [](const std::string& bus, const std::function<void(DiskSpec&)>& turn) {
    auto disk = disk_on(bus);
    turn(disk);
    CHECK_THROWS_AS(disk_xml(disk), std::invalid_argument);
  };
  refused("scsi", [](DiskSpec& d) { d.queue_size = 64; });
  refused("sata", [](DiskSpec& d) { d.queue_size = 64; });
  refused("sata", [](DiskSpec& d) { d.queues = 2; });
  refused("sata", [](DiskSpec& d) { d.iothread = true; });
  refused("virtio", [](DiskSpec& d) { d.l2_cache_size = mib(1); });
  refused("virtio", [](DiskSpec& d) { d.serial = "one-and-twenty-letters"; });
  refused("virtio", [](DiskSpec& d) { d.serial.clear(); });
}
