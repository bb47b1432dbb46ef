#include "drive/inspect.hpp"

#include <nlohmann/json.hpp>

#include "base/errors.hpp"
#include "drive/block_device.hpp"
#include "recorded_tree.hpp"
#include "support/catch.hpp"

using namespace vmtax;
using namespace vmtax::drive;

namespace {

// An NVMe with 4096-byte sectors as Linux shows it; sizes in sysfs count 512 bytes all the same.
struct Nvme : test::RecordedTree {
  Nvme() {
    disk("nvme77n1", "259:70");
    sys("devices/nvme77n1/size", "547002288\n");
    sys("devices/nvme77n1/ro", "0\n");
    sys("devices/nvme77n1/queue/logical_block_size", "4096\n");
    sys("devices/nvme77n1/queue/physical_block_size", "4096\n");
    sys("devices/nvme77n1/queue/rotational", "0\n");
    sys("devices/nvme77n1/queue/scheduler", "[none] mq-deadline kyber \n");
    sys("devices/nvme77n1/device/model", "INTEL SSDPED1D280GA                     \n");
    sys("devices/nvme77n1/device/serial", "PHMB742300A5280CGN  \n");
    partition("nvme77n1", "nvme77n1p2", "259:72", 2);
    partition("nvme77n1", "nvme77n1p10", "259:80", 10);
    sys("devices/nvme77n1/nvme77n1p2/size", "2048\n");
    sys("devices/nvme77n1/nvme77n1p2/ro", "1\n");
  }
};

}  // namespace

TEST_CASE("an NVMe is inspected") {
  const Nvme tree;
  const auto facts = facts_of("nvme77n1", tree.roots());
  CHECK(facts.device == "/dev/nvme77n1");
  CHECK(facts.size == Bytes{280065171456});
  CHECK(facts.logical_sector == Bytes{4096});
  CHECK(facts.physical_sector == Bytes{4096});
  CHECK_FALSE(facts.rotational);
  CHECK_FALSE(facts.read_only);
  CHECK(facts.model == "INTEL SSDPED1D280GA");
  CHECK(facts.serial == "PHMB742300A5280CGN");
  CHECK(facts.scheduler == "none");
  CHECK(to_json(facts).at("size") == 280065171456);
}

TEST_CASE("a partition has its own size and its disk's identity") {
  const Nvme tree;
  const auto facts = facts_of("nvme77n1p2", tree.roots());
  CHECK(facts.size == mib(1));
  CHECK(facts.read_only);
  CHECK(facts.logical_sector == Bytes{4096});
  CHECK(facts.serial == "PHMB742300A5280CGN");
  CHECK(whole_disk("nvme77n1p2", tree.roots()) == "nvme77n1");
  CHECK(whole_disk("nvme77n1", tree.roots()) == "nvme77n1");
  // By number, not by name: p10 would sort before p2.
  CHECK(family_of("nvme77n1", tree.roots()) ==
        std::vector<std::string>{"nvme77n1", "nvme77n1p2", "nvme77n1p10"});
}

TEST_CASE("the serial of a SCSI or ATA disk is on page 0x80, binary and padded") {
  test::RecordedTree tree;
  tree.disk("sdzz", "65:160");
  tree.sys("devices/sdzz/queue/rotational", "1\n");
  tree.sys("devices/sdzz/queue/scheduler", "mq-deadline\n");
  tree.sys("devices/sdzz/device/vpd_pg80",
           std::string("\x00\x80\x00\x14", 4) + "           WD-WX12A3");
  const auto facts = facts_of("sdzz", tree.roots());
  CHECK(facts.serial == "WD-WX12A3");
  CHECK(facts.rotational);
  CHECK(facts.scheduler == "mq-deadline");
}

TEST_CASE("a truncated serial page is no serial") {
  test::RecordedTree tree;
  tree.disk("sdzz", "65:160");
  tree.sys("devices/sdzz/device/vpd_pg80", std::string("\x00\x80", 2));
  CHECK(facts_of("sdzz", tree.roots()).serial.empty());
}

TEST_CASE("a virtio disk has its serial on the disk itself") {
  test::RecordedTree tree;
  tree.disk("vdzz", "254:160");
  tree.sys("devices/vdzz/serial", "vmtax-a1b2c3-scratch");
  CHECK(facts_of("vdzz", tree.roots()).serial == "vmtax-a1b2c3-scratch");
}

TEST_CASE("what is no block device is refused by name") {
  CHECK_THROWS_WITH(inspect("/dev/disk/by-id/none-such"),
                    Catch::Contains("does not exist") && Catch::Contains("by-id/none-such"));
  CHECK_THROWS_WITH(inspect("/dev/null"), Catch::Contains("no block device"));
  CHECK_THROWS_AS(inspect("/tmp"), EnvironmentError);
}
