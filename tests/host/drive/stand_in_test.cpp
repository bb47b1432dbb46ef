#include "drive/stand_in.hpp"

#include <sys/mount.h>
#include <sys/stat.h>

#include "base/errors.hpp"
#include "devices.hpp"
#include "drive/inspect.hpp"
#include "drive/loop_device.hpp"
#include "support/catch.hpp"

using namespace vmtax;
using namespace vmtax::drive;
using Catch::Contains;
using journal::Journal;

TEST_CASE("a stand-in is an allocated file behind a loop device with direct I/O") {
  const test::Workplace place;
  const test::ForeignLoop bystander(test::random_file(place.folder.path() / "other", 1));
  {
    Journal journal(place.journals, "run1", removers());
    const auto node = make_stand_in(place.stand_in("run1-fast", mib(64)), journal);
    const auto name = node.filename().string();
    CHECK(read_attribute(sysfs_of(name) / "loop/dio") == "1");
    CHECK(read_attribute(sysfs_of(name) / "loop/autoclear") == "0");
    CHECK(is_stand_in(name));
    const auto facts = inspect(node);
    CHECK(facts.size == mib(64));
    CHECK(facts.logical_sector == Bytes{512});
    CHECK(facts.serial.empty());
    struct stat status {};
    REQUIRE(::stat((place.things / "vmtax-run1-fast/disk.img").c_str(), &status) == 0);
    CHECK(status.st_blocks * 512 >= status.st_size);
    CHECK_FALSE(is_stand_in(std::filesystem::path{bystander.node}.filename().string()));
    journal.remove_all();
    CHECK(place.left().empty());
  }
  CHECK(bystander.attached());
}

TEST_CASE("parents that were missing are removed too, unless others use them") {
  const test::Workplace place;
  Journal journal(place.journals, "run1", removers());
  auto spec = place.stand_in("run1-a", mib(8));
  spec.directory = place.things / "new/deep";
  make_stand_in(spec, journal);
  std::filesystem::create_directory(place.things / "new/of-others");
  journal.remove_all();
  CHECK(std::filesystem::exists(place.things / "new/of-others"));
  CHECK_FALSE(std::filesystem::exists(place.things / "new/deep"));
}

TEST_CASE("too large a stand-in is refused with needed and available") {
  const test::Workplace place;
  {
    Journal journal(place.journals, "run1", removers());
    CHECK_THROWS_WITH(make_stand_in(place.stand_in("run1-huge", gib(1) * (1U << 20)), journal),
                      Contains("1024TiB needed") && Contains("available"));
  }
  CHECK(place.left().empty());
}

TEST_CASE("a size that is no multiple of 4KiB is the author's error") {
  const test::Workplace place;
  Journal journal(place.journals, "run1", removers());
  CHECK_THROWS_AS(make_stand_in(place.stand_in("run1-odd", Bytes{1000000}), journal),
                  ScenarioError);
}

TEST_CASE("a directory without direct I/O is refused") {
  const test::Workplace place;
  REQUIRE(::mount("none", place.things.c_str(), "ramfs", 0, nullptr) == 0);
  {
    Journal journal(place.journals, "run1", removers());
    CHECK_THROWS_WITH(make_stand_in(place.stand_in("run1-ram", mib(8)), journal),
                      Contains("direct I/O") && Contains("choose a directory"));
    journal.remove_all();
    CHECK(std::filesystem::is_empty(place.things));
  }
  REQUIRE(::umount(place.things.c_str()) == 0);
}

TEST_CASE("what is already at the place is neither used nor removed") {
  const test::Workplace place;
  const auto theirs = place.things / "vmtax-run1-a";
  std::filesystem::create_directory(theirs);
  test::random_file(theirs / "disk.img", 1);
  const auto before = test::checksum(theirs / "disk.img");
  {
    Journal journal(place.journals, "run1", removers());
    CHECK_THROWS_WITH(make_stand_in(place.stand_in("run1-a", mib(8)), journal),
                      Contains("exists already"));
  }
  CHECK(test::checksum(theirs / "disk.img") == before);
}

TEST_CASE("a loop device that somebody put over our file is not ours to detach") {
  const test::Workplace place;
  Journal journal(place.journals, "run1", removers());
  const auto node = make_stand_in(place.stand_in("run1-a", mib(8)), journal);
  const auto file = place.things / "vmtax-run1-a/disk.img";
  {
    const test::ForeignLoop theirs(file);
    CHECK_THROWS_WITH(journal.remove_all(), Contains("disk.img' is still behind"));
    CHECK(theirs.attached());
    CHECK_FALSE(is_stand_in(node.filename().string()));
    CHECK(std::filesystem::exists(file));
  }
  journal.remove_all();
  CHECK(place.left().empty());
}
