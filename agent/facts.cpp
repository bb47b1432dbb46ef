#include "agent/facts.hpp"

#include <cerrno>
#include <cstring>
#include <fstream>
#include <sstream>

#include <fcntl.h>
#include <nlohmann/json.hpp>
#include <sys/stat.h>
#include <sys/sysinfo.h>
#include <sys/sysmacros.h>
#include <sys/utsname.h>

#include "agent/attribute.hpp"
#include "kernel/failures.hpp"
#include "kernel/open_target.hpp"

namespace vmtax::agent {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

void put_attribute(json& into, const char* key, const fs::path& path) {
  if (const auto text = read_attribute(path)) into[key] = *text;
}

json kernel_facts() {
  utsname names{};
  ::uname(&names);
  json facts{{"release", names.release}, {"version", names.version}};
  put_attribute(facts, "command_line", "/proc/cmdline");
  return facts;
}

// The first processor's paragraph is enough: arms run on one kind of processor.
json cpu_facts() {
  json facts{{"count", ::get_nprocs()}, {"hypervisor", false}};
  std::ifstream file{"/proc/cpuinfo"};
  std::string line;
  while (std::getline(file, line) && !line.empty()) {
    const auto colon = line.find(": ");
    if (colon == std::string::npos) continue;
    const auto value = line.substr(colon + 2);
    if (line.starts_with("model name")) facts["model"] = value;
    if (line.starts_with("flags"))
      facts["hypervisor"] = value.find(" hypervisor") != std::string::npos;
  }
  return facts;
}

json mitigation_facts(const fs::path& sys) {
  json facts = json::object();
  std::error_code error;
  for (const auto& entry :
       fs::directory_iterator{sys / "devices/system/cpu/vulnerabilities", error})
    put_attribute(facts, entry.path().filename().c_str(), entry.path());
  return facts;
}

// The eighth number of the first line of /proc/stat: ticks that the hypervisor gave to others.
void put_steal(json& into) {
  std::ifstream file{"/proc/stat"};
  std::string word;
  std::uint64_t steal = 0;
  file >> word;
  for (int i = 0; i < 8; ++i) file >> steal;
  if (file) into["steal_ticks"] = steal;
}

// The queue belongs to the whole disk: a partition's is its parent's.
json queue_facts(dev_t device, const fs::path& sys) {
  json facts = json::object();
  std::error_code error;
  auto folder = fs::canonical(
      sys / "dev/block" / (std::to_string(::major(device)) + ":" + std::to_string(::minor(device))),
      error);
  if (error) return facts;
  if (fs::exists(folder / "partition", error)) folder = folder.parent_path();
  for (const char* name :
       {"scheduler", "max_sectors_kb", "max_hw_sectors_kb", "max_segments", "rotational",
        "logical_block_size", "physical_block_size", "write_cache", "nr_requests", "nomerges",
        "read_ahead_kb", "discard_granularity", "wbt_lat_usec", "io_poll"})
    put_attribute(facts, name, folder / "queue" / name);
  return facts;
}

json target_facts(const std::string& path, const fs::path& sys) {
  json facts{{"path", path}};
  const kernel::Descriptor fd{::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)};
  struct stat status {};
  if (!fd || ::fstat(fd.get(), &status) != 0) {
    facts["error"] = std::strerror(errno);
    return facts;
  }
  facts["kind"] = S_ISBLK(status.st_mode) ? "block" : S_ISREG(status.st_mode) ? "file" : "other";
  if (facts["kind"] == "other") return facts;
  try {
    facts["size"] = kernel::size_of(fd.get(), path).value;
  } catch (const kernel::Refused& refused) {
    facts["error"] = refused.what();
  }
  if (S_ISBLK(status.st_mode)) facts["queue"] = queue_facts(status.st_rdev, sys);
  return facts;
}

}  // namespace

json collect_facts(const std::string& target_path, const DeviceRoots& roots) {
  json facts{{"kernel", kernel_facts()},
             {"cpu", cpu_facts()},
             {"mitigations", mitigation_facts(roots.sys)}};
  put_attribute(facts, "clocksource",
                roots.sys / "devices/system/clocksource/clocksource0/current_clocksource");
  struct sysinfo memory {};
  if (::sysinfo(&memory) == 0)
    facts["memory_bytes"] = std::uint64_t{memory.totalram} * memory.mem_unit;
  put_steal(facts);
  if (!target_path.empty()) facts["target"] = target_facts(target_path, roots.sys);
  return facts;
}

}  // namespace vmtax::agent
