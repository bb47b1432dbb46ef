#include "kernel/in_use.hpp"

#include <fstream>

#include <sys/stat.h>
#include <sys/sysmacros.h>

#include "support/catch.hpp"
#include "support/temporary_directory.hpp"

using namespace vmtax::kernel;
namespace fs = std::filesystem;

namespace {

// A system with disk 8:0 (sda), its partition 8:1 (sda1) and an unrelated disk 8:16.
struct FakeSystem {
  vmtax::test::TemporaryDirectory folder;
  SystemRoots roots{folder.path() / "sys", folder.path() / "proc"};

  FakeSystem() {
    add_disk("sda", "8:0", {{"sda1", "8:1"}});
    add_disk("sdb", "8:16", {});
    fs::create_directories(roots.proc / "self");
    write(roots.proc / "swaps", "Filename Type Size Used Priority\n");
    mounted("0:5", "/proc", "proc");
  }

  void add_disk(const std::string& name, const std::string& number,
                const std::vector<std::pair<std::string, std::string>>& partitions) {
    const auto disk = roots.sys / "devices" / name;
    fs::create_directories(disk);
    fs::create_directories(roots.sys / "dev/block");
    write(disk / "dev", number + "\n");
    fs::create_directory_symlink(disk, roots.sys / "dev/block" / number);
    for (const auto& [part, part_number] : partitions) {
      fs::create_directories(disk / part);
      write(disk / part / "dev", part_number + "\n");
      write(disk / part / "partition", "1\n");
      fs::create_directory_symlink(disk / part, roots.sys / "dev/block" / part_number);
    }
  }

  void mounted(const std::string& number, const std::string& where, const std::string& source) {
    std::ofstream{roots.proc / "self/mountinfo", std::ios::app}
        << "36 35 " << number << " / " << where << " rw,noatime master:1 - ext4 " << source
        << " rw\n";
  }

  static void write(const fs::path& file, const std::string& text) { std::ofstream{file} << text; }
};

}  // namespace

TEST_CASE("an idle disk may be written to") {
  const FakeSystem system;
  CHECK_FALSE(why_in_use(makedev(8, 0), system.roots));
  CHECK_FALSE(why_in_use(makedev(9, 9), system.roots));
}

TEST_CASE("a mounted disk, one with a mounted partition, and a partition of a mounted disk") {
  FakeSystem system;
  SECTION("the partition") {
    system.mounted("8:1", "/srv", "/dev/sda1");
    CHECK(why_in_use(makedev(8, 1), system.roots) == "it is mounted on /srv");
    CHECK(why_in_use(makedev(8, 0), system.roots) == "its partition sda1 is mounted on /srv");
  }
  SECTION("the disk") {
    system.mounted("8:0", "/", "/dev/root");
    CHECK(why_in_use(makedev(8, 0), system.roots) == "it is mounted on /");
    CHECK(why_in_use(makedev(8, 1), system.roots) == "its disk sda is mounted on /");
  }
  CHECK_FALSE(why_in_use(makedev(8, 16), system.roots));
}

TEST_CASE("the running system's own root is in use") {
  struct stat root {};
  REQUIRE(::stat("/", &root) == 0);
  if (major(root.st_dev) == 0) VMTAX_SKIP("the root file system has no device of its own");
  CHECK(why_in_use(root.st_dev).has_value());
}
