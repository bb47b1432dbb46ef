// Other connections than embed, by the same code: a libvirtd of the test's own, in a mount
// namespace where nothing of the machine's libvirt is seen.
#include <csignal>

#include <nlohmann/json.hpp>
#include <poll.h>
#include <sys/syscall.h>

#include "base/fd.hpp"
#include "base/files.hpp"
#include "base/process.hpp"
#include "guest_bench.hpp"
#include "support/catch.hpp"

using namespace vmtax;
using std::chrono::seconds;
namespace fs = std::filesystem;

namespace {

class OwnDaemon {
 public:
  explicit OwnDaemon(const fs::path& folder) : folder_(folder) {
    std::ofstream{folder / "libvirtd.conf"} << "unix_sock_dir = \"" << folder.string() << "\"\n"
                                            << "auth_unix_rw = \"none\"\n"
                                            << "log_outputs = \"3:file:" << folder.string()
                                            << "/libvirtd.log\"\n";
    std::ofstream{folder / "qemu.conf"}
        << "user = \"root\"\ngroup = \"root\"\ndynamic_ownership = 0\nremember_owner = 0\n"
           "namespaces = [ ]\ncgroup_controllers = [ ]\nsecurity_driver = \"none\"\n"
           "stdio_handler = \"file\"\n";
    std::ofstream{folder / "start"}
        << "set -e\nfor f in /etc/libvirt /run /var/lib /var/cache /var/log; do\n"
           "  mount -t tmpfs tmpfs $f\ndone\nmkdir -p /run/lock\ncp $1/qemu.conf /etc/libvirt/\n"
           "exec libvirtd --daemon --config $1/libvirtd.conf --pid-file $1/libvirtd.pid\n";
    // It comes back when the daemon's socket is there.
    run_checked({"unshare", "--mount", "sh", (folder / "start").string(), folder.string()},
                seconds{30});
    pid_ = std::stoi(read_text(folder / "libvirtd.pid"));
  }
  ~OwnDaemon() {
    const Fd process{static_cast<int>(::syscall(SYS_pidfd_open, pid_, 0))};
    ::kill(pid_, SIGTERM);
    pollfd ended{process.get(), POLLIN, 0};
    ::poll(&ended, 1, 20000);  // it still writes into the folder, which goes next
  }
  OwnDaemon(const OwnDaemon&) = delete;
  OwnDaemon& operator=(const OwnDaemon&) = delete;

  std::string uri() const {
    return "qemu+unix:///system?socket=" + (folder_ / "libvirt-sock").string();
  }

 private:
  fs::path folder_;
  pid_t pid_ = 0;
};

// What the daemon's namespace hides is copied to where it sees it.
guest::DomainSpec visible_guest(const fs::path& folder) {
  auto spec = test::small_guest(folder);
  fs::copy_file(spec.kernel, folder / "vmlinuz");
  fs::copy_file(spec.initramfs, folder / "initramfs");
  spec.kernel = folder / "vmlinuz";
  spec.initramfs = folder / "initramfs";
  return spec;
}

}  // namespace

TEST_CASE("a guest of a libvirt daemon: its channel, its end, and its remover") {
  if (::geteuid() != 0) VMTAX_SKIP("guests are booted as root");
  if (find_program("libvirtd").empty()) VMTAX_SKIP("no libvirtd on this machine");
  const test::TemporaryDirectory folder;
  const OwnDaemon daemon{folder.path()};
  journal::Journal journal{folder.path() / "journal", "test-run", guest::removers()};
  guest::Hypervisor hypervisor{{daemon.uri(), {}}, journal};
  const auto spec = visible_guest(folder.path());
  const auto removers = guest::removers();
  const auto& remove = removers.at("domain");
  const nlohmann::json detail{{"uri", daemon.uri()}, {"name", spec.name}, {"run_id", spec.run_id}};
  {
    auto domain = hypervisor.start(spec);
    run::AgentClient client{domain.channel()};
    test::greet(client);
    domain.channel().write_all(std::string(512 << 10, 'x') + "\n", {"it reads", seconds{20}});
    char answer[4096];
    CHECK(domain.channel().read_some(answer, {"it refuses", seconds{20}}) > 0);
    domain.end(Deadline{"no grace", seconds{0}});
    CHECK_THROWS(domain.live_xml());
  }
  auto domain = hypervisor.start(spec);
  auto others = detail;
  others["run_id"] = "another-run";
  remove(others);
  CHECK_NOTHROW(domain.live_xml());
  remove(detail);
  CHECK_THROWS(domain.live_xml());
  CHECK_NOTHROW(remove(detail));
}
