#include "scenario_text.hpp"
#include "support/catch.hpp"

namespace vmtax::scenario {
namespace {

const std::string good = VMTAX_SOURCE_DIR "/tests/unit/scenario/good/";

TEST_CASE("what a scenario leaves out has its default") {
  const auto scenario = load(good + "minimal.yaml");
  CHECK(scenario.guest.image == "micro");
  CHECK(scenario.guest.kernel == "auto");
  CHECK(scenario.guest.accelerator == Accelerator::automatic);
  CHECK(scenario.guest.vcpus == 1);
  CHECK(scenario.guest.memory == mib(512));
  CHECK(scenario.guest.connection == "embed");
  CHECK(scenario.measure.runtime == std::chrono::seconds{30});
  CHECK(scenario.measure.ramp == std::chrono::seconds{5});
  CHECK(scenario.measure.rounds == 5);
  CHECK(scenario.measure.visit == VisitKind::workload);
  CHECK(scenario.measure.seed == 1);
  CHECK_FALSE(scenario.measure.budget);
  CHECK(scenario.formats.size() == 4);
  const auto& workload = scenario.workloads.at(0);
  CHECK(workload.block_size == kib(4));
  CHECK(workload.iodepths == std::vector<std::uint32_t>{1});
  CHECK(workload.engine == protocol::Engine::io_uring);
  CHECK(workload.direct);
  CHECK_FALSE(scenario.drives.at(0).span);
}

TEST_CASE("every section's keys arrive") {
  const auto scenario = load(good + "every-key.yaml");
  CHECK(scenario.name == "every key: ä, 名前, <b>&amp;</b>");
  REQUIRE(scenario.drives.size() == 4);
  const auto& stand_in = std::get<StandIn>(scenario.drives[0].where);
  CHECK(stand_in.directory == "/var/tmp");
  CHECK(stand_in.size == gib(20));
  REQUIRE(stand_in.throttle);
  CHECK(stand_in.throttle->iops == 1500);
  CHECK(stand_in.throttle->bandwidth_per_second == Bytes{50'000'000});
  CHECK(scenario.drives[0].span == mib(512));
  const auto& real = std::get<DevicePath>(scenario.drives[1].where);
  CHECK(real.path == "/dev/disk/by-id/nvme-INTEL_SSDPED1D280GA_PHMB7423");
  CHECK(real.erase == "PHMB7423");
  CHECK(scenario.drives[2].name == "2024");
  CHECK(std::get<DevicePath>(scenario.drives[2].where).erase == "12345678");

  CHECK(scenario.guest.kernel == "/boot/vmlinuz-6.1.0-13-cloud-amd64");
  CHECK(scenario.guest.accelerator == Accelerator::tcg);
  CHECK(scenario.guest.vcpus == 4);
  CHECK(scenario.guest.memory == gib(2));
  CHECK(scenario.guest.connection == "qemu+ssh://root@host/system");

  REQUIRE(scenario.workloads.size() == 2);
  CHECK(scenario.workloads[0].block_size == kib(512));
  CHECK(scenario.workloads[0].iodepths == std::vector<std::uint32_t>{1, 2, 128});
  CHECK(scenario.workloads[1].pattern == protocol::Pattern::randwrite);
  CHECK(scenario.workloads[1].engine == protocol::Engine::psync);
  CHECK_FALSE(scenario.workloads[1].direct);

  CHECK(scenario.measure.runtime == std::chrono::minutes{30});
  CHECK(scenario.measure.ramp == Nanoseconds{0});
  CHECK(scenario.measure.visit == VisitKind::all);
  CHECK(scenario.measure.budget == std::chrono::hours{8});
  CHECK(scenario.formats == std::vector<ReportFormat>{ReportFormat::csv});
}

TEST_CASE("a drive may be read without consent, and written with it") {
  CHECK_NOTHROW(load(good + "read-only-drive.yaml"));
  const auto stable = [](const std::string& path) {
    return test::refusal_of([&] {
      parse("version: 1\nname: t\ndrives: [{name: d, path: " + path +
                "}]\nconfigurations: [{backing: passthrough}]\nworkloads: [{name: w, pattern: "
                "read}]\n",
            "t.yaml");
    });
  };
  for (const std::string path :
       {"/dev/loop0", "/dev/zram1", "/dev/nullb0", "/dev/mapper/a-b", "/dev/vg/lv",
        "/dev/disk/by-path/pci-0000:00:1f.2-ata-1", "/dev/md/storage"})
    CHECK(stable(path) == "");
  for (const std::string path :
       {"/dev/sda", "/dev/sdaa1", "/dev/vdb", "/dev/xvda", "/dev/hda", "/dev/nvme1n1p2",
        "/dev/mmcblk0", "/dev/md0", "/dev/dm-0", "/dev/nbd3"})
    CHECK(stable(path).find("may be another drive after a reboot") != std::string::npos);
}

}  // namespace
}  // namespace vmtax::scenario
