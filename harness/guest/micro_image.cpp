#include "guest/micro_image.hpp"

#include <algorithm>
#include <cstring>
#include <fstream>
#include <sstream>
#include <vector>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "base/errors.hpp"
#include "base/fd.hpp"
#include "base/places.hpp"
#include "base/process.hpp"

namespace vmtax::guest {
namespace {

namespace fs = std::filesystem;
using std::chrono::seconds;

struct Kernel {
  fs::path image;
  fs::path modules_root;  ///< the folder that holds lib/modules/RELEASE
  std::string release;
};

bool readable(const fs::path& path) {
  return ::access(path.c_str(), R_OK) == 0;
}

bool complete(const Kernel& kernel) {
  return readable(kernel.image) &&
         fs::is_directory(kernel.modules_root / "lib/modules" / kernel.release);
}

Kernel host_kernel() {
  utsname host{};
  ::uname(&host);
  return {fs::path{"/boot"} / (std::string{"vmlinuz-"} + host.release), "/", host.release};
}

// The newest that is complete; releases compare as versions, 6.1.0-9 before 6.1.0-10.
std::optional<Kernel> cached_kernel(const fs::path& root) {
  static constexpr std::string_view prefix = "vmlinuz-";
  std::optional<Kernel> newest;
  std::error_code absent;
  for (const auto& entry : fs::directory_iterator{root / "boot", absent}) {
    const auto name = entry.path().filename().string();
    if (!name.starts_with(prefix)) continue;
    const Kernel kernel{entry.path(), root, name.substr(prefix.size())};
    if (!complete(kernel)) continue;
    if (!newest || ::strverscmp(newest->release.c_str(), kernel.release.c_str()) < 0)
      newest = kernel;
  }
  return newest;
}

Kernel automatic_kernel() {
  auto kernel = host_kernel();
  if (complete(kernel)) return kernel;
  const auto cache = places::cache() / "kernel";
  if (auto cached = cached_kernel(cache)) return *cached;
  throw EnvironmentError("no kernel for the guest: neither " + kernel.image.string() +
                         " with readable modules in /lib/modules/" + kernel.release +
                         ", nor one in " + cache.string() + ": run ./setup deps");
}

Kernel named_kernel(const fs::path& image) {
  if (!readable(image))
    throw EnvironmentError("the guest's kernel " + image.string() + " can't be read");
  const auto release = kernel_release(image);
  if (!release) throw EnvironmentError(image.string() + " is not an x86 kernel image (bzImage)");
  const auto folder = fs::absolute(image).parent_path();
  for (const auto& root : {folder.parent_path(), folder, fs::path{"/"}}) {
    const Kernel kernel{image, root, *release};
    if (complete(kernel)) return kernel;
  }
  throw EnvironmentError("the modules of the guest's kernel " + image.string() +
                         " are missing: lib/modules/" + *release + " in " +
                         folder.parent_path().string() + ", " + folder.string() + " or /");
}

// The first twelve digits of each file's SHA-256, joined: another agent, or another way of
// building, is another image.
std::string fingerprint(const std::vector<fs::path>& files) {
  std::vector<std::string> argv{"sha256sum", "--"};
  for (const auto& file : files) argv.push_back(file.string());
  std::istringstream sums{run_checked(argv, seconds{60})};
  std::string joined;
  for (std::string line; std::getline(sums, line);) {
    if (line.starts_with('\\')) line.erase(0, 1);  // how sha256sum marks a name that it escaped
    joined += (joined.empty() ? "" : "-") + line.substr(0, 12);
  }
  return joined;
}

// Two runs may want the same image at the same time: the second waits for the first and finds it.
class BuildLock {
 public:
  explicit BuildLock(const fs::path& folder)
      : file_(::open((folder / "initramfs.lock").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644)) {
    if (!file_ || ::flock(file_.get(), LOCK_EX) != 0)
      throw EnvironmentError("the guest's initramfs can't be made in the cache " + folder.string() +
                             ": " + std::strerror(errno));
  }

 private:
  Fd file_;
};

}  // namespace

std::optional<std::string> kernel_release(const fs::path& image) {
  // Linux' boot protocol: "HdrS" at 0x202, and at 0x20e where the version text is, less 0x200.
  std::ifstream file{image, std::ios::binary};
  char header[0x210] = {};
  if (!file.read(header, sizeof header) || std::memcmp(header + 0x202, "HdrS", 4) != 0)
    return std::nullopt;
  const auto low = static_cast<unsigned char>(header[0x20e]);
  const auto high = static_cast<unsigned char>(header[0x20f]);
  std::string text(128, '\0');
  file.seekg(0x200 + low + 256 * high);
  file.read(text.data(), static_cast<std::streamsize>(text.size()));
  const auto end = text.find_first_of(std::string_view{" \0", 2});
  if (end == 0 || end == std::string::npos) return std::nullopt;
  return text.substr(0, end);
}

MicroImage micro_image(const std::string& kernel, const fs::path& agent) {
  const auto chosen = kernel == "auto" ? automatic_kernel() : named_kernel(kernel);
  std::error_code unknown;
  if (!fs::is_regular_file(agent, unknown) || !readable(agent))
    throw EnvironmentError("the agent " + agent.string() + " can't be read");
  const auto build = places::share() / "images/micro/build";
  const auto folder = places::cache();
  const auto image =
      folder / ("initramfs-" + chosen.release + "-" + fingerprint({agent, build}) + ".img");
  // Who may not write to the cache can still use what is in it; an image appears there whole.
  if (readable(image)) return {chosen.image, image, chosen.release};
  std::error_code error;
  fs::create_directories(folder, error);
  const BuildLock lock{folder};
  if (!readable(image))
    run_checked(
        {build.string(), "--agent", agent.string(), "--modules", chosen.modules_root.string(),
         "--release", chosen.release, "--output", image.string()},
        seconds{60});
  return {chosen.image, image, chosen.release};
}

std::string kernel_arguments(Accelerator accelerator) {
  std::string arguments = "console=ttyS0 panic=-1 quiet";
  // Under emulation the kernel distrusts the TSC and would read the HPET, at 18 times the cost; and
  // testing its ciphers takes it a tenth of the boot. On a busy host its timer check fails in vain.
  if (accelerator == Accelerator::tcg)
    arguments += " tsc=reliable no_timer_check cryptomgr.notests";
  return arguments;
}

}  // namespace vmtax::guest
