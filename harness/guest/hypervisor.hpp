// The hypervisor: a connection to libvirt, and guests that live no longer than it is asked.
//
// Default connection: qemu:///embed?root=ROOT, no daemon. A QEMU of it outlives a killed vmtax; the
// journal keeps ROOT, and the remover finds the QEMU by it and ends it. No libvirt type is visible.
#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include <nlohmann/json_fwd.hpp>
#include <sys/types.h>

#include "base/byte_channel.hpp"
#include "base/deadline.hpp"
#include "guest/domain_spec.hpp"
#include "journal/journal.hpp"

namespace vmtax::guest {

/// A running guest.
class Domain {
 public:
  ~Domain();  ///< ends it, without throwing
  Domain(Domain&&) noexcept;

  /// The agent's virtio-serial port; opened once. Besides what every channel throws,
  /// MeasurementError when QEMU has stopped the guest because its disk failed (no space, I/O
  /// error).
  ByteChannel& channel();
  pid_t pid() const;             ///< of QEMU; 0 where it is not on this host
  std::string live_xml() const;  ///< as libvirt has it now
  std::string console() const;   ///< the last lines of the console log, for error messages
  /// Ends the guest (after `grace` for one that was asked to power off itself) and verifies by
  /// libvirt and by pid that it is gone. EnvironmentError when it is not.
  void end(const Deadline& grace);

 private:
  friend class Hypervisor;
  struct State;
  explicit Domain(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

struct Connection {
  std::string uri;             ///< "embed", or a libvirt URI
  std::filesystem::path root;  ///< of embed: short, absolute, private to this run
};

/// Its domains must be gone before it is. One embedded root per process, for the whole life of the
/// process: libvirt refuses another even after the first was closed.
class Hypervisor {
 public:
  /// Opens the connection; for embed makes the root with its qemu.conf, journalled first.
  /// EnvironmentError with the reason and the fix.
  Hypervisor(const Connection& connection, journal::Journal& journal);
  ~Hypervisor();
  Hypervisor(const Hypervisor&) = delete;
  Hypervisor& operator=(const Hypervisor&) = delete;

  /// Creates a transient domain and returns when QEMU runs. MeasurementError with libvirt's and
  /// QEMU's own words when it doesn't start.
  Domain start(const DomainSpec& spec);

  /// {"uri", "libvirt", "qemu"}: versions as strings.
  nlohmann::json facts() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// What there is to connect to, without making anything. EnvironmentError when a run could not.
std::string check_connection(const Connection& connection);

/// The removers of what this folder makes: embed roots with their guests, domains on other URIs.
journal::Removers removers();

}  // namespace vmtax::guest
