#include "drive/regions.hpp"

#include <fstream>

#include <nlohmann/json.hpp>

#include "base/child_process.hpp"
#include "base/errors.hpp"
#include "devices.hpp"
#include "drive/inspect.hpp"
#include "drive/loop_device.hpp"
#include "drive/partition_table.hpp"
#include "support/catch.hpp"

using namespace vmtax;
using namespace vmtax::drive;
using Catch::Contains;
using journal::Journal;

namespace {

GuardedDrive own(const std::filesystem::path& node) {
  return {node, true, std::nullopt, inspect(node).size};
}

std::uint64_t sysfs_number(const std::filesystem::path& node, const char* attribute) {
  return read_number(sysfs_of(node.filename().string()) / attribute).value_or(0);
}

ImageSpec image(const std::filesystem::path& path, const std::string& format, Bytes size) {
  return {path, format, size, "off", std::nullopt, std::nullopt, std::nullopt};
}

// A marked loop device alone, over a file that already has contents.
struct OwnLoop {
  explicit OwnLoop(const std::filesystem::path& backing, Bytes sector = Bytes{512})
      : file(backing), name(attach_loop(backing, "run1-own", sector)) {}
  ~OwnLoop() { detach_loop(file, "run1-own"); }
  OwnLoop(const OwnLoop&) = delete;
  OwnLoop& operator=(const OwnLoop&) = delete;

  std::filesystem::path file;
  std::string name;
};

}  // namespace

TEST_CASE("regions are made, used and removed without a trace") {
  const test::Workplace place;
  Journal journal(place.journals, "run1", removers());
  const auto node = make_stand_in(place.stand_in("run1-d", mib(1024)), journal);
  const std::vector<Slice> slices{
      {"bare", mib(1), mib(256)}, {"ext4", mib(257), mib(300)}, {"xfs", mib(557), mib(400)}};
  const auto partitions = make_partitions(own(node), slices, journal);
  REQUIRE(partitions.size() == 3);
  for (std::size_t i = 0; i < slices.size(); ++i) {
    CHECK(sysfs_number(partitions[i], "start") * 512 == slices[i].offset.value);
    CHECK(sysfs_number(partitions[i], "size") * 512 == slices[i].size.value);
    CHECK(partition_name(partitions[i].filename()) == "vmtax-" + slices[i].name);
  }
  for (const std::string kind : {"ext4", "xfs"}) {
    const auto mountpoint = place.things / "mounts" / kind;
    make_filesystem(partitions[kind == "ext4" ? 1 : 2], kind, mountpoint, journal);
    const auto mount = mounted_at(mountpoint);
    REQUIRE(mount);
    CHECK(mount->type == kind);

    auto spec = image(mountpoint / "guest.qcow2", "qcow2", mib(64));
    spec.preallocation = "metadata";
    spec.cluster_size = kib(128);
    spec.extended_l2 = true;
    spec.lazy_refcounts = true;
    make_image(spec, journal);
    const auto facts = image_facts(spec.path, "qcow2");
    CHECK(facts.at("virtual_size") == mib(64).value);
    CHECK(facts.at("allocated") < mib(16).value);

    auto full = image(mountpoint / "guest.raw", "raw", mib(32));
    full.preallocation = "full";
    make_image(full, journal);
    CHECK(image_facts(full.path, "raw").at("allocated") >= mib(32).value);
  }
  // Nothing was discarded on the way: the stand-in's file is as allocated as it was.
  const auto file = place.things / "vmtax-run1-d/disk.img";
  CHECK(std::stoull(test::tool({"stat", "-c", "%b", file.string()})) * 512 >= mib(1024).value);

  journal.remove_all();
  CHECK(place.left().empty());
}

TEST_CASE("partitions on a drive with 4096-byte sectors are in its sectors") {
  const test::Workplace place;
  const auto file = test::random_file(place.things / "disk", 64);
  const OwnLoop loop(file, kib(4));
  Journal journal(place.journals, "run1", removers());
  const auto name = loop.name;
  const auto node = node_of(name);
  const auto before = test::checksum(node);
  REQUIRE(inspect(node).logical_sector == kib(4));
  const auto partitions = make_partitions(own(node), {{"bare", mib(2), mib(61)}}, journal);
  CHECK(sysfs_number(partitions.at(0), "start") * 512 == mib(2).value);
  CHECK(sysfs_number(partitions.at(0), "size") * 512 == mib(61).value);
  journal.remove_all();
  CHECK(partitions_of(name).empty());
  CHECK_FALSE(table_guids(node).primary);
  CHECK_FALSE(table_guids(node).backup);
  CHECK(test::checksum(node) != before);
}

TEST_CASE("only the table's own bytes are erased") {
  const test::Workplace place;
  const auto file = test::random_file(place.things / "disk", 16);
  const OwnLoop loop(file);
  Journal journal(place.journals, "run1", removers());
  const auto node = node_of(loop.name);
  const auto between = [&] {
    return test::tool(
        {"sh", "-c",
         "dd if=" + node.string() + " bs=512 skip=34 count=32700 status=none | sha256sum"});
  };
  const auto data = between();
  make_partitions(own(node), {{"bare", mib(1), mib(14)}}, journal);
  CHECK(table_guids(node).primary);
  journal.remove_all();
  CHECK_FALSE(table_guids(node).primary);
  CHECK(between() == data);
}

TEST_CASE("a table that is not ours any more stays") {
  const test::Workplace place;
  const auto file = test::random_file(place.things / "disk", 16);
  const OwnLoop loop(file);
  Journal journal(place.journals, "run1", removers());
  const auto name = loop.name;
  const auto node = node_of(name);
  make_partitions(own(node), {{"bare", mib(1), mib(14)}}, journal);
  test::tool(
      {"sfdisk", "--quiet", "--disk-id", node.string(), "11111111-2222-4333-8444-555555555555"});
  const auto before = test::checksum(node);
  journal.remove_all();
  CHECK(test::checksum(node) == before);
}

TEST_CASE("a busy drive gets no new table and keeps the old one") {
  const test::Workplace place;
  Journal journal(place.journals, "run1", removers());
  const auto node = make_stand_in(place.stand_in("run1-d", mib(64)), journal);
  const auto partitions = make_partitions(own(node), {{"ext4", mib(1), mib(40)}}, journal);
  const auto mountpoint = place.things / "m";
  make_filesystem(partitions.at(0), "ext4", mountpoint, journal);
  const auto guid = table_guids(node).primary;
  CHECK_THROWS_WITH(make_partitions(own(node), {{"bare", mib(1), mib(40)}}, journal),
                    Contains("is mounted at " + mountpoint.string()));
  CHECK_THROWS_WITH(make_filesystem(partitions.at(0), "xfs", place.things / "n", journal),
                    Contains("in use") && Contains("mounted"));
  CHECK(table_guids(node).primary == guid);
  CHECK(mounted_at(mountpoint)->type == "ext4");
  journal.remove_all();
  CHECK(place.left().empty());
}

TEST_CASE("a file system that somebody holds is not taken from them, and they are named") {
  const test::Workplace place;
  Journal journal(place.journals, "run1", removers());
  const auto node = make_stand_in(place.stand_in("run1-d", mib(64)), journal);
  const auto partitions = make_partitions(own(node), {{"ext4", mib(1), mib(40)}}, journal);
  const auto mountpoint = place.things / "m";
  make_filesystem(partitions.at(0), "ext4", mountpoint, journal);
  {
    ChildProcess holder({"sh", "-c", "cd " + mountpoint.string() + " && echo in && cat"},
                        (place.folder.path() / "err").string());
    char word[8];
    holder.channel().read_some(word, Deadline{"the holder is in", std::chrono::seconds{10}});
    CHECK_THROWS_WITH(
        journal.remove_all(),
        Contains("held by") && Contains("(pid " + std::to_string(holder.pid()) + ")"));
    CHECK(mounted_at(mountpoint));
    CHECK(table_guids(node).primary);
  }
  journal.remove_all();
  CHECK(place.left().empty());
}

TEST_CASE("a partition that vmtax did not make is not formatted") {
  const test::Workplace place;
  Journal journal(place.journals, "run1", removers());
  const test::ForeignLoop theirs(test::random_file(place.things / "disk", 16), {"-P"});
  run_checked({"sfdisk", "--quiet", theirs.node}, std::chrono::seconds{30},
              "label: gpt\nname=data\n");
  run_process({"partx", "--add", theirs.node}, std::chrono::seconds{30});
  const auto before = test::checksum(theirs.node);
  CHECK_THROWS_WITH(make_filesystem(theirs.node + "p1", "ext4", place.things / "m", journal),
                    Contains("no region that vmtax made"));
  CHECK_THROWS_WITH(make_filesystem(theirs.node, "ext4", place.things / "m", journal),
                    Contains("no region that vmtax made"));
  CHECK(test::checksum(theirs.node) == before);
}

TEST_CASE("slices that don't fit are refused before anything is written") {
  const test::Workplace place;
  Journal journal(place.journals, "run1", removers());
  const auto node = make_stand_in(place.stand_in("run1-d", mib(16)), journal);
  const auto before = test::checksum(node);
  const std::vector<std::vector<Slice>> bad{{{"a", mib(1), mib(15)}},
                                            {{"a", Bytes{0}, mib(2)}},
                                            {{"a", mib(1), mib(4)}, {"b", mib(4), mib(2)}},
                                            {{"a", kib(1536), mib(2)}},
                                            {{"a", mib(1), Bytes{1000}}},
                                            {{std::string(31, 'a'), mib(1), mib(2)}}};
  for (const auto& slices : bad)
    CHECK_THROWS_AS(make_partitions(own(node), slices, journal), std::logic_error);
  CHECK(test::checksum(node) == before);
}

TEST_CASE("an image that would not fit when full is refused, the others' promises counted") {
  const test::Workplace place;
  Journal journal(place.journals, "run1", removers());
  const auto node = make_stand_in(place.stand_in("run1-d", mib(128)), journal);
  const auto partitions = make_partitions(own(node), {{"ext4", mib(1), mib(100)}}, journal);
  const auto mountpoint = place.things / "m";
  make_filesystem(partitions.at(0), "ext4", mountpoint, journal);
  CHECK_THROWS_WITH(make_image(image(mountpoint / "big.raw", "raw", mib(120)), journal),
                    Contains("no room") && Contains("120MiB needed"));
  make_image(image(mountpoint / "a.raw", "raw", mib(50)), journal);
  CHECK_THROWS_WITH(make_image(image(mountpoint / "b.raw", "raw", mib(50)), journal),
                    Contains("100MiB needed"));
  make_image(image(mountpoint / "c.raw", "raw", mib(20)), journal);
  journal.remove_all();
  CHECK(place.left().empty());
}
