#include "drive/device_use.hpp"

#include "drive/processes.hpp"
#include "recorded_tree.hpp"
#include "support/catch.hpp"

using namespace vmtax;
using namespace vmtax::drive;
using Catch::Contains;

namespace {

struct TwoDisks : test::RecordedTree {
  TwoDisks() {
    disk("sdzz", "65:160");
    partition("sdzz", "sdzz1", "65:161", 1);
    partition("sdzz", "sdzz2", "65:162", 2);
    disk("sdzy", "65:144");
  }
};

}  // namespace

TEST_CASE("an idle disk has no users") {
  const TwoDisks tree;
  CHECK(users_of_disk("sdzz", tree.roots()).empty());
}

TEST_CASE("mounts of partitions are users, in any namespace") {
  TwoDisks tree;
  tree.proc("self/mountinfo", "30 1 65:161 / /srv rw - ext4 /dev/sdzz1 rw\n");
  tree.process(700, "containerd", "31 1 65:162 / /var/lib/x rw - xfs /dev/sdzz2 rw\n");
  const auto users = users_of_disk("sdzz", tree.roots());
  REQUIRE(users.size() == 2);
  CHECK_THAT(users[0], Contains("sdzz1 is mounted at /srv") && Contains("umount /srv"));
  CHECK_THAT(users[1], Contains("sdzz2 is mounted at /var/lib/x") &&
                           Contains("mount namespace of containerd (pid 700)"));
  CHECK(users_of_disk("sdzy", tree.roots()).empty());
}

TEST_CASE("btrfs is found by its source and, for further members, in sysfs") {
  TwoDisks tree;
  tree.proc("self/mountinfo", "30 1 0:45 / /srv rw - btrfs /dev/sdzz1 rw\n");
  tree.sys("fs/btrfs/1234-uuid/devices/sdzz1", "");
  tree.sys("fs/btrfs/1234-uuid/devices/sdzy", "");
  const auto first = users_of_disk("sdzz", tree.roots());
  REQUIRE(first.size() == 1);
  CHECK_THAT(first[0], Contains("sdzz1 is mounted at /srv (btrfs)"));
  const auto second = users_of_disk("sdzy", tree.roots());
  REQUIRE(second.size() == 1);
  CHECK_THAT(second[0], Contains("part of the mounted btrfs 1234-uuid"));
}

TEST_CASE("swap is a user") {
  TwoDisks tree;
  tree.proc("swaps", "Filename\tType\tSize\tUsed\tPriority\n/dev/sdzz2   partition\t1024\t0\t-2\n");
  const auto users = users_of_disk("sdzz", tree.roots());
  REQUIRE(users.size() == 1);
  CHECK_THAT(users[0], Contains("sdzz2 is in use as swap") && Contains("swapoff /dev/sdzz2"));
}

TEST_CASE("holders are followed up, each named once") {
  TwoDisks tree;
  tree.disk("md77", "9:77");
  tree.disk("dm-77", "253:77");
  tree.sys("devices/dm-77/dm/name", "pve-data\n");
  tree.sys("devices/sdzz/sdzz1/holders/md77", "");
  tree.sys("devices/sdzz/sdzz2/holders/md77", "");
  tree.sys("devices/md77/holders/dm-77", "");
  const auto users = users_of_disk("sdzz", tree.roots());
  REQUIRE(users.size() == 2);
  CHECK_THAT(users[0], Contains("sdzz1 is held by md77"));
  CHECK_THAT(users[1], Contains("md77 is held by dm-77 (pve-data)"));
}

TEST_CASE("a loop device over a partition is a user") {
  TwoDisks tree;
  tree.disk("loop77", "7:77");
  tree.sys("devices/loop77/loop/backing_file", "/dev/sdzz1\n");
  const auto users = users_of_disk("sdzz", tree.roots());
  REQUIRE(users.size() == 1);
  CHECK_THAT(users[0], Contains("behind the loop device loop77") && Contains("losetup -d"));
  CHECK(loops_over("/dev/sdzz1", tree.roots()) == std::vector<std::string>{"loop77"});
  CHECK(loops_over("/dev/sdzz", tree.roots()).empty());
}

TEST_CASE("the boot disk is known beneath device-mapper and RAID") {
  TwoDisks tree;
  tree.disk("md77", "9:77");
  tree.disk("dm-77", "253:77");
  tree.sys("devices/dm-77/slaves/md77", "");
  tree.sys("devices/md77/slaves/sdzz1", "");
  tree.process(1, "init",
               "30 1 253:77 / / rw - ext4 /dev/mapper/root rw\n"
               "31 1 65:144 / /home rw - ext4 /dev/sdzy rw\n");
  CHECK(is_boot_disk("sdzz", tree.roots()));
  CHECK_FALSE(is_boot_disk("sdzy", tree.roots()));
}

TEST_CASE("the disk of /boot alone is a boot disk too") {
  TwoDisks tree;
  tree.process(1, "init", "30 1 65:162 / /boot rw - ext4 /dev/sdzz2 rw\n");
  CHECK(is_boot_disk("sdzz", tree.roots()));
}

TEST_CASE("a path is found on a command line as a whole word only") {
  const std::string words{"sfdisk\0--quiet\0/dev/loop1\0", 26};
  CHECK(names_path(words, "/dev/loop1"));
  CHECK_FALSE(names_path(words, "/dev/loop"));
  CHECK(names_path(R"({"filename":"/a/b","x":1})", "/a/b"));
  CHECK(names_path("--file=/a/b,ro", "/a/b"));
  CHECK_FALSE(names_path("/x/a/b", "/a/b"));
  CHECK_FALSE(names_path("/a/b/c", "/a/b"));
  CHECK(names_path("/a/bc,/a/b", "/a/b"));
}
