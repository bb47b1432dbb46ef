// Nothing counts because it is in the XML: what the living QEMU and the guest have is looked at.
#include <algorithm>

#include <fcntl.h>
#include <nlohmann/json.hpp>

#include "base/files.hpp"
#include "guest_bench.hpp"
#include "support/catch.hpp"

using namespace vmtax;
using std::chrono::seconds;
namespace fs = std::filesystem;

namespace {

struct Qemu {
  int disk_flags = 0;  ///< of its descriptor of the disk
  bool io_uring = false;
  bool iothread = false;
};

Qemu look_at(pid_t pid, const fs::path& disk) {
  Qemu seen;
  const auto process = fs::path{"/proc"} / std::to_string(pid);
  std::error_code gone;
  for (const auto& fd : fs::directory_iterator{process / "fd"}) {
    const auto target = fs::read_symlink(fd, gone).string();
    if (target == "anon_inode:[io_uring]") seen.io_uring = true;
    if (target != disk.string()) continue;
    const auto info = read_text(process / "fdinfo" / fd.path().filename());
    const auto flags = std::stoi(info.substr(info.find("flags:") + 6), nullptr, 8);
    if ((flags & O_ACCMODE) == O_RDWR) seen.disk_flags = flags;
  }
  for (const auto& task : fs::directory_iterator{process / "task"})
    if (read_attribute(task.path() / "comm").value_or("").starts_with("IO iothread"))
      seen.iothread = true;
  return seen;
}

// One pass of reads over the disk that has this serial.
protocol::IoOutcome read_disk(run::AgentClient& client, const std::string& serial) {
  protocol::IoJob job;
  job.target.serial = serial;
  job.pattern = protocol::Pattern::read;
  job.block_size = kib(64);
  job.amount = mib(1);
  return client.run(job);
}

bool kernel_has(const guest::DomainSpec& spec, const std::string& module) {
  const auto release = guest::kernel_release(spec.kernel).value_or("");
  for (const auto& root : {spec.kernel.parent_path().parent_path(), fs::path{"/"}}) {
    const auto modules = root / "lib/modules" / release;
    if (read_attribute(modules / "modules.builtin").value_or("").find("/" + module + ".ko") !=
        std::string::npos)
      return true;
    std::error_code absent;
    for (const auto& file : fs::recursive_directory_iterator{modules, absent})
      if (file.path().filename().string().starts_with(module + ".ko")) return true;
  }
  return false;
}

}  // namespace

TEST_CASE("virtio: cache none, io_uring, I/O thread, queues and their size are in effect") {
  if (::geteuid() != 0) VMTAX_SKIP("guests are booted as root");
  test::GuestBench bench;
  auto& disk = bench.spec.disk;
  disk.io = "io_uring";
  disk.iothread = true;
  disk.queues = 1;
  disk.queue_size = 64;
  disk.logical_block_size = kib(4);
  disk.physical_block_size = kib(4);
  auto domain = bench.hypervisor.start(bench.spec);
  const auto xml = domain.live_xml();
  INFO(xml);
  for (const char* word : {"cache='none'", "io='io_uring'", "iothread='1'", "queues='1'",
                           "queue_size='64'", "error_policy='stop'"})
    CHECK(xml.find(word) != std::string::npos);

  run::AgentClient client{domain.channel()};
  test::greet(client);
  CHECK(std::holds_alternative<protocol::IoResult>(read_disk(client, disk.serial)));
  const auto qemu = look_at(domain.pid(), disk.source);
  CHECK((qemu.disk_flags & O_DIRECT) != 0);
  CHECK(qemu.io_uring);
  CHECK(qemu.iothread);
  const auto facts = client.facts({{}, disk.serial}, {"facts", seconds{10}});
  INFO(facts.dump(1));
  CHECK(facts.dump().find("4096") != std::string::npos);
}

TEST_CASE("virtio-scsi: writeback and threads are in effect, the disk is found by its serial") {
  if (::geteuid() != 0) VMTAX_SKIP("guests are booted as root");
  test::GuestBench bench;
  auto& disk = bench.spec.disk;
  disk.bus = "scsi";
  disk.cache = "writeback";
  disk.io = "threads";
  auto domain = bench.hypervisor.start(bench.spec);
  run::AgentClient client{domain.channel()};
  test::greet(client);
  CHECK(std::holds_alternative<protocol::IoResult>(read_disk(client, disk.serial)));
  const auto qemu = look_at(domain.pid(), disk.source);
  CHECK(qemu.disk_flags != 0);
  CHECK((qemu.disk_flags & O_DIRECT) == 0);
  CHECK_FALSE(qemu.io_uring);
  CHECK_FALSE(qemu.iothread);
  CHECK(domain.live_xml().find("model='virtio-scsi'") != std::string::npos);
}

TEST_CASE("sata: the disk is found by its serial") {
  if (::geteuid() != 0) VMTAX_SKIP("guests are booted as root");
  test::GuestBench bench;
  if (!kernel_has(bench.spec, "ahci")) VMTAX_SKIP("the guest's kernel has no ahci");
  bench.spec.disk.bus = "sata";
  auto domain = bench.hypervisor.start(bench.spec);
  run::AgentClient client{domain.channel()};
  test::greet(client);
  CHECK(std::holds_alternative<protocol::IoResult>(read_disk(client, bench.spec.disk.serial)));
}
