#include "agent/settle.hpp"

#include <fstream>

#include <fcntl.h>

#include "base/fd.hpp"
#include "devices.hpp"
#include "kernel/failures.hpp"
#include "support/catch.hpp"

using namespace vmtax;
using namespace vmtax::test;

namespace {

std::uint64_t resident(const std::string& path) {
  const Fd fd{::open(path.c_str(), O_RDONLY | O_CLOEXEC)};
  return agent::resident_bytes(fd.get(), path).value;
}

void read_through_cache(const std::string& path) {
  run_checked({"dd", "if=" + path, "of=/dev/null", "bs=1M", "status=none"}, tool_limit);
}

}  // namespace

TEST_CASE("pages of a file are counted and dropped, dirty ones are written back first") {
  const TemporaryDirectory folder;
  const auto file = written_file(folder, "file", 8);
  read_through_cache(file);
  CHECK(resident(file) == 8U << 20);
  std::fstream{file} << "dirty";
  CHECK(agent::settle(file) == Bytes{0});
  CHECK(resident(file) == 0);
  std::string word(5, '\0');
  std::ifstream{file}.read(word.data(), 5);
  CHECK(word == "dirty");
}

TEST_CASE("pages of a block device are counted and dropped") {
  const TemporaryDirectory folder;
  const Loop loop{written_file(folder, "disk", 8), 512};
  // The last one who closes a block device drops its pages; in a run QEMU keeps it open.
  const Fd keeper{::open(loop.path().c_str(), O_RDONLY | O_CLOEXEC)};
  read_through_cache(loop.path());
  CHECK(resident(loop.path()) == 8U << 20);
  CHECK(agent::settle(loop.path()) == Bytes{0});
}

TEST_CASE("what can't be settled is told") {
  CHECK_THROWS_AS(agent::settle("/no/such"), kernel::Refused);
}
