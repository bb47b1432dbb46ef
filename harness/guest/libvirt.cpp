// The only file that knows libvirt.
#include "guest/libvirt.hpp"

#include <atomic>
#include <cstdlib>
#include <deque>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include <libvirt/libvirt.h>
#include <libvirt/virterror.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "base/errors.hpp"
#include "base/fd.hpp"
#include "base/interrupt.hpp"
#include "guest/domain_spec.hpp"

namespace vmtax::guest {
namespace {

struct Release {
  void operator()(virConnectPtr connection) const { virConnectClose(connection); }
  void operator()(virDomainPtr domain) const { virDomainFree(domain); }
  void operator()(char* text) const { std::free(text); }
};
using ConnectionHandle = std::unique_ptr<virConnect, Release>;
using DomainHandle = std::unique_ptr<virDomain, Release>;
using Text = std::unique_ptr<char, Release>;

std::string last_error() {
  return virGetLastErrorMessage();
}

// Something that happens once, seen by poll for ever after.
class Signal {
 public:
  void raise() const {
    const std::uint64_t one = 1;
    [[maybe_unused]] const auto written = ::write(fd_.get(), &one, sizeof one);
  }
  void lower() const {
    std::uint64_t count = 0;
    [[maybe_unused]] const auto taken = ::read(fd_.get(), &count, sizeof count);
  }
  int fd() const { return fd_.get(); }
  bool raised() const {
    pollfd one{fd_.get(), POLLIN, 0};
    return ::poll(&one, 1, 0) == 1;
  }

 private:
  Fd fd_{::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)};
};

// False when neither was raised by the deadline, or a stop was asked.
bool wait_for(const Signal& first, const Signal* second, const Deadline& deadline) {
  pollfd all[] = {{first.fd(), POLLIN, 0},
                  {interrupt::fd(), POLLIN, 0},
                  {second ? second->fd() : -1, POLLIN, 0}};
  while (!first.raised() && !(second && second->raised())) {
    if (interrupt::requested() || deadline.passed()) return false;
    ::poll(all, 3, static_cast<int>(deadline.left().count()));
  }
  return true;
}

// Signals that streams' callbacks raise. They are used again and never freed, because libvirt may
// still be inside a callback when it says that it is removed, and for a stream of a daemon it never
// calls the free function (9.0). One that is raised too late wakes its next user for nothing.
class SignalPool {
 public:
  static SignalPool& instance() {
    static SignalPool pool;
    return pool;
  }
  Signal* take() {
    const std::lock_guard lock{mutex_};
    if (free_.empty()) free_.push_back(&all_.emplace_back());
    auto* signal = free_.back();
    free_.pop_back();
    return signal;
  }
  void give_back(Signal* signal) {
    const std::lock_guard lock{mutex_};
    free_.push_back(signal);
  }

 private:
  std::mutex mutex_;
  std::deque<Signal> all_;
  std::vector<Signal*> free_;
};

// What happens to one domain, told by the event loop's thread.
struct Life {
  Signal stopped;
  Signal disk_failed;
  std::mutex mutex;
  std::string disk_failure;
};

// A domain's callbacks share its life with whoever waits; libvirt lets go of it when it won't call
// again.
using SharedLife = std::shared_ptr<Life>;
Life& life_of(void* opaque) {
  return **static_cast<SharedLife*>(opaque);
}
void let_go(void* opaque) {
  delete static_cast<SharedLife*>(opaque);
}

int on_lifecycle(virConnectPtr, virDomainPtr, int event, int, void* opaque) {
  if (event == VIR_DOMAIN_EVENT_STOPPED) life_of(opaque).stopped.raise();
  return 0;
}

void on_disk_error(virConnectPtr, virDomainPtr, const char* path, const char*, int action,
                   const char* reason, void* opaque) {
  if (action != VIR_DOMAIN_EVENT_IO_ERROR_PAUSE) return;
  auto& life = life_of(opaque);
  {
    const std::lock_guard lock{life.mutex};
    life.disk_failure = "QEMU stopped the guest: its disk " + std::string{path ? path : ""} +
                        " failed (" + (reason && *reason ? reason : "I/O error") + ")";
  }
  life.disk_failed.raise();
}

class EventLoop {
 public:
  EventLoop() {
    if (virEventRegisterDefaultImpl() < 0)
      throw EnvironmentError("libvirt's event loop: " + last_error());
    timer_ = virEventAddTimeout(
        -1, [](int, void*) {}, nullptr, nullptr);
    thread_ = std::thread{[this] {
      while (!stop_) virEventRunDefaultImpl();
    }};
  }
  ~EventLoop() {
    stop_ = true;
    virEventUpdateTimeout(timer_, 0);
    thread_.join();
  }

 private:
  std::atomic<bool> stop_{false};
  int timer_ = -1;
  std::thread thread_;
};

// libvirt reads its logging from the environment, and prints every error by itself, unless told.
void initialise_once(const std::string& log_file) {
  static std::once_flag once;
  std::call_once(once, [&] {
    const auto log = "3:file:" + (log_file.empty() ? "/dev/null" : log_file);
    ::setenv("LIBVIRT_LOG_OUTPUTS", log.c_str(), 0);
    if (virInitialize() < 0) throw EnvironmentError("libvirt: " + last_error());
    virSetErrorFunc(nullptr, [](void*, virErrorPtr) {});
  });
  SignalPool::instance();  // before the loop, so that it outlives it
  static EventLoop loop;
}

std::string version(unsigned long number) {
  return std::to_string(number / 1000000) + "." + std::to_string(number / 1000 % 1000) + "." +
         std::to_string(number % 1000);
}

class StreamChannel final : public ByteChannel {
 public:
  StreamChannel(virConnectPtr connection, virDomainPtr domain, const std::string& name,
                SharedLife life)
      : stream_(virStreamNew(connection, VIR_STREAM_NONBLOCK)), life_(std::move(life)) {
    if (!stream_) throw MeasurementError("channel " + name + ": " + last_error());
    if (virDomainOpenChannel(domain, name.c_str(), stream_, 0) < 0) {
      const auto reason = last_error();
      virStreamFree(stream_);
      throw MeasurementError("channel " + name + ": " + reason);
    }
    if (virStreamEventAddCallback(stream_, 0, on_event, ready_.get(), nullptr) < 0) {
      const auto reason = last_error();
      virStreamAbort(stream_);
      virStreamFree(stream_);
      throw MeasurementError("channel " + name + ": " + reason);
    }
  }
  ~StreamChannel() override {
    virStreamEventRemoveCallback(stream_);
    virStreamAbort(stream_);
    virStreamFree(stream_);
  }
  StreamChannel(const StreamChannel&) = delete;
  StreamChannel& operator=(const StreamChannel&) = delete;

  std::size_t read_some(std::span<char> into, const Deadline& deadline) override {
    for (;;) {
      interrupt::check();
      const int got = virStreamRecv(stream_, into.data(), into.size());
      if (got >= 0) return static_cast<std::size_t>(got);
      if (got != would_block) throw MeasurementError("reading from the guest: " + last_error());
      wait(VIR_STREAM_EVENT_READABLE, deadline);
    }
  }

  void write_all(std::string_view bytes, const Deadline& deadline) override {
    while (!bytes.empty()) {
      interrupt::check();
      const auto chunk = bytes.substr(0, 64 << 10);
      const int put = virStreamSend(stream_, chunk.data(), chunk.size());
      if (put > 0)
        bytes.remove_prefix(static_cast<std::size_t>(put));
      else if (put == would_block)
        wait(VIR_STREAM_EVENT_WRITABLE, deadline);
      else
        throw MeasurementError("writing to the guest: " + last_error());
    }
  }

 private:
  static constexpr int would_block = -2;
  struct GiveBack {
    void operator()(Signal* signal) const { SignalPool::instance().give_back(signal); }
  };

  // Events are level-triggered: asked for by wait() alone, and no longer once one came. The order
  // matters: wait() may ask anew between the two, and must then be woken to ask once more.
  static void on_event(virStreamPtr stream, int, void* opaque) {
    virStreamEventUpdateCallback(stream, 0);
    static_cast<Signal*>(opaque)->raise();
  }

  void wait(int event, const Deadline& deadline) {
    virStreamEventUpdateCallback(stream_, event | VIR_STREAM_EVENT_ERROR | VIR_STREAM_EVENT_HANGUP);
    if (!wait_for(*ready_, &life_->disk_failed, deadline)) {
      interrupt::check();
      throw MeasurementError(deadline.missed());
    }
    ready_->lower();
    if (life_->disk_failed.raised()) {
      const std::lock_guard lock{life_->mutex};
      throw MeasurementError(life_->disk_failure);
    }
  }

  virStreamPtr stream_;
  SharedLife life_;
  std::unique_ptr<Signal, GiveBack> ready_{SignalPool::instance().take()};
};

}  // namespace

struct LibvirtDomain::State {
  State(virConnectPtr connection, DomainHandle domain) : handle(std::move(domain)) {
    watch(connection, VIR_DOMAIN_EVENT_ID_LIFECYCLE, VIR_DOMAIN_EVENT_CALLBACK(on_lifecycle));
    watch(connection, VIR_DOMAIN_EVENT_ID_IO_ERROR_REASON,
          VIR_DOMAIN_EVENT_CALLBACK(on_disk_error));
    // It may have stopped before anyone was told.
    if (virDomainIsActive(handle.get()) != 1) life->stopped.raise();
  }
  ~State() {
    for (const int id : watches)
      virConnectDomainEventDeregisterAny(virDomainGetConnect(handle.get()), id);
  }

  void watch(virConnectPtr connection, int event, virConnectDomainEventGenericCallback call) {
    auto* opaque = new SharedLife{life};
    const int id =
        virConnectDomainEventRegisterAny(connection, handle.get(), event, call, opaque, let_go);
    if (id < 0) let_go(opaque);
    if (id >= 0) watches.push_back(id);
  }

  DomainHandle handle;
  SharedLife life = std::make_shared<Life>();
  std::vector<int> watches;
};

LibvirtDomain::LibvirtDomain(std::unique_ptr<State> state) : state_(std::move(state)) {}
LibvirtDomain::LibvirtDomain(LibvirtDomain&&) noexcept = default;
LibvirtDomain::~LibvirtDomain() = default;

std::string LibvirtDomain::xml() const {
  const Text text{virDomainGetXMLDesc(state_->handle.get(), 0)};
  if (!text) throw MeasurementError("the domain's live XML: " + last_error());
  return text.get();
}

std::unique_ptr<ByteChannel> LibvirtDomain::open_channel(const std::string& name) {
  auto* domain = state_->handle.get();
  return std::make_unique<StreamChannel>(virDomainGetConnect(domain), domain, name, state_->life);
}

bool LibvirtDomain::wait_stopped(const Deadline& deadline) const {
  return wait_for(state_->life->stopped, nullptr, deadline);
}

void LibvirtDomain::destroy() {
  if (virDomainDestroy(state_->handle.get()) == 0) return;
  const int code = virGetLastErrorCode();
  // Gone between the question and the answer; whether QEMU is too is for the caller to verify.
  if (code == VIR_ERR_NO_DOMAIN || code == VIR_ERR_OPERATION_INVALID) return;
  throw EnvironmentError("ending the guest: " + last_error());
}

struct LibvirtConnection::State {
  ConnectionHandle handle;
};

LibvirtConnection::LibvirtConnection(const std::string& uri, const std::string& log_file)
    : state_(std::make_unique<State>()) {
  initialise_once(log_file);
  state_->handle.reset(virConnectOpen(uri.c_str()));
  if (!state_->handle) throw EnvironmentError("libvirt " + uri + ": " + last_error());
}

LibvirtConnection::LibvirtConnection(LibvirtConnection&&) noexcept = default;
LibvirtConnection::~LibvirtConnection() = default;

LibvirtDomain LibvirtConnection::create(const std::string& xml) {
  auto* connection = state_->handle.get();
  DomainHandle domain{virDomainCreateXML(connection, xml.c_str(), VIR_DOMAIN_START_VALIDATE)};
  if (!domain) throw MeasurementError(last_error());
  return LibvirtDomain{std::make_unique<LibvirtDomain::State>(connection, std::move(domain))};
}

std::optional<LibvirtDomain> LibvirtConnection::find_tagged(const std::string& name,
                                                            const std::string& run_id) {
  auto* connection = state_->handle.get();
  DomainHandle domain{virDomainLookupByName(connection, name.c_str())};
  if (!domain) return std::nullopt;
  const Text tag{virDomainGetMetadata(domain.get(), VIR_DOMAIN_METADATA_ELEMENT, tag_namespace, 0)};
  if (!tag || std::string{tag.get()}.find("run=\"" + run_id + "\"") == std::string::npos)
    return std::nullopt;
  return LibvirtDomain{std::make_unique<LibvirtDomain::State>(connection, std::move(domain))};
}

std::string LibvirtConnection::libvirt_version() const {
  unsigned long number = 0;
  return virConnectGetLibVersion(state_->handle.get(), &number) == 0 ? version(number) : "";
}

std::string LibvirtConnection::qemu_version() const {
  unsigned long number = 0;
  return virConnectGetVersion(state_->handle.get(), &number) == 0 ? version(number) : "";
}

}  // namespace vmtax::guest
