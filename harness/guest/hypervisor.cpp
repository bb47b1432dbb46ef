#include "guest/hypervisor.hpp"

#include <charconv>
#include <cstdlib>
#include <optional>
#include <utility>

#include <nlohmann/json.hpp>
#include <unistd.h>

#include "base/errors.hpp"
#include "base/files.hpp"
#include "base/interrupt.hpp"
#include "base/log.hpp"
#include "base/process.hpp"
#include "guest/accelerator.hpp"
#include "guest/embed_root.hpp"
#include "guest/libvirt.hpp"
#include "guest/qemu_process.hpp"

namespace vmtax::guest {
namespace {

namespace fs = std::filesystem;
using std::chrono::seconds;

constexpr const char* root_kind = "embed_root";
constexpr const char* domain_kind = "domain";
constexpr const char* embedded_guest_kind = "embedded_guest";

// Where a libvirt on this host keeps the pid files of its guests; empty where it is on another.
fs::path pid_folder(const Connection& connection) {
  if (connection.uri == "embed") return connection.root / "run" / "qemu";
  const auto uri = connection.uri.substr(0, connection.uri.find('?'));
  const auto authority = uri.find("://");
  if (authority == std::string::npos || uri.compare(authority + 3, 1, "/") != 0) return {};
  if (uri.ends_with("/system")) return "/run/libvirt/qemu";
  const char* runtime = std::getenv("XDG_RUNTIME_DIR");
  if (uri.ends_with("/session") && runtime) return fs::path{runtime} / "libvirt/qemu/run";
  return {};
}

std::optional<QemuProcess> process_of(const Connection& connection, const std::string& name) {
  const auto folder = pid_folder(connection);
  if (folder.empty()) return std::nullopt;
  const auto text = read_attribute(folder / (name + ".pid")).value_or("");
  pid_t pid = 0;
  std::from_chars(text.data(), text.data() + text.size(), pid);
  return pid > 0 ? QemuProcess::named(pid, name) : std::nullopt;
}

// libvirt's words, then those of QEMU's that it left out.
std::string why_not_started(const Connection& connection, const std::string& name,
                            const std::string& libvirt) {
  auto text = "the guest " + name + " doesn't start: " + libvirt;
  if (connection.uri != "embed") return text;
  const auto words = qemu_words(connection.root, name);
  if (!words.empty() && libvirt.find(last_lines(words, 1)) == std::string::npos)
    text += "; QEMU: " + words;
  return text;
}

// "7.2.22" of "QEMU emulator version 7.2.22 (Debian 1:7.2+dfsg-7+deb12u18)".
std::string own_version(const fs::path& emulator) {
  const auto text = run_checked({emulator.string(), "--version"}, seconds{10});
  static constexpr std::string_view before = "version ";
  const auto at = text.find(before);
  if (at == std::string::npos) return {};
  return text.substr(at + before.size(),
                     text.find_first_of(" \n", at + before.size()) - at - before.size());
}

void remove_root(const nlohmann::json& detail) {
  remove_embed_root(detail.at("root").get<std::string>());
}

void remove_embedded_guest(const nlohmann::json& detail) {
  const auto name = detail.at("name").get<std::string>();
  for (const auto& guest : QemuProcess::of_root(detail.at("root").get<std::string>()))
    if (QemuProcess::named(guest.pid(), name)) guest.end();
}

void remove_domain(const nlohmann::json& detail) {
  const auto name = detail.at("name").get<std::string>();
  LibvirtConnection libvirt{detail.at("uri").get<std::string>(), {}};
  auto domain = libvirt.find_tagged(name, detail.at("run_id").get<std::string>());
  if (!domain) return;
  domain->destroy();
  const Deadline gone{"libvirt sees the guest " + name + " end", seconds{20}};
  if (!domain->wait_stopped(gone)) throw EnvironmentError(gone.missed());
}

}  // namespace

/// Guests of an embedded libvirt whose QEMU is gone, until libvirt has seen it too.
using Ending = std::vector<LibvirtDomain>;

struct Domain::State {
  LibvirtDomain domain;
  DomainSpec spec;
  std::optional<QemuProcess> process;  ///< where it is on this host
  std::shared_ptr<Ending> ending;      ///< embed alone
  journal::Journal& journal;
  journal::EntryId entry;
  std::unique_ptr<ByteChannel> channel;
  bool ended = false;

  void require_running() const {
    if (ended) throw MeasurementError("the guest " + spec.name + " has ended");
  }
};

Domain::Domain(std::unique_ptr<State> state) : state_(std::move(state)) {}
Domain::Domain(Domain&&) noexcept = default;

Domain::~Domain() {
  if (!state_ || state_->ended) return;
  try {
    end(Deadline{"no grace", seconds{0}});
  } catch (const std::exception& error) {
    log::error("guest " + state_->spec.name + ": " + error.what());
  }
}

ByteChannel& Domain::channel() {
  state_->require_running();
  if (!state_->channel) state_->channel = state_->domain.open_channel(state_->spec.channel);
  return *state_->channel;
}

pid_t Domain::pid() const {
  return state_->process ? state_->process->pid() : 0;
}

std::string Domain::live_xml() const {
  state_->require_running();
  return state_->domain.xml();
}

std::string Domain::console() const {
  const auto text = read_attribute(state_->spec.console_log).value_or("");
  return std::string{last_lines(text, 20)};
}

// QEMU of an embedded libvirt is ours, so it is ended and seen to be gone by itself. libvirt learns
// of it in its own time: it waits for its process to be reaped too, which takes an init that looks
// only now and then another two seconds, and the next guest need not wait for that.
void Domain::end(const Deadline& grace) {
  auto& [domain, spec, process, ending, journal, entry, channel, ended] = *state_;
  if (std::exchange(ended, true)) return;
  // Ctrl-C cuts the grace short, and nothing after it.
  if (!grace.passed()) process ? process->wait_gone(grace) : domain.wait_stopped(grace);
  const interrupt::Shield shield;
  channel.reset();
  if (process && ending) {
    process->end();
    ending->push_back(std::move(domain));
    journal.remove(entry);
    return;
  }
  domain.destroy();
  const Deadline gone{"the guest " + spec.name + " is gone", seconds{20}};
  if (!domain.wait_stopped(gone) || (process && !process->wait_gone(gone)))
    throw EnvironmentError(gone.missed());
  journal.remove(entry);
}

struct Hypervisor::State {
  Connection where;
  journal::Journal& journal;
  std::optional<journal::EntryId> root;
  std::optional<LibvirtConnection> libvirt;
  std::shared_ptr<Ending> ending;  ///< embed alone

  std::string uri() const {
    return where.uri == "embed" ? "qemu:///embed?root=" + where.root.string() : where.uri;
  }
};

Hypervisor::Hypervisor(const Connection& connection, journal::Journal& journal)
    : state_(new State{connection, journal, {}, {}, {}}) {
  if (connection.uri != "embed") {
    state_->libvirt.emplace(connection.uri, "");
    return;
  }
  // Before it is journalled as ours: what is there belongs to someone else.
  if (fs::exists(connection.root))
    throw EnvironmentError("libvirt's root " + connection.root.string() +
                           " exists already: vmtax clean removes what a dead run left");
  const nlohmann::json detail{{"root", connection.root.string()}};
  state_->root = journal.will_make(root_kind, detail);
  make_embed_root(connection.root);
  state_->libvirt.emplace(state_->uri(), (connection.root / "libvirt.log").string());
  state_->ending = std::make_shared<Ending>();
}

Hypervisor::~Hypervisor() {
  if (!state_->root) return;
  try {
    const interrupt::Shield shield;
    const Deadline seen{"libvirt sees its guests end", seconds{20}};
    for (const auto& domain : *state_->ending)
      if (!domain.wait_stopped(seen)) log::warning(seen.missed());
    state_->ending->clear();
    state_->libvirt.reset();
    keep_capabilities(state_->where.root);
    state_->journal.remove(*state_->root);
  } catch (const std::exception& error) {
    log::error(error.what());
  }
}

Domain Hypervisor::start(const DomainSpec& spec) {
  // Each guest is an entry of its own, after what it holds open, so that it is ended before that.
  const nlohmann::json embedded{{"root", state_->where.root.string()}, {"name", spec.name}};
  const nlohmann::json elsewhere{
      {"uri", state_->where.uri}, {"name", spec.name}, {"run_id", spec.run_id}};
  const auto entry = state_->root ? state_->journal.will_make(embedded_guest_kind, embedded)
                                  : state_->journal.will_make(domain_kind, elsewhere);
  try {
    auto domain = state_->libvirt->create(domain_xml(spec));
    auto process = process_of(state_->where, spec.name);
    return Domain{std::unique_ptr<Domain::State>{new Domain::State{std::move(domain),
                                                                   spec,
                                                                   std::move(process),
                                                                   state_->ending,
                                                                   state_->journal,
                                                                   entry,
                                                                   {},
                                                                   false}}};
  } catch (const MeasurementError& error) {
    state_->journal.remove(entry);
    throw MeasurementError(why_not_started(state_->where, spec.name, error.what()));
  }
}

nlohmann::json Hypervisor::facts() const {
  // An embedded libvirt would first ask every emulator of this architecture for all it can.
  const auto qemu = state_->root ? own_version(find_emulator()) : state_->libvirt->qemu_version();
  return {{"uri", state_->uri()}, {"libvirt", state_->libvirt->libvirt_version()}, {"qemu", qemu}};
}

std::string check_connection(const Connection& connection) {
  if (connection.uri == "embed") {
    check_embed_root(connection.root);
    return "embedded, no daemon";
  }
  return connection.uri + ", libvirt " + LibvirtConnection{connection.uri, ""}.libvirt_version();
}

journal::Removers removers() {
  return {{root_kind, remove_root},
          {domain_kind, remove_domain},
          {embedded_guest_kind, remove_embedded_guest}};
}

}  // namespace vmtax::guest
