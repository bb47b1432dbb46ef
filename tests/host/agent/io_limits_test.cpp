#include <fstream>
#include <thread>

#include <fcntl.h>

#include "base/fd.hpp"
#include "devices.hpp"
#include "kernel/failures.hpp"
#include "kernel/run_job.hpp"
#include "support/catch.hpp"

using namespace vmtax;
using namespace vmtax::test;
using Catch::Contains;

namespace {

void check_refused(std::vector<std::string> arguments, int exit_code, const std::string& words) {
  const auto output = agent_io(std::move(arguments));
  CAPTURE(words);
  CHECK(output.exit_code == exit_code);
  CHECK_THAT(output.err, Contains(words));
  CHECK(std::count(output.err.begin(), output.err.end(), '\n') == 1);
  CHECK(output.out.empty());
}

}  // namespace

TEST_CASE("wrong arguments are told in one line with exit code 2") {
  const TemporaryDirectory folder;
  const auto file = written_file(folder, "file", 1);
  check_refused({"--target", file, "--runtime", "1s", "--engine", "psync", "--iodepth", "2"}, 2,
                "psync has one I/O in flight");
  check_refused({"--target", file, "--runtime", "1"}, 2,
                "--runtime 1: allowed is a number with ns");
  check_refused({"--target", file, "--runtime", "1s", "--block-size", "4k"}, 2, "--block-size 4k");
  check_refused({"--target", file, "--runtime", "1s", "--pattern", "erase"}, 2, "randwrite");
  check_refused({"--runtime", "1s"}, 2, "a path or a serial");
  check_refused({"--target", file}, 2, "runtime");
  CHECK(agent_io({"--target", file, "--nonsense"}).exit_code == 2);
  CHECK(run_process({program("vmtax-agent")}, tool_limit).exit_code == 2);
}

TEST_CASE("targets that can't be used are told with exit code 3") {
  const TemporaryDirectory folder;
  const auto file = written_file(folder, "file", 1);
  check_refused({"--target", folder.path() / "none", "--runtime", "1s"}, 3, "No such file");
  check_refused({"--target", folder.path(), "--runtime", "1s"}, 3, "neither a block device nor");
  check_refused({"--target", "/dev/null", "--runtime", "1s"}, 3, "neither a block device nor");
  check_refused({"--target", file, "--runtime", "1s", "--block-size", "2MiB"}, 3,
                "smaller than one block of 2MiB");
  check_refused({"--target", file, "--runtime", "1s", "--offset", "1MiB", "--span", "4KiB"}, 3,
                "beyond its size of 1MiB");
  check_refused({"--serial", "vmtax-no-such-disk", "--runtime", "1s"}, 3,
                "0 disks have the serial");
  CHECK_FALSE(std::filesystem::exists(folder.path() / "none"));
}

TEST_CASE("block size and offset must fit a disk of 4096-byte sectors") {
  const TemporaryDirectory folder;
  const Loop loop{written_file(folder, "disk", 8), 4096};
  check_refused({"--target", loop.path(), "--runtime", "1s", "--block-size", "512B"}, 3,
                "block size 512B: direct I/O on " + loop.path() + " needs a multiple");
  check_refused({"--target", loop.path(), "--runtime", "1s", "--offset", "512B"}, 3, "offset 512B");
  check_refused({"--target", loop.path(), "--pattern", "write", "--amount", "4608B"}, 3,
                "amount 4608B");
  const auto result = io_json({"--target", loop.path(), "--runtime", "50ms", "--iodepth", "4"});
  CHECK(result["ios"] > 0);
}

TEST_CASE("a file system without direct I/O is named, and buffered I/O works on it") {
  const TemporaryDirectory folder;
  const auto where = (folder.path() / "ramfs").string();
  const Mount mount{{"-t", "ramfs", "none"}, where};
  std::ofstream{where + "/file"} << std::string(1 << 20, 'x');
  check_refused({"--target", where + "/file", "--runtime", "1s"}, 3, "has no direct I/O");
  CHECK(io_json({"--target", where + "/file", "--runtime", "50ms", "--buffered"})["ios"] > 0);
}

TEST_CASE("a disk that somebody holds is not written to, but may be read") {
  const TemporaryDirectory folder;
  const Loop loop{written_file(folder, "disk", 32), 512};
  const std::vector<std::string> write{"--target", loop.path(), "--pattern",
                                       "write",    "--runtime", "1s"};
  {
    const Fd holder{::open(loop.path().c_str(), O_RDONLY | O_EXCL | O_CLOEXEC)};
    REQUIRE(holder);
    check_refused(write, 3, "holds it");
  }
  run_checked({"mkfs.ext4", "-q", "-F", loop.path()}, tool_limit);
  const auto where = (folder.path() / "mount").string();
  const Mount mount{{loop.path()}, where};
  check_refused(write, 3, "it is mounted on " + where);
  CHECK(io_json({"--target", loop.path(), "--runtime", "50ms"})["ios"] > 0);
}

TEST_CASE("a target that shrinks is a failure with its offset and exit code 1") {
  const TemporaryDirectory folder;
  const auto file = written_file(folder, "file", 4);
  const auto engine =
      GENERATE(protocol::Engine::io_uring, protocol::Engine::libaio, protocol::Engine::psync);
  protocol::IoJob job;
  job.engine = engine;
  job.target.path = file;
  job.runtime = std::chrono::seconds{20};
  kernel::LoopControl control;
  std::thread shrink{[&] {
    while (control.ios() < 100) std::this_thread::yield();
    std::filesystem::resize_file(file, 4096);
  }};
  try {
    kernel::run_job(job, file, control);
    FAIL("no failure");
  } catch (const kernel::Broken& broken) {
    CHECK_THAT(broken.what(), Contains("was short: 0 of 4096 bytes"));
    CHECK(broken.offset.has_value());
    CHECK(broken.offset->value % 4096 == 0);
  }
  shrink.join();
}

TEST_CASE("an error of the device comes with errno and offset") {
  const TemporaryDirectory folder;
  const auto file = written_file(folder, "disk", 4);
  const Loop loop{file, 512};
  std::filesystem::resize_file(file, 1 << 20);  // the device still says 4 MiB
  const auto output =
      agent_io({"--target", loop.path(), "--pattern", "read", "--amount", "4MiB", "--json"});
  CHECK(output.exit_code == 1);
  const auto json = nlohmann::json::parse(output.out);
  CHECK(json["errors"] == 1);
  CHECK(json["failure"]["errno"] == EIO);
  CHECK(json["failure"]["offset"] == 1 << 20);
  CHECK_THAT(output.err, Contains("Input/output error"));
}

TEST_CASE("an engine's option that the device refuses is told before the first result") {
  const TemporaryDirectory folder;
  const Loop loop{written_file(folder, "disk", 4), 512};
  check_refused({"--target", loop.path(), "--runtime", "1s", "--iopoll"}, 3,
                "io_uring with iopoll can't do randread");
}

TEST_CASE("the failure of one job of several ends all, with its offset") {
  const TemporaryDirectory folder;
  const auto file = written_file(folder, "disk", 4);
  const Loop loop{file, 512};
  std::filesystem::resize_file(file, 3 << 20);  // the device still says 4 MiB
  const auto engine = GENERATE("psync", "io_uring");
  const auto output = agent_io({"--target", loop.path(), "--engine", engine, "--pattern", "read",
                                "--jobs", "4", "--runtime", "20s", "--json"});
  CHECK(output.exit_code == 1);
  const auto failure = nlohmann::json::parse(output.out)["failure"];
  CHECK(failure["errno"] == EIO);
  CHECK(failure["offset"] == 3 << 20);
}

TEST_CASE("a full file system is a failure with ENOSPC") {
  const TemporaryDirectory folder;
  const auto where = (folder.path() / "small").string();
  const Mount mount{{"-t", "tmpfs", "-o", "size=1M", "none"}, where};
  std::ofstream{where + "/file"};
  std::filesystem::resize_file(where + "/file", 4 << 20);
  const auto output = agent_io({"--target", where + "/file", "--buffered", "--pattern", "write",
                                "--amount", "4MiB", "--json"});
  CHECK(output.exit_code == 1);
  CHECK(nlohmann::json::parse(output.out)["failure"]["errno"] == ENOSPC);
}

TEST_CASE("more slots of libaio than the kernel gives are refused by the sysctl's name") {
  const TemporaryDirectory folder;
  const auto file = written_file(folder, "file", 4);
  std::ifstream sysctl{"/proc/sys/fs/aio-max-nr"};
  std::uint64_t limit = 0;
  sysctl >> limit;
  if (limit == 0 || limit > 16384 * 32) VMTAX_SKIP("fs.aio-max-nr is above 32 jobs of 16384 slots");
  check_refused({"--target", file, "--runtime", "1s", "--engine", "libaio", "--block-size", "512B",
                 "--iodepth", "16384", "--jobs", "64"},
                3, "fs.aio-max-nr is");
}
