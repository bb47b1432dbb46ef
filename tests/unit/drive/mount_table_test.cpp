#include "drive/mount_table.hpp"

#include "recorded_tree.hpp"
#include "support/catch.hpp"

using namespace vmtax;
using namespace vmtax::drive;

TEST_CASE("mountinfo is read with its optional fields and escapes") {
  const auto mounts = parse_mounts(
      "36 35 98:0 /mnt1 /mnt\\040with\\011all\\134this rw,noatime master:1 propagate_from:2 - ext3 "
      "/dev/root rw,errors=continue\n"
      "40 36 0:45 / /data rw - btrfs /dev/sdb1 rw,space_cache\n"
      "41 36 0:46 / /proc rw shared:5 - proc proc rw\n");
  REQUIRE(mounts.size() == 3);
  CHECK(mounts[0].device == "98:0");
  CHECK(mounts[0].mountpoint == "/mnt with\tall\\this");
  CHECK(mounts[0].type == "ext3");
  CHECK(mounts[0].source == "/dev/root");
  CHECK(mounts[1].source == "/dev/sdb1");
  CHECK(mounts[2].type == "proc");
}

TEST_CASE("a line that is no mount is skipped") {
  CHECK(parse_mounts("").empty());
  CHECK(parse_mounts("\n36 35 98:0 /a\n36 35 98:0 / /b rw shared:1\n").empty());
}

TEST_CASE("only three octal digits are an escape") {
  CHECK(unescape("a\\040b") == "a b");
  CHECK(unescape("a\\04") == "a\\04");
  CHECK(unescape("a\\998b") == "a\\998b");
  CHECK(unescape("\\303\\251") == "\303\251");
}

TEST_CASE("mounts of other namespaces are added once") {
  test::RecordedTree tree;
  const std::string shared = "30 1 8:1 / / rw - ext4 /dev/sda1 rw\n";
  tree.proc("self/mountinfo", shared);
  tree.link(tree.roots().proc / "self/ns/mnt", "mnt:[1]");
  tree.process(1, "init", shared);
  tree.process(700, "container", shared + "31 30 8:17 / /data rw - xfs /dev/sdb1 rw\n");
  tree.process(701, "container2", shared + "32 30 8:17 / /data rw - xfs /dev/sdb1 rw\n");
  const auto mounts = mounts_everywhere(tree.roots());
  REQUIRE(mounts.size() == 2);
  CHECK(mounts[0].seen_by == 0);
  CHECK(mounts[1].device == "8:17");
  CHECK(mounts[1].seen_by == 700);
}
