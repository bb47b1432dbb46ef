// What the analysis works on: the run's record and its samples, each reduced to figures as it is
// read, so that a study of 100,000 samples fits in memory without its histograms.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "store/records.hpp"

namespace vmtax::store {
class Store;
}

namespace vmtax::analysis {

/// The numbers of one successful sample. Every one of them is positive, but for slat, clat and CPU,
/// which a clock or a tick may round to 0.
struct Figures {
  std::uint64_t ios = 0;
  Bytes bytes;
  Nanoseconds elapsed{0};
  Nanoseconds ramp_elapsed{0};
  Nanoseconds job_elapsed{0};
  double iops = 0;
  double bytes_per_second = 0;
  double lat_mean_ns = 0;
  double lat_p50_ns = 0;
  double lat_p99_ns = 0;
  double lat_max_ns = 0;
  double slat_mean_ns = 0;
  double clat_mean_ns = 0;
  Nanoseconds cpu_user{0};
  Nanoseconds cpu_system{0};
  double cpu_ns_per_io = 0;
  bool direct = false;
};

struct Failure {
  std::string reason;
};

struct Sample {
  std::string drive;
  std::string workload;
  std::uint32_t iodepth = 1;
  std::uint32_t round = 0;
  store::Arm arm = store::Arm::bare;
  std::string footprint;
  std::string configuration;
  std::size_t visit = 0;
  std::size_t position = 0;
  std::uint64_t seed = 0;
  std::int64_t started_unix_ns = 0;
  Nanoseconds host_elapsed{0};
  Bytes resident_before;
  nlohmann::json evidence;
  bool block_finished = true;
  std::variant<Figures, Failure> outcome;

  const Figures* figures() const { return std::get_if<Figures>(&outcome); }
};

struct Study {
  store::RunRecord run;
  std::vector<Sample> samples;  ///< in the order they were taken
  store::TimeShare time;
  bool finished = false;

  const store::DriveRecord& drive(const std::string& name) const;  ///< throws out_of_range
  const store::WorkloadRecord& workload(const std::string& name) const;
};

/// A result in which no I/O completed or no time passed is a failure, never a rate of 0.
Sample reduce(const store::SampleRecord& record);

/// When the first sample was taken; nothing where there is none.
std::optional<std::int64_t> began_unix_ns(const Study& study);

Study read_study(const store::Store& store);

}  // namespace vmtax::analysis
