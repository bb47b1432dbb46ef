// What the store keeps of a run: plain records, with no tie to plan or scenario, so that a report
// needs nothing but the store. Statistics are never stored: they are recomputed.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "protocol/io_result.hpp"
#include "protocol/units.hpp"

namespace vmtax::store {

enum class Arm { bare, backing, guest };
std::string_view to_text(Arm arm);

/// One drive x configuration, as it was planned.
struct ConfigurationRecord {
  std::string drive;
  std::string name;
  std::string footprint;   ///< which bare and backing samples are its partners
  std::string backing;     ///< passthrough, raw, qcow2
  std::string filesystem;  ///< empty for passthrough
  std::string cache;       ///< none, writeback, ...
  std::string bus;
  std::string io;
  bool host_measures_backing = false;  ///< raw: yes; passthrough (is the drive) and qcow2: no
  nlohmann::json settings;             ///< every knob, for the reader
  std::string disk_xml;                ///< libvirt's <disk> element as it was defined
};

struct DriveRecord {
  std::string name;
  Bytes size;
  Bytes span;
  bool stand_in = false;
  nlohmann::json facts;  ///< model, serial, sectors, queue limits, ...
};

struct WorkloadRecord {
  std::string name;
  std::string pattern;  ///< read, write, randread, randwrite
  Bytes block_size;
  std::string engine;
  bool direct = true;
  std::vector<std::uint32_t> iodepths;
};

/// What the run was, fixed when it begins. `identity` is what a resumed run must share: agent,
/// kernel, QEMU, libvirt, accelerator, scenario.
struct RunRecord {
  std::string id;
  std::string name;
  std::string scenario_text;
  std::uint64_t seed = 0;
  std::uint32_t rounds = 0;
  std::string visit;  ///< workload | all
  Nanoseconds runtime{0};
  Nanoseconds ramp{0};
  std::string accelerator;  ///< kvm | tcg, as it really ran
  nlohmann::json identity;
  nlohmann::json facts;  ///< {"host": {...}, "guest": {...}, "qemu": ..., "libvirt": ...,
                         ///< "agent_sha256": ...}; the keys that findings read: analysis/facts.hpp
  std::vector<DriveRecord> drives;
  std::vector<ConfigurationRecord> configurations;
  std::vector<WorkloadRecord> workloads;
};

/// A block as it was run. A block that was interrupted is run again as a new attempt; only the
/// samples of finished attempts are paired.
struct BlockRecord {
  std::size_t index = 0;
  std::string drive;
  std::string workload;  ///< empty with `visit: all`
  std::uint32_t round = 0;
};

/// One arm's result for one cell in one round, or its failure.
struct SampleRecord {
  std::string drive;
  std::string workload;
  std::uint32_t iodepth = 1;
  std::uint32_t round = 0;
  Arm arm = Arm::bare;
  std::string footprint;
  std::string configuration;  ///< of a guest arm, else empty
  std::size_t visit = 0;      ///< position of the visit in its block
  std::size_t position = 0;   ///< position of the cell in its visit
  std::uint64_t seed = 0;
  std::int64_t started_unix_ns = 0;  ///< by the host's clock
  Nanoseconds host_elapsed{0};       ///< the whole job as the host timed it, transport included
  Bytes resident_before;             ///< host page cache of image and device after settling
  nlohmann::json evidence;           ///< whatever else was seen, e.g. {"resident_after": ...}
  protocol::IoOutcome outcome;
  bool block_finished = true;  ///< set when read: false for what an interrupted block left, which
                               ///< is reported and never paired
};

/// How the run's wall time was spent; printed at its end.
struct TimeShare {
  Nanoseconds wall{0};
  Nanoseconds measuring{0};  ///< an I/O kernel was running, ramp included
  Nanoseconds booting{0};
  Nanoseconds settling{0};
  Nanoseconds preparing{0};  ///< regions, images, fill
  Nanoseconds ending{0};     ///< guests ended, things removed
};

}  // namespace vmtax::store
