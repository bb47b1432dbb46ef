// Makes runs with known numbers, for tests of store, analysis and report.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "analysis/study.hpp"
#include "store/records.hpp"
#include "store/store.hpp"

namespace vmtax::test {

/// What a sample is to show; a result that has exactly this is made of it.
struct Shape {
  std::uint64_t iops = 1000;          ///< over one second
  std::uint64_t lat_ns = 1'000'000;   ///< of 98 % of the I/Os
  std::uint64_t tail_ns = 5'000'000;  ///< of the slowest 2 %
  Bytes block_size = kib(4);
  bool direct = true;
};
protocol::IoResult result_of(const Shape& shape);

/// Begins as a clean, finished run under KVM on drive "nvme" (span 1 GiB, 3 rounds): configuration
/// "pass" (passthrough) and workload "rand-read" (4 KiB randread, depth 1), without samples.
class StudyBuilder {
 public:
  StudyBuilder();

  store::RunRecord run;
  std::vector<store::SampleRecord> samples;
  store::TimeShare time;
  bool finished = true;

  /// On drive "nvme"; backing raw is measured by the host, as in real runs.
  store::ConfigurationRecord& add_configuration(const std::string& name, const std::string& backing,
                                                const std::string& cache = "none",
                                                const std::string& filesystem = "ext4");

  store::SampleRecord& add_bare(std::uint32_t round, const Shape& shape, std::uint32_t iodepth = 1,
                                const std::string& workload = "rand-read");
  store::SampleRecord& add_backing(const std::string& footprint, std::uint32_t round,
                                   const Shape& shape, std::uint32_t iodepth = 1,
                                   const std::string& workload = "rand-read");
  store::SampleRecord& add_guest(const std::string& configuration, std::uint32_t round,
                                 const Shape& shape, std::uint32_t iodepth = 1,
                                 const std::string& workload = "rand-read");

  /// Bare 1000, 1100, 900 IOPS and the guest of "pass" at 40 % of each: a loss of exactly 60 %.
  StudyBuilder& with_clean_pairs();

  analysis::Study study() const;
  /// Writes a store with one finished block per round, and closes it.
  void write_to(const std::filesystem::path& directory) const;

 private:
  store::SampleRecord& add(store::Arm arm, std::uint32_t round, const Shape& shape,
                           std::uint32_t iodepth, const std::string& workload);
};

/// The run that golden files show: two drives' worth of everything that a report can say (shares,
/// withheld cells, failures, a missing round, hostile names when asked).
StudyBuilder sample_study(bool hostile_names = false);

}  // namespace vmtax::test
