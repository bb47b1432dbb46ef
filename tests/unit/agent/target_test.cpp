#include "agent/target.hpp"

#include <chrono>
#include <fstream>
#include <thread>

#include "kernel/failures.hpp"
#include "support/catch.hpp"
#include "support/temporary_directory.hpp"

using namespace vmtax;
using namespace vmtax::agent;
using Catch::Contains;

namespace {

struct FakeDevices {
  test::TemporaryDirectory folder;
  DeviceRoots roots{folder.path() / "sys", "/dev"};

  void add(const std::string& disk, const std::string& attribute, const std::string& bytes) {
    const auto file = roots.sys / "block" / disk / attribute;
    std::filesystem::create_directories(file.parent_path());
    std::ofstream{file, std::ios::binary} << bytes;
  }
  void add_scsi(const std::string& disk, const std::string& serial) {
    std::string page{"\0\x80\0", 3};
    page += static_cast<char>(serial.size());
    add(disk, "device/vpd_pg80", page + serial);
  }
  std::string find(const std::string& serial) const { return resolve_target({"", serial}, roots); }
};

}  // namespace

TEST_CASE("disks of every bus are found by serial, padded or not") {
  FakeDevices devices;
  devices.add("vda", "serial", "vmtax-virtio-1");
  devices.add("nvme0n1", "device/serial", "vmtax-nvme-2        \n");
  devices.add_scsi("sda", "vmtax-scsi-3");
  devices.add_scsi("sdb", "      vmtax-sata-4  ");
  devices.add("cciss!c0d0", "serial", "vmtax-raid");
  devices.add("loop0", "size", "8\n");
  CHECK(devices.find("vmtax-virtio-1") == "/dev/vda");
  CHECK(devices.find("vmtax-nvme-2") == "/dev/nvme0n1");
  CHECK(devices.find("vmtax-scsi-3") == "/dev/sda");
  CHECK(devices.find("vmtax-sata-4") == "/dev/sdb");
  CHECK(devices.find("vmtax-raid") == "/dev/cciss/c0d0");
}

TEST_CASE("no disk and two disks are refused, and the message lists what there is") {
  FakeDevices devices;
  CHECK_THROWS_WITH(devices.find("x"), Contains("no disk with one"));
  devices.add("vda", "serial", "twin");
  devices.add("vdb", "serial", "twin");
  devices.add("vdc", "serial", "");
  CHECK_THROWS_WITH(devices.find("twin"), Contains("2 disks") && Contains("vda"));
  CHECK_THROWS_WITH(devices.find("twi"), Contains("0 disks") && Contains("vdb \"twin\""));
  CHECK_THROWS_AS(devices.find("twin"), kernel::Refused);
}

TEST_CASE("pages that are cut short have no serial") {
  FakeDevices devices;
  devices.add("sda", "device/vpd_pg80", std::string{"\0\x80", 2});
  devices.add("sdb", "device/vpd_pg80", std::string{"\0\x80\0\x14", 4} + "abc");
  CHECK(disk_serial("sda", devices.roots.sys).empty());
  CHECK(disk_serial("sdb", devices.roots.sys) == "abc");
}

TEST_CASE("a path is taken as it is") {
  CHECK(resolve_target({"/dev/xyz", ""}) == "/dev/xyz");
}

TEST_CASE("a disk that appears later is waited for, one that never does only for so long") {
  using namespace std::chrono_literals;
  FakeDevices devices;
  const auto waited = [&](const std::string& serial, std::chrono::milliseconds limit) {
    const auto start = std::chrono::steady_clock::now();
    await_serial(serial, limit, devices.roots);
    return std::chrono::steady_clock::now() - start;
  };
  CHECK(waited("late", 50ms) >= 50ms);
  std::thread driver{[&] { devices.add("vda", "serial", "late"); }};
  CHECK(waited("late", 20s) < 10s);
  driver.join();
  CHECK(devices.find("late") == "/dev/vda");
}
