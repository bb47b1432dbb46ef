#include <set>

#include "base/errors.hpp"
#include "plan/room.hpp"
#include "planned.hpp"
#include "support/catch.hpp"

namespace vmtax::plan {
namespace {

using namespace test;

std::string refusal_of(const scenario::Scenario& scenario, Bytes size = gib(100),
                       Bytes sector = Bytes{512}) {
  try {
    plan_of(scenario, size, sector);
  } catch (const ScenarioError& error) {
    return error.what();
  }
  return "";
}

TEST_CASE("regions are equal, aligned, apart, and leave room for the table") {
  const auto drive = plan_of(scenario_of(one_drive, four_ways)).drives.at(0);
  REQUIRE(drive.regions.size() == 3);
  CHECK(drive.regions[0].name == "bare");
  CHECK(drive.regions[1].name == "ext4");
  CHECK(drive.regions[2].name == "xfs");
  Bytes end = mib(1);
  for (const auto& region : drive.regions) {
    CHECK(region.offset == end);
    CHECK(region.offset.value % mib(1).value == 0);
    CHECK(region.size == drive.regions[0].size);
    end = region.offset + region.size;
  }
  CHECK(end + mib(1) <= gib(4));
  CHECK(gib(4) - end < mib(1 + 3));
}

TEST_CASE("configurations that store alike share a footprint") {
  const auto drive =
      plan_of(scenario_of(one_drive,
                          "[{backing: passthrough, cache: [none, unsafe]}, "
                          "{backing: raw, filesystem: ext4, iothread: [true, false]}, "
                          "{name: falloc, backing: raw, filesystem: ext4, preallocation: falloc}, "
                          "{backing: qcow2, filesystem: ext4, cluster_size: [64KiB, 2MiB], "
                          "l2_cache_size: [1MiB, 2MiB]}, "
                          "{name: sub, backing: qcow2, filesystem: ext4, extended_l2: true, "
                          "lazy_refcounts: true}]"))
          .drives.at(0);
  std::vector<std::string> names;
  for (const auto& footprint : drive.footprints) names.push_back(footprint.name);
  CHECK(names == std::vector<std::string>{"bare", "ext4/raw", "ext4/raw-falloc", "ext4/qcow2-64KiB",
                                          "ext4/qcow2-2MiB", "ext4/qcow2-extended_l2-lazy"});
  CHECK(drive.configurations.size() == 2 + 2 + 1 + 4 + 1);
  CHECK(drive.configurations[0].footprint == drive.configurations[1].footprint);
}

TEST_CASE("the span is the largest that fits every configuration") {
  const auto largest = [](const std::string& configurations) {
    return plan_of(scenario_of(one_drive, configurations)).drives.at(0);
  };
  const auto alone = largest("[{backing: passthrough}]");
  CHECK(alone.span == mib(4096 - 2));
  CHECK(alone.footprints.at(0).size == alone.regions.at(0).size);

  for (const std::string filesystem : {"ext4", "xfs"}) {
    const auto images = largest("[{backing: raw, filesystem: " + filesystem +
                                "}, {backing: qcow2, filesystem: " + filesystem + "}]");
    CHECK(images.span.value % mib(1).value == 0);
    const Bytes room = room_in(*images.regions.at(1).filesystem, images.regions.at(1).size);
    const auto needed = [](Bytes span) {
      return image_size(scenario::Backing::raw, {}, span) +
             image_size(scenario::Backing::qcow2, {}, span);
    };
    CHECK(needed(images.span) <= room);
    CHECK(needed(images.span + mib(1)) > room);
    CHECK(images.footprints.at(1).size == images.span);
  }
}

TEST_CASE("a given span is taken where it fits, and what would be needed is said where not") {
  const std::string configurations = "[{backing: passthrough}, {backing: raw, filesystem: ext4}]";
  const auto with = [&](const std::string& size, const std::string& span) {
    return scenario_of(
        "[{name: d, stand_in: {directory: /var/tmp, size: " + size + "}, span: " + span + "}]",
        configurations);
  };
  CHECK(plan_of(with("2GiB", "256MiB")).drives.at(0).span == mib(256));
  const auto message = refusal_of(with("600MiB", "512MiB"));
  REQUIRE(message ==
          "test.yaml:3:10: drive 'd' of 600MiB has no room for a span of 512MiB in its 2 regions; "
          "allowed: a drive of at least 1176MiB, or a span up to 253MiB");
  // What it says is true, to the unit.
  CHECK(plan_of(with("1176MiB", "512MiB")).drives.at(0).span == mib(512));
  CHECK(refusal_of(with("1175MiB", "512MiB")) != "");
  CHECK(plan_of(with("600MiB", "253MiB")).drives.at(0).span == mib(253));
  CHECK(refusal_of(with("600MiB", "254MiB")) != "");
}

TEST_CASE("every drive size up to 8 GiB gives a layout that fits, or a message") {
  const std::string configurations =
      "[{backing: raw, filesystem: [ext4, xfs]}, {backing: qcow2, filesystem: xfs, cluster_size: "
      "[512B, 2MiB]}]";
  Bytes before;
  for (std::uint64_t size = 16; size <= 8192; size += 61) {
    const auto scenario = scenario_of(
        "[{name: d, stand_in: {directory: /var/tmp, size: " + std::to_string(size) + "MiB}}]",
        configurations);
    const auto message = refusal_of(scenario);
    if (!message.empty()) {
      CHECK(message.find("is too small for its 3 regions; allowed: at least ") !=
            std::string::npos);
      CHECK(before == Bytes{});
      continue;
    }
    const auto drive = plan_of(scenario).drives.at(0);
    CHECK(drive.span >= before);
    before = drive.span;
  }
  CHECK(before > gib(1) / 2);
}

TEST_CASE("a drive without consent is one region that is never written") {
  const auto scenario = scenario::parse(
      "version: 1\nname: t\ndrives: [{name: d, path: /dev/disk/by-id/x}]\n"
      "configurations: [{backing: passthrough}]\nworkloads: [{name: w, pattern: read}]\n",
      "t.yaml");
  const auto plan = plan_of(scenario, Bytes{100'000'000'000});
  const auto& drive = plan.drives.at(0);
  CHECK_FALSE(drive.writable);
  REQUIRE(drive.regions.size() == 1);
  CHECK(drive.regions[0].offset == Bytes{0});
  CHECK(drive.span == round_down(Bytes{100'000'000'000}, mib(1)));
  CHECK(plan.estimate.filled == Bytes{0});
}

TEST_CASE("sectors of 4096 bytes forbid small blocks and sata") {
  const std::string drives = "[{name: d, path: /dev/disk/by-id/x, erase: S1}]";
  const std::string blocks = "measure: {rounds: 1}\n";
  CHECK(refusal_of(scenario_of(drives, "[{backing: passthrough}]"), gib(10), kib(4)) == "");
  CHECK(refusal_of(scenario_of(drives, "[{backing: passthrough, bus: sata}]"), gib(10), kib(4))
            .starts_with(
                "test.yaml:4:18: bus sata of configuration 'passthrough' can't carry a drive "
                "with sectors of 4KiB; allowed: bus virtio or scsi"));
  auto small = scenario_of(drives, "[{backing: passthrough}]");
  small.workloads[0].block_size = Bytes{512};
  CHECK(refusal_of(small, gib(10), kib(4))
            .starts_with("test.yaml:6:5: block_size 512B of workload 'r'"));
  CHECK(refusal_of(small, gib(10)) == "");
}

}  // namespace
}  // namespace vmtax::plan
