// The cap of a stand-in, met by fio through the kernel and by QEMU's own block layer alike.
#include <nlohmann/json.hpp>

#include "base/errors.hpp"
#include "devices.hpp"
#include "drive/stand_in.hpp"
#include "support/catch.hpp"

using namespace vmtax;
using namespace vmtax::drive;
using journal::Journal;
using namespace std::chrono_literals;

namespace {

constexpr std::uint64_t cap = 1500;

double fio_rate(const std::filesystem::path& device, const std::string& block_size,
                const char* figure) {
  const auto text =
      run_checked({"fio", "--name=cap", "--filename=" + device.string(), "--rw=randread",
                   "--bs=" + block_size, "--iodepth=8", "--ioengine=io_uring", "--direct=1",
                   "--time_based", "--ramp_time=1", "--runtime=3", "--output-format=json"},
                  60s);
  return nlohmann::json::parse(text).at("jobs").at(0).at("read").at(figure).get<double>();
}

// What was never written is answered without being read.
void fill(const std::filesystem::path& device, std::uint64_t mebibytes) {
  test::tool({"dd", "if=/dev/urandom", "of=" + device.string(), "bs=1M",
              "count=" + std::to_string(mebibytes), "oflag=direct", "status=none"});
}

}  // namespace

TEST_CASE("host and QEMU meet the same cap, and nothing is left of it") {
  const test::Workplace place;
  Journal journal(place.journals, "run1", removers());
  auto spec = place.stand_in("run1-slow", mib(256));
  spec.cap_iops = cap;
  const auto node = make_stand_in(spec, journal);
  CHECK(read_attribute(sysfs_of(node.filename()) / "loop/dio") == "1");

  fill(node, 256);
  const double fio = fio_rate(node, "4k", "iops");
  INFO("fio " << fio);
  CHECK(fio == Approx(cap).epsilon(0.05));

  // 6000 requests at 1500 a second; a tenth of a second's worth passes at once at the beginning.
  const auto start = std::chrono::steady_clock::now();
  test::tool({"qemu-img", "bench", "-f", "raw", "-t", "none", "-n", "-d", "8", "-c", "6000", "-s",
              "4096", node.string()});
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
  const double qemu = 6000 / took.count();
  INFO("QEMU " << qemu);
  CHECK(qemu == Approx(cap).epsilon(0.08));
  WARN("cap " << cap << ": fio " << fio << ", QEMU " << qemu << " per second");

  journal.remove_all();
  CHECK(place.left().empty());
}

TEST_CASE("a capped stand-in keeps what is written to it") {
  const test::Workplace place;
  Journal journal(place.journals, "run1", removers());
  auto spec = place.stand_in("run1-slow", mib(128));
  spec.cap_iops = 4000;
  const auto node = make_stand_in(spec, journal);
  const auto file = place.things / "vmtax-run1-slow/disk.img";
  // Small and large requests in flight together, each with a checksum that is read back.
  test::tool({"fio", "--name=keep", "--filename=" + node.string(), "--rw=randwrite",
              "--bsrange=4k-1m", "--iodepth=16", "--ioengine=io_uring", "--direct=1",
              "--verify=crc32c", "--verify_fatal=1", "--size=96m"});
  CHECK(test::checksum(node) == test::checksum(file));
  // The kernel clears blocks in two ways, and reads zeros afterwards.
  for (const char* how : {"--punch-hole", "--zero-range"}) {
    fill(node, 8);
    test::tool({"fallocate", how, "--length", "8MiB", node.string()});
    INFO(how);
    CHECK(test::tool({"cmp", "--bytes=8388608", node.string(), "/dev/zero"}) == "");
  }
  journal.remove_all();
  CHECK(place.left().empty());
}

TEST_CASE("a cap of the bandwidth is met") {
  const test::Workplace place;
  Journal journal(place.journals, "run1", removers());
  auto spec = place.stand_in("run1-narrow", mib(96));
  spec.cap_bandwidth_per_second = mib(40);
  const auto node = make_stand_in(spec, journal);
  fill(node, 96);
  const double rate = fio_rate(node, "256k", "bw_bytes");
  WARN("cap 40 MiB/s: fio " << rate / (1 << 20) << " MiB/s at 256KiB");
  CHECK(rate == Approx(static_cast<double>(mib(40).value)).epsilon(0.05));
  journal.remove_all();
  CHECK(place.left().empty());
}

TEST_CASE("the export stays while a loop device lies over its export") {
  const test::Workplace place;
  Journal journal(place.journals, "run1", removers());
  auto spec = place.stand_in("run1-slow", mib(16));
  spec.cap_iops = cap;
  const auto node = make_stand_in(spec, journal);
  {
    const test::ForeignLoop theirs(place.things / "vmtax-run1-slow/capped");
    CHECK_THROWS_WITH(journal.remove_all(), Catch::Contains("lies over it"));
    CHECK(theirs.attached());
    CHECK(test::tool({"dd", "if=" + theirs.node, "bs=4k", "count=1", "status=none"}).size() > 0);
  }
  journal.remove_all();
  CHECK(place.left().empty());
}
