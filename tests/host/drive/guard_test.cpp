// The guard against real users of a real block device: each refusal leaves every byte as it was.
#include "drive/guard.hpp"

#include <fcntl.h>

#include "base/child_process.hpp"
#include "base/errors.hpp"
#include "base/fd.hpp"
#include "devices.hpp"
#include "drive/inspect.hpp"
#include "support/catch.hpp"

using namespace vmtax;
using namespace vmtax::drive;
using Catch::Contains;
using Reasons = std::vector<std::string>;
using namespace std::chrono_literals;

namespace {

GuardedDrive named(const std::filesystem::path& node) {
  return {node, false, "some-serial", inspect(node).size};
}

std::string joined(const Reasons& reasons) {
  std::string text;
  for (const auto& reason : reasons) text += reason + "\n";
  return text;
}

// What the guard says, having seen that it changed nothing.
std::string said_of(const GuardedDrive& drive) {
  const auto before = test::checksum(drive.path);
  const auto text = joined(reasons_against_writing(drive));
  CHECK_THROWS_AS(check_guard(drive), EnvironmentError);
  CHECK(test::checksum(drive.path) == before);
  return text;
}

struct Disk {
  test::Workplace place;
  std::filesystem::path file;
  test::ForeignLoop loop;

  explicit Disk(int mebibytes = 16, std::vector<std::string> options = {"-P"})
      : file(test::random_file(place.things / "disk", mebibytes)), loop(file, std::move(options)) {}

  void divide() {
    run_checked({"sfdisk", "--quiet", loop.node}, 30s, "label: gpt\nsize=8M\n,\n");
    // For kernels that can't read the table themselves.
    run_process({"partx", "--add", loop.node}, 30s);
  }
};

// A shell that did something and stays until its input is closed.
class Background {
 public:
  Background(const std::string& script, const test::Workplace& place,
             std::vector<std::string> front = {})
      : child_(command(script, std::move(front)), (place.folder.path() / "err").string()) {
    char word[8];
    const auto got = child_.channel().read_some(word, Deadline{"the shell is ready", 10s});
    ready = got > 0;
  }
  pid_t pid() const { return child_.pid(); }
  bool ready = false;

 private:
  static std::vector<std::string> command(const std::string& script,
                                          std::vector<std::string> front) {
    front.insert(front.end(), {"sh", "-c", script + " && echo ready && exec cat"});
    return front;
  }
  ChildProcess child_;
};

}  // namespace

TEST_CASE("a loop device that a user names has no serial, so nobody can consent") {
  const Disk disk;
  CHECK_THAT(said_of(named(disk.loop.node)), Contains("has no serial") && Contains("stand_in"));
}

TEST_CASE("a loop device that is not vmtax's is no stand-in") {
  const Disk disk;
  auto drive = named(disk.loop.node);
  drive.made_by_this_run = true;
  CHECK_THAT(said_of(drive), Contains("no stand-in of vmtax any more"));
}

TEST_CASE("a stand-in of this run may be written, whatever was on it") {
  const test::Workplace place;
  journal::Journal journal(place.journals, "run1", removers());
  const auto node = make_stand_in(place.stand_in("run1-d", mib(16)), journal);
  test::tool({"mkfs.ext4", "-q", "-F", node.string()});
  CHECK(joined(reasons_against_writing({node, true, std::nullopt, mib(16)})) == "");
}

TEST_CASE("a mounted partition protects the whole drive") {
  Disk disk;
  disk.divide();
  test::tool({"mkfs.ext4", "-q", disk.loop.node + "p2"});
  const auto mountpoint = disk.place.things / "m m";
  std::filesystem::create_directory(mountpoint);
  test::tool({"mount", disk.loop.node + "p2", mountpoint.string()});
  const auto said = said_of(named(disk.loop.node));
  CHECK_THAT(said, Contains("p2 is mounted at " + mountpoint.string()) && Contains("umount"));
  CHECK_THAT(said, Contains("holds gpt partition table"));
  test::tool({"umount", mountpoint.string()});
}

TEST_CASE("a mount in another namespace protects the drive") {
  const Disk disk;
  test::tool({"mkfs.ext4", "-q", disk.loop.node});
  const auto mountpoint = disk.place.things / "m";
  std::filesystem::create_directory(mountpoint);
  const Background other("mount " + disk.loop.node + " " + mountpoint.string(), disk.place,
                         {"unshare", "--mount", "--propagation", "private"});
  REQUIRE(other.ready);
  CHECK_FALSE(mounted_at(mountpoint));
  const auto text = joined(reasons_against_writing(named(disk.loop.node)));
  CHECK_THAT(text, Contains("is mounted at " + mountpoint.string()) &&
                       Contains("(pid " + std::to_string(other.pid()) + ")"));
}

TEST_CASE("swap protects the drive") {
  const Disk disk;
  test::tool({"mkswap", disk.loop.node});
  if (!run_process({"swapon", disk.loop.node}, 10s).ok())
    VMTAX_SKIP("swapon does not work on this kernel");
  const auto said = said_of(named(disk.loop.node));
  test::tool({"swapoff", disk.loop.node});
  CHECK_THAT(said, Contains("in use as swap") && Contains("swapoff"));
}

TEST_CASE("a loop device over the drive protects it") {
  const Disk disk;
  const test::ForeignLoop above(disk.loop.node);
  CHECK_THAT(said_of(named(disk.loop.node)),
             Contains("behind the loop device " + above.node.substr(5)));
}

TEST_CASE("a process that has it open for writing protects the drive") {
  const Disk disk;
  const Background writer("exec 3<>" + disk.loop.node, disk.place);
  REQUIRE(writer.ready);
  CHECK_THAT(said_of(named(disk.loop.node)),
             Contains("is open in cat (pid " + std::to_string(writer.pid()) + ")"));
}

TEST_CASE("an exclusive holder that shows nowhere protects the drive") {
  const Disk disk;
  const Fd holder{::open(disk.loop.node.c_str(), O_RDONLY | O_EXCL | O_CLOEXEC)};
  REQUIRE(holder);
  CHECK_THAT(said_of(named(disk.loop.node)), Contains("can't be opened exclusively"));
}

TEST_CASE("signatures are reported without consent") {
  struct Maker {
    std::vector<std::string> command;
    int mebibytes;  ///< the least that it takes
    std::string signature;
  };
  const std::vector<Maker> makers{
      {{"mkfs.ext4", "-q", "-L", "precious"}, 16, "ext4 (label precious)"},
      {{"mkfs.xfs", "-q", "-f"}, 310, "xfs"},
      {{"mkfs.btrfs", "-q", "-f"}, 120, "btrfs"},
      {{"mkswap"}, 16, "swap"}};
  for (auto [command, mebibytes, signature] : makers) {
    const Disk disk(1);
    std::filesystem::resize_file(disk.file, mib(std::uint64_t(mebibytes)).value);
    test::tool({"losetup", "--set-capacity", disk.loop.node});
    command.push_back(disk.loop.node);
    test::tool(command);
    INFO(signature);
    CHECK_THAT(said_of(named(disk.loop.node)), Contains("holds " + signature));
  }
}

TEST_CASE("a read-only drive and a drive of another size are refused") {
  const Disk read_only(16, {"--read-only"});
  CHECK_THAT(said_of(named(read_only.loop.node)), Contains("is read-only"));
  const Disk grown;
  const auto planned = named(grown.loop.node);
  std::filesystem::resize_file(grown.file, mib(20).value);
  test::tool({"losetup", "--set-capacity", grown.loop.node});
  CHECK_THAT(said_of(planned), Contains("its size was 16777216 bytes") && Contains("20971520"));
}

TEST_CASE("a partition is no drive") {
  Disk disk;
  disk.divide();
  CHECK_THAT(said_of(named(disk.loop.node + "p1")),
             Contains("is a partition: name the whole drive"));
}

TEST_CASE("all reasons come at once") {
  Disk disk(16, {"--read-only", "-P"});
  const test::ForeignLoop above(disk.loop.node, {"--read-only"});
  auto drive = named(disk.loop.node);
  drive.size = mib(1);
  const auto said = said_of(drive);
  for (const char* part : {"no serial", "read-only", "its size was", "behind the loop device"})
    CHECK_THAT(said, Contains(part));
}

TEST_CASE("the machine's own disk is refused even with its serial as consent") {
  // Looked at only; whichever block device carries the root file system here.
  const auto root = mounted_at("/");
  REQUIRE(root);
  const auto name = name_of_number(root->device);
  if (!name) VMTAX_SKIP("the root file system is on no block device");
  const auto disk = node_of(whole_disk(*name));
  const auto facts = inspect(disk);
  const auto said =
      joined(reasons_against_writing({disk, false, std::optional{facts.serial}, facts.size}));
  CHECK_THAT(said, Contains("is mounted at /"));
  CHECK_THAT(said, Contains("that this machine runs from"));
}
