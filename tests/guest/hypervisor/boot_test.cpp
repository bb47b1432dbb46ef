// A real guest under emulation, from its start to its end.
#include <array>
#include <csignal>

#include <nlohmann/json.hpp>
#include <sys/stat.h>

#include "base/errors.hpp"
#include "base/files.hpp"
#include "base/interrupt.hpp"
#include "guest_bench.hpp"
#include "support/catch.hpp"

using namespace vmtax;
using std::chrono::seconds;
namespace fs = std::filesystem;

namespace {

// owner, group, mode, device, inode and size: what libvirt's dynamic ownership would change.
using Identity = std::array<std::uint64_t, 6>;

Identity identity(const fs::path& path) {
  struct stat s {};
  REQUIRE(::stat(path.c_str(), &s) == 0);
  return {s.st_uid, s.st_gid, s.st_mode, s.st_dev, s.st_ino, static_cast<std::uint64_t>(s.st_size)};
}

std::size_t processes_named(const std::string& name) {
  std::size_t found = 0;
  for (const auto& entry : fs::directory_iterator{"/proc"})
    if (read_attribute(entry.path() / "comm").value_or("") == name) ++found;
  return found;
}

std::size_t daemons() {
  return processes_named("libvirtd") + processes_named("virtqemud") + processes_named("virtlogd") +
         processes_named("virtlockd");
}

}  // namespace

TEST_CASE("a guest answers through libvirt's channel, without a daemon, and is gone afterwards") {
  if (::geteuid() != 0) VMTAX_SKIP("guests are booted as root");
  const auto daemons_before = daemons();
  fs::path root;
  pid_t pid = 0;
  {
    test::GuestBench bench;
    root = bench.root;
    const std::vector<fs::path> files{bench.spec.kernel, bench.spec.initramfs,
                                      bench.spec.disk.source};
    std::vector<Identity> before;
    for (const auto& file : files) before.push_back(identity(file));

    auto domain = bench.hypervisor.start(bench.spec);
    run::AgentClient client{domain.channel()};
    const auto hello = test::greet(client);
    CHECK(hello.agent_sha256.size() == 64);
    CHECK(daemons() == daemons_before);

    pid = domain.pid();
    CHECK(test::alive(pid));
    CHECK(
        domain.live_xml().find("<vmtax:guest xmlns:vmtax=\"urn:vmtax:guest\" run=\"test-run\"/>") !=
        std::string::npos);
    CHECK(domain.console().find("serves on vmtax.agent.0") != std::string::npos);
    const auto facts = client.facts({{}, bench.spec.disk.serial}, {"facts", seconds{10}});
    INFO(facts.dump());
    // The TSC and not the HPET, which costs 18 times as much; in the first second the kernel still
    // calls it tsc-early.
    const auto clocksource = facts.value("clocksource", "");
    CHECK((clocksource == "tsc" || clocksource == "tsc-early"));

    domain.end(Deadline{"no grace", seconds{0}});
    CHECK_FALSE(test::alive(pid));
    CHECK_THROWS_AS(domain.live_xml(), MeasurementError);
    for (std::size_t i = 0; i < files.size(); ++i) CHECK(identity(files[i]) == before[i]);
  }
  CHECK_FALSE(fs::exists(root));
}

TEST_CASE("a guest that is told to power off does so within its grace") {
  if (::geteuid() != 0) VMTAX_SKIP("guests are booted as root");
  test::GuestBench bench;
  auto domain = bench.hypervisor.start(bench.spec);
  run::AgentClient client{domain.channel()};
  test::greet(client);
  client.power_off();
  const Deadline grace{"the guest powers off", seconds{30}};
  domain.end(grace);
  CHECK_FALSE(grace.passed());
  CHECK_FALSE(test::alive(domain.pid()));
}

TEST_CASE("Ctrl-C ends the wait for a guest, and the guest is ended even so") {
  if (::geteuid() != 0) VMTAX_SKIP("guests are booted as root");
  interrupt::install();
  test::GuestBench bench;
  auto domain = bench.hypervisor.start(bench.spec);
  const auto pid = domain.pid();
  ::raise(SIGINT);
  run::AgentClient client{domain.channel()};
  CHECK_THROWS_AS(test::greet(client), Interrupted);
  const Deadline grace{"the guest powers off", seconds{60}};
  domain.end(grace);
  CHECK_FALSE(grace.passed());
  CHECK_FALSE(test::alive(pid));
}

TEST_CASE("a guest that can't start says why in QEMU's words, and the next one starts") {
  if (::geteuid() != 0) VMTAX_SKIP("guests are booted as root");
  test::GuestBench bench;
  auto bad = bench.spec;
  bad.name += "-bad";
  bad.disk.queue_size = 100;  // libvirt takes it, QEMU wants a power of two
  CHECK_THROWS_WITH(bench.hypervisor.start(bad), Catch::Contains("power of"));
  auto absent = bench.spec;
  absent.name += "-absent";
  absent.disk.source = bench.folder.path() / "absent.raw";
  CHECK_THROWS_AS(bench.hypervisor.start(absent), MeasurementError);
  auto domain = bench.hypervisor.start(bench.spec);
  CHECK(test::alive(domain.pid()));
}

TEST_CASE("more than the channel's buffers hold goes through in both directions") {
  if (::geteuid() != 0) VMTAX_SKIP("guests are booted as root");
  test::GuestBench bench;
  auto domain = bench.hypervisor.start(bench.spec);
  run::AgentClient client{domain.channel()};
  test::greet(client);
  // Refused by the agent, which has to read all of it first.
  auto& channel = domain.channel();
  channel.write_all(std::string(512 << 10, 'x') + "\n", {"the guest reads", seconds{20}});
  std::array<char, 4096> answer{};
  CHECK(channel.read_some(answer, {"the guest refuses a line", seconds{20}}) > 0);
}

TEST_CASE("a guest whose disk fails is reported, not waited for") {
  if (::geteuid() != 0) VMTAX_SKIP("guests are booted as root");
  test::GuestBench bench;
  // A sparse file on a file system that is smaller than it.
  const auto small = bench.folder.path() / "small";
  fs::create_directory(small);
  if (std::system(("mount -t tmpfs -o size=1M tmpfs " + small.string()).c_str()) != 0)
    VMTAX_SKIP("no tmpfs can be mounted");
  bench.spec.disk.source = small / "disk.raw";
  bench.spec.disk.cache = "writeback";
  bench.spec.disk.io = "threads";
  std::ofstream{bench.spec.disk.source}.close();
  fs::resize_file(bench.spec.disk.source, 64 << 20);
  {
    auto domain = bench.hypervisor.start(bench.spec);
    run::AgentClient client{domain.channel()};
    test::greet(client);
    protocol::IoJob fill;
    fill.target.serial = bench.spec.disk.serial;
    fill.pattern = protocol::Pattern::write;
    fill.block_size = kib(64);
    fill.amount = mib(16);
    CHECK_THROWS_WITH(client.run(fill), Catch::Contains("QEMU stopped the guest"));
  }
  CHECK(std::system(("umount " + small.string()).c_str()) == 0);
}
