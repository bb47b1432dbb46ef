// A scenario as its author meant it, after every check that needs no machine: all units are types,
// all lists are multiplied out, every default is filled in.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "protocol/io_job.hpp"
#include "protocol/units.hpp"

namespace vmtax::scenario {

/// Where in the YAML a thing was said: for messages of later stages.
struct Mark {
  std::string file;
  int line = 0;  ///< from 1
  int column = 0;
  std::string prefix() const {
    return file + ":" + std::to_string(line) + ":" + std::to_string(column) + ": ";
  }
};

/// A cap that holds for host and guest alike: the drive itself is slow. 0: not capped.
struct Throttle {
  std::uint64_t iops = 0;
  Bytes bandwidth_per_second;
};

/// A drive that vmtax makes: a file in this directory behind a loop device with direct I/O.
struct StandIn {
  std::filesystem::path directory;
  Bytes size;
  std::optional<Throttle> throttle;
};

/// A block device by a stable path.
struct DevicePath {
  std::filesystem::path path;
  std::optional<std::string> erase;  ///< consent: the drive's serial; without it nothing is written
};

struct Drive {
  std::string name;
  std::variant<StandIn, DevicePath> where;
  std::optional<Bytes> span;  ///< default: the largest that fits every configuration
  Mark mark;
};

enum class Accelerator { automatic, kvm, tcg };

struct Guest {
  std::string image = "micro";  ///< micro alone for now
  std::string kernel = "auto";  ///< "auto" or the path of a kernel image
  Accelerator accelerator = Accelerator::automatic;
  std::uint32_t vcpus = 1;
  Bytes memory = mib(512);
  std::string connection = "embed";  ///< "embed" (private, no daemon) or a libvirt URI
  Mark mark;
};

enum class Backing { passthrough, raw, qcow2 };
enum class Filesystem { ext4, xfs };
enum class Bus { virtio, scsi, sata };
enum class CacheMode { none, writeback, writethrough, directsync, unsafe };
enum class IoMode { native, threads, io_uring };
enum class Discard { ignore, unmap };
enum class DetectZeroes { off, on, unmap };
enum class Preallocation { off, metadata, falloc, full };

/// How an image file is made; the default of each option is QEMU's own.
struct ImageOptions {
  Preallocation preallocation = Preallocation::off;
  std::optional<Bytes> cluster_size;   ///< qcow2
  std::optional<bool> extended_l2;     ///< qcow2
  std::optional<bool> lazy_refcounts;  ///< qcow2
  auto operator<=>(const ImageOptions&) const = default;
};

/// One way of giving the guest its disk: what is being compared.
struct Configuration {
  std::string name;
  Backing backing = Backing::passthrough;
  std::optional<Filesystem> filesystem;  ///< for image files
  ImageOptions image;
  Bus bus = Bus::virtio;
  CacheMode cache = CacheMode::none;
  IoMode io = IoMode::io_uring;
  bool iothread = false;
  std::optional<std::uint32_t> queues;      ///< default: QEMU's own (one per vCPU)
  std::optional<std::uint32_t> queue_size;  ///< a power of two
  std::optional<Discard> discard;
  std::optional<DetectZeroes> detect_zeroes;
  std::optional<Bytes> l2_cache_size;           ///< qcow2, of the running guest
  std::map<std::string, std::uint64_t> iotune;  ///< libvirt's <iotune> names, e.g. total_iops_sec
  Mark mark;
};

struct Workload {
  std::string name;
  protocol::Pattern pattern = protocol::Pattern::randread;
  Bytes block_size = kib(4);
  std::vector<std::uint32_t> iodepths;
  protocol::Engine engine = protocol::Engine::io_uring;
  bool direct = true;
  Mark mark;
};

enum class VisitKind { workload, all };

struct Measure {
  Nanoseconds runtime{std::chrono::seconds{30}};
  Nanoseconds ramp{std::chrono::seconds{5}};
  std::uint32_t rounds = 5;
  VisitKind visit = VisitKind::workload;
  std::uint64_t seed = 1;
  std::optional<Nanoseconds> budget;  ///< no new block begins after this much time
  Mark mark;
};

enum class ReportFormat { html, markdown, csv, json };

struct Scenario {
  std::string name;
  std::string text;  ///< the file as it was read, kept in the store
  std::vector<Drive> drives;
  Guest guest;
  std::vector<Configuration> configurations;  ///< expanded, names unique
  std::vector<Workload> workloads;
  Measure measure;
  std::vector<ReportFormat> formats;
};

/// Reads and checks a scenario. Throws ScenarioError with exactly one line,
/// "file:line:column: what is wrong, the value, what is allowed", for the first fault.
Scenario load(const std::filesystem::path& file);

/// The same from text; `file` is only the name for messages.
Scenario parse(const std::string& text, const std::string& file);

/// JSON Schema (draft 2020-12) of the scenario file, for editors. Agrees with `parse`: a test runs
/// the same good and bad files through both.
std::string json_schema();

std::string_view to_text(Backing value);
std::string_view to_text(Filesystem value);
std::string_view to_text(Bus value);
std::string_view to_text(CacheMode value);
std::string_view to_text(IoMode value);
std::string_view to_text(Discard value);
std::string_view to_text(DetectZeroes value);
std::string_view to_text(Preallocation value);
std::string_view to_text(Accelerator value);
std::string_view to_text(VisitKind value);
std::string_view to_text(ReportFormat value);

/// Whether QEMU goes through the host's page cache: writeback, writethrough, unsafe.
constexpr bool uses_host_cache(CacheMode mode) {
  return mode != CacheMode::none && mode != CacheMode::directsync;
}

}  // namespace vmtax::scenario
