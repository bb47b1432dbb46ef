#include "guest/embed_root.hpp"

#include <algorithm>
#include <fstream>
#include <sstream>
#include <system_error>

#include <grp.h>
#include <pwd.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/errors.hpp"
#include "base/files.hpp"
#include "base/log.hpp"
#include "base/places.hpp"
#include "guest/qemu_process.hpp"

namespace vmtax::guest {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view mark = "# Written by vmtax: the root of a private, embedded libvirt.\n";

// As root and without any relabelling, ownership, namespace or cgroup of libvirt's: nothing outside
// this root is changed, so nothing has to be put back after a crash. QEMU stays in the cgroup of
// vmtax, under the same limits as the host's arm. stdio_handler: no virtlogd.
constexpr std::string_view settings = R"(user = "root"
group = "root"
dynamic_ownership = 0
remember_owner = 0
namespaces = [ ]
cgroup_controllers = [ ]
hugetlbfs_mount = [ ]
security_driver = "none"
stdio_handler = "file"
)";

// The longest path that libvirt makes in it, with a domain's short name of 20 characters, is
// ROOT/lib/qemu/channel/target/domain-12345-NAME/vmtax.agent.0; a socket's has at most 107.
constexpr std::size_t longest_root = 107 - 72;

// libvirt resolves its compiled-in default user before it reads the configuration that overrides
// it.
void require_libvirt_user() {
  if (::geteuid() != 0) return;
  for (const char* name : {"libvirt-qemu", "qemu"})
    if (::getpwnam(name) && ::getgrnam(name)) return;
  throw EnvironmentError(
      "libvirt needs the user and group libvirt-qemu to exist, though nothing runs as them: run "
      "./setup deps, or adduser --system --group --no-create-home libvirt-qemu");
}

fs::path capabilities_of(const fs::path& root) {
  return root / "cache/qemu/capabilities";
}

fs::path kept_capabilities() {
  return places::cache() / "libvirt-capabilities";
}

// Whole files only: two runs may do this at the same time.
void copy_files(const fs::path& from, const fs::path& to) {
  std::error_code absent;
  for (const auto& file : fs::directory_iterator{from, absent}) {
    if (file.path().extension() != ".xml") continue;
    make_directories(to);
    write_atomically(to / file.path().filename(), read_text(file.path()));
  }
}

// libvirt keeps one file outside its root: the lock of an open channel, named by the socket's path.
// A killed process leaves it.
void remove_channel_locks(const fs::path& root) {
  auto name = "LCK.." + root.string() + "/lib/qemu/channel/";
  std::replace(name.begin(), name.end(), '/', '_');
  std::error_code ignored;
  for (const auto& file : fs::directory_iterator{"/var/lock", ignored})
    if (file.path().filename().string().starts_with(name)) fs::remove(file.path(), ignored);
}

bool is_ours(const fs::path& root) {
  std::ifstream conf{root / "etc" / "qemu.conf"};
  std::string line;
  if (std::getline(conf, line)) return line + "\n" == mark;
  // Half made: the configuration comes first, so there is nothing else.
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator{root, ignored})
    if (entry.path().filename() != "etc") return false;
  return true;
}

}  // namespace

void check_embed_root(const fs::path& root) {
  require_libvirt_user();
  if (!root.is_absolute())
    throw EnvironmentError("libvirt's root " + root.string() + " is not absolute");
  if (root.string().size() > longest_root)
    throw EnvironmentError("libvirt's root " + root.string() + " is longer than " +
                           std::to_string(longest_root) +
                           " characters, too long for its sockets: set VMTAX_RUNTIME to a shorter "
                           "folder");
}

void make_embed_root(const fs::path& root) {
  check_embed_root(root);
  make_directories(root.parent_path());
  if (::mkdir(root.c_str(), 0700) != 0)
    throw EnvironmentError("libvirt's root " + root.string() + ": " +
                           std::generic_category().message(errno));
  make_directories(root / "etc");
  write_atomically(root / "etc" / "qemu.conf", std::string{mark} + std::string{settings});
  try {
    copy_files(kept_capabilities(), capabilities_of(root));
  } catch (const EnvironmentError& error) {
    log::debug(std::string{"libvirt asks QEMU anew: "} + error.what());
  }
}

void keep_capabilities(const fs::path& root) {
  try {
    copy_files(capabilities_of(root), kept_capabilities());
  } catch (const EnvironmentError& error) {
    log::debug(std::string{"libvirt's capabilities aren't kept: "} + error.what());
  }
}

void remove_embed_root(const fs::path& root) {
  for (const auto& guest : QemuProcess::of_root(root)) guest.end();
  remove_channel_locks(root);
  std::error_code error;
  if (!fs::exists(fs::symlink_status(root, error))) return;
  if (!is_ours(root))
    throw EnvironmentError(root.string() + " was not made by vmtax; nothing is removed");
  fs::remove_all(root, error);
  if (error) throw EnvironmentError("removing " + root.string() + ": " + error.message());
}

std::string qemu_words(const fs::path& root, const std::string& name) {
  const auto log = read_attribute(root / "log" / "qemu" / (name + ".log")).value_or("");
  std::istringstream lines{log};
  std::string words;
  // libvirt writes the whole command line first, one argument a line, each ending with a backslash;
  // QEMU's own lines have a time in ISO format, libvirt's have a space in it.
  for (std::string line; std::getline(lines, line);)
    if (line.size() > 20 && line[10] == 'T' && line.find("Z ") != std::string::npos)
      words += line.substr(line.find("Z ") + 2) + "\n";
  return std::string{last_lines(words, 5)};
}

std::string_view last_lines(std::string_view text, std::size_t count) {
  if (text.ends_with('\n')) text.remove_suffix(1);
  auto at = text.size();
  while (count-- > 0) {
    const auto before = at == 0 ? std::string_view::npos : text.rfind('\n', at - 1);
    if (before == std::string_view::npos) return text;
    at = before;
  }
  return text.substr(at + 1);
}

}  // namespace vmtax::guest
