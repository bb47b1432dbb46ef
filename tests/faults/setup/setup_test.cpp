// The script `setup` against package managers that this machine is not: what it would install on
// Proxmox VE, and that it never carries out a plan that removes something. The programs in its PATH
// are stand-ins that note how they were called.
#include <filesystem>
#include <fstream>

#include "base/files.hpp"
#include "base/process.hpp"
#include "support/catch.hpp"
#include "support/temporary_directory.hpp"

using namespace vmtax;
using Catch::Matchers::Contains;

namespace {

class FakeHost {
 public:
  FakeHost() {
    // Everything but what is named in MISSING is installed; pve-qemu-kvm only where PVE is set.
    program("dpkg-query",
            "case $4 in\n"
            "  pve-qemu-kvm) [ -n \"$PVE\" ] && printf installed ;;\n"
            "  *) case \" $MISSING \" in *\" $4 \"*) ;; *) printf installed ;; esac ;;\n"
            "esac\n");
    program("apt-get",
            "echo \"apt-get $*\" >> \"$CALLS\"\n"
            "case \"$*\" in *--simulate*) printf '%s\\n' \"$PLAN\" ;; esac\n");
    program("getent", "exit 0\n");
    std::filesystem::create_directories(folder_.path() / "cache/kernel/boot");
    std::ofstream(folder_.path() / "cache/kernel/boot/vmlinuz-6.1.0-fake") << "kernel";
  }

  ProcessOutput deps(const std::string& environment) const {
    const std::string setup = std::string{VMTAX_SOURCE_DIR} + "/setup";
    return run_process({"sh", "-c",
                        "export PATH=" + (folder_.path() / "bin").string() + ":$PATH CALLS=" +
                            calls() + " VMTAX_CACHE=" + (folder_.path() / "cache").string() + " " +
                            environment + "; exec " + setup + " deps"},
                       std::chrono::seconds{20});
  }
  std::string called() const { return read_attribute(calls()).value_or(""); }

 private:
  std::string calls() const { return (folder_.path() / "calls").string(); }
  void program(const std::string& name, const std::string& body) const {
    const auto path = folder_.path() / "bin" / name;
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path) << "#!/bin/sh\n" << body;
    std::filesystem::permissions(path, std::filesystem::perms::owner_all);
  }

  test::TemporaryDirectory folder_;
};

}  // namespace

TEST_CASE("where all is installed, no package manager is called") {
  const FakeHost host;
  const auto output = host.deps("PVE= MISSING=");
  INFO(output.err);
  CHECK(output.exit_code == 0);
  CHECK(host.called() == "");
}

TEST_CASE("missing packages are simulated first and installed without recommends or questions") {
  const FakeHost host;
  const auto output = host.deps("PVE= MISSING='qemu-system-x86 fdisk' PLAN='Inst fdisk'");
  INFO(output.err);
  CHECK(output.exit_code == 0);
  CHECK_THAT(host.called(),
             Contains("apt-get install --simulate --no-install-recommends fdisk qemu-system-x86") &&
                 Contains("apt-get install -y -qq --no-install-recommends fdisk qemu-system-x86"));
}

TEST_CASE("Proxmox VE keeps its own QEMU") {
  const FakeHost host;
  const auto output =
      host.deps("PVE=yes MISSING='qemu-system-x86 qemu-utils qemu-block-extra fdisk'");
  INFO(output.err);
  CHECK(output.exit_code == 0);
  CHECK_THAT(host.called(), Contains("fdisk") && !Contains("qemu"));
}

TEST_CASE("a plan that removes a package is not carried out") {
  const FakeHost host;
  const auto output = host.deps(
      "PVE= MISSING=fdisk PLAN='Inst fdisk\nRemv pve-manager [8.1]\nRemv proxmox-ve [8.1]'");
  CHECK(output.exit_code == 3);
  CHECK_THAT(output.err, Contains("would remove packages") && Contains("pve-manager proxmox-ve"));
  CHECK_THAT(host.called(), !Contains("install -y"));
}

TEST_CASE("setup names its verbs when it is asked for another") {
  const auto output =
      run_process({std::string{VMTAX_SOURCE_DIR} + "/setup", "instal"}, std::chrono::seconds{10});
  CHECK(output.exit_code == 2);
  CHECK_THAT(output.err, Contains("deps | build | quickstart | test | bench"));
}
