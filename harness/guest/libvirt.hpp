// libvirt as this folder needs it, with none of its types: connections, transient domains, their
// life and their streams. What a run wants of them is hypervisor.hpp.
//
// All of it is asynchronous underneath: one thread runs libvirt's event loop for the whole process,
// and whoever waits polls on a descriptor, so that every wait ends at a deadline or at Ctrl-C.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "base/byte_channel.hpp"
#include "base/deadline.hpp"

namespace vmtax::guest {

class LibvirtDomain {
 public:
  LibvirtDomain(LibvirtDomain&&) noexcept;
  ~LibvirtDomain();  ///< lets go of the handle; the domain lives on

  /// As libvirt has it now. MeasurementError when the domain is gone.
  std::string xml() const;

  /// A stream to the virtio channel of this name. It throws MeasurementError with the reason when
  /// QEMU has stopped the guest because of an I/O error of its disk.
  std::unique_ptr<ByteChannel> open_channel(const std::string& name);

  /// Whether libvirt saw the domain stop by the deadline, or before a stop was asked.
  bool wait_stopped(const Deadline& deadline) const;

  /// Ends it at once; nothing to do when libvirt doesn't know it any more. EnvironmentError.
  void destroy();

 private:
  friend class LibvirtConnection;
  struct State;
  explicit LibvirtDomain(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

class LibvirtConnection {
 public:
  /// EnvironmentError with libvirt's words. libvirt's own log goes to `log_file` where one is named
  /// and no other was asked for in the environment; the first connection of a process decides.
  LibvirtConnection(const std::string& uri, const std::string& log_file);
  ~LibvirtConnection();
  LibvirtConnection(LibvirtConnection&&) noexcept;

  /// Starts a transient domain, checked against libvirt's schema, so that a misspelt knob is an
  /// error and not ignored. MeasurementError with libvirt's words.
  LibvirtDomain create(const std::string& xml);

  /// The domain of this name whose metadata carries our tag with this run id.
  std::optional<LibvirtDomain> find_tagged(const std::string& name, const std::string& run_id);

  std::string libvirt_version() const;  ///< of the other end of the connection
  std::string qemu_version() const;     ///< empty where there is none

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace vmtax::guest
