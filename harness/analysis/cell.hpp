// What is known of one cell once it was paired: the figures of its arms and the ratios between
// them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "analysis/pairing.hpp"
#include "analysis/ratio.hpp"

namespace vmtax::analysis {

/// Means over the rounds of one arm: geometric for rates and latencies, so that 1 - guest/bare of
/// the figures shown is the loss shown; arithmetic for CPU time, which a coarse tick may round to
/// 0.
struct ArmFigures {
  std::optional<double> iops, bytes_per_second;
  std::optional<double> lat_mean_ns, lat_p50_ns, lat_p99_ns, clat_mean_ns;
  std::optional<double> cpu_ns_per_io;
  std::size_t rounds = 0;
};

/// Ratios of IOPS; 1 is no cost.
struct Shares {
  std::optional<Estimate> total;           ///< guest / bare
  std::optional<Estimate> virtualization;  ///< guest / backing; for passthrough the total
  std::optional<Estimate> storage_layer;   ///< backing / bare
  std::optional<Estimate> format;          ///< guest(qcow2) / guest(raw), all else equal
  std::string format_partner;              ///< the raw configuration of `format`
};

struct CellKey {
  std::string drive;
  std::string configuration;
  std::string workload;
  std::uint32_t iodepth = 1;
  auto operator<=>(const CellKey&) const = default;
};

/// Why a cell's ratios of guest against host are not given, and the finding that says more.
struct Withheld {
  std::string finding;
  std::string reason;
};

struct Cell {
  CellKey key;
  std::string pattern;
  Bytes block_size;
  std::size_t rounds_asked = 0;
  std::size_t rounds_obtained = 0;
  std::optional<ArmFigures> bare, backing, guest;
  std::optional<Estimate> loss_iops, loss_bytes_per_second;
  std::optional<Estimate> inflation_lat_mean, inflation_lat_p99;
  Shares shares;
  std::vector<std::string> findings;  ///< ids, the gravest first
  std::optional<Withheld> withheld;   ///< then loss, inflation, total, virtualization are empty
};

/// Figures of the given samples, one per sample; nothing without samples.
std::optional<ArmFigures> arm_figures(const std::vector<const Sample*>& samples);

/// The ratios of one cell, before findings. `cells` is where the raw partner of a qcow2 cell is
/// sought.
Cell evaluate(const PairedCell& paired, const std::vector<PairedCell>& cells);

}  // namespace vmtax::analysis
