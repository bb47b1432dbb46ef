#include "analysis/cell.hpp"

#include <algorithm>

#include <nlohmann/json.hpp>

namespace vmtax::analysis {
namespace {

using store::Arm;
using Figure = double Figures::*;
using Samples = std::vector<const Sample*>;

std::vector<double> values_of(const Samples& samples, Figure figure) {
  std::vector<double> values;
  for (const Sample* sample : samples) values.push_back(sample->figures()->*figure);
  return values;
}

/// One round's ratio: the difference of the two arms' mean logs.
std::optional<double> round_log_ratio(const Samples& numerator, const Samples& denominator,
                                      Figure figure) {
  const auto above = geometric_mean(values_of(numerator, figure));
  const auto below = geometric_mean(values_of(denominator, figure));
  if (!above || !below) return std::nullopt;
  return log_ratio(*above, *below);
}

std::optional<Estimate> ratio_over_rounds(const PairedCell& numerator, Arm upper,
                                          const PairedCell& denominator, Arm lower, Figure figure) {
  std::vector<double> logs;
  for (std::size_t i = 0; i < numerator.rounds.size() && i < denominator.rounds.size(); ++i) {
    if (const auto log = round_log_ratio(numerator.rounds[i].arm(upper),
                                         denominator.rounds[i].arm(lower), figure))
      logs.push_back(*log);
  }
  return ratio_estimate(logs);
}

/// The arm's samples in the paired rounds, so that its figures belong to the ratios beside them; in
/// all its rounds where nothing was paired.
Samples samples_for_figures(const PairedCell& cell, Arm arm) {
  Samples paired, all;
  for (const Round& round : cell.rounds) {
    const Samples& samples = round.arm(arm);
    all.insert(all.end(), samples.begin(), samples.end());
    if (round.paired()) paired.insert(paired.end(), samples.begin(), samples.end());
  }
  return paired.empty() ? all : paired;
}

/// The settings that must be equal for two configurations to differ in nothing but the image
/// format.
nlohmann::json format_neutral(const store::ConfigurationRecord& configuration) {
  nlohmann::json settings = configuration.settings;
  if (!settings.is_object()) settings = nlohmann::json::object();
  for (const char* key : {"name", "backing", "format", "footprint", "image", "preallocation",
                          "cluster_size", "extended_l2", "lazy_refcounts", "l2_cache_size"})
    settings.erase(key);
  return settings;
}

const PairedCell* raw_partner(const PairedCell& cell, const std::vector<PairedCell>& cells) {
  const auto& own = *cell.configuration;
  if (own.backing != "qcow2") return nullptr;
  const auto is_partner = [&](const PairedCell& other) {
    const auto& c = *other.configuration;
    return c.backing == "raw" && c.drive == own.drive && c.filesystem == own.filesystem &&
           c.cache == own.cache && c.bus == own.bus && c.io == own.io &&
           other.workload == cell.workload && other.iodepth == cell.iodepth &&
           format_neutral(c) == format_neutral(own);
  };
  const auto found = std::find_if(cells.begin(), cells.end(), is_partner);
  return found == cells.end() ? nullptr : &*found;
}

Shares shares_of(const PairedCell& cell, const std::vector<PairedCell>& cells) {
  constexpr Figure iops = &Figures::iops;
  Shares shares;
  shares.total = ratio_over_rounds(cell, Arm::guest, cell, Arm::bare, iops);
  if (cell.configuration->backing == "passthrough") {
    shares.virtualization = shares.total;
  } else {
    shares.virtualization = ratio_over_rounds(cell, Arm::guest, cell, Arm::backing, iops);
    shares.storage_layer = ratio_over_rounds(cell, Arm::backing, cell, Arm::bare, iops);
  }
  if (const PairedCell* partner = raw_partner(cell, cells)) {
    shares.format = ratio_over_rounds(cell, Arm::guest, *partner, Arm::guest, iops);
    shares.format_partner = partner->configuration->name;
  }
  return shares;
}

}  // namespace

std::optional<ArmFigures> arm_figures(const Samples& samples) {
  if (samples.empty()) return std::nullopt;
  const auto geometric = [&](Figure figure) { return geometric_mean(values_of(samples, figure)); };
  ArmFigures figures;
  figures.iops = geometric(&Figures::iops);
  figures.bytes_per_second = geometric(&Figures::bytes_per_second);
  figures.lat_mean_ns = geometric(&Figures::lat_mean_ns);
  figures.lat_p50_ns = geometric(&Figures::lat_p50_ns);
  figures.lat_p99_ns = geometric(&Figures::lat_p99_ns);
  figures.clat_mean_ns = geometric(&Figures::clat_mean_ns);
  figures.cpu_ns_per_io = mean(values_of(samples, &Figures::cpu_ns_per_io));
  figures.rounds = samples.size();
  return figures;
}

Cell evaluate(const PairedCell& paired, const std::vector<PairedCell>& cells) {
  const auto against_bare = [&](Figure figure) {
    return ratio_over_rounds(paired, Arm::guest, paired, Arm::bare, figure);
  };
  const auto loss = [&](Figure figure) -> std::optional<Estimate> {
    const auto ratio = against_bare(figure);
    return ratio ? std::optional(loss_of(*ratio)) : std::nullopt;
  };
  Cell cell;
  cell.key = {paired.drive->name, paired.configuration->name, paired.workload->name,
              paired.iodepth};
  cell.pattern = paired.workload->pattern;
  cell.block_size = paired.workload->block_size;
  cell.rounds_asked = paired.rounds_asked();
  cell.rounds_obtained = paired.rounds_obtained();
  cell.bare = arm_figures(samples_for_figures(paired, Arm::bare));
  cell.backing = arm_figures(samples_for_figures(paired, Arm::backing));
  cell.guest = arm_figures(samples_for_figures(paired, Arm::guest));
  cell.loss_iops = loss(&Figures::iops);
  cell.loss_bytes_per_second = loss(&Figures::bytes_per_second);
  cell.inflation_lat_mean = against_bare(&Figures::lat_mean_ns);
  cell.inflation_lat_p99 = against_bare(&Figures::lat_p99_ns);
  cell.shares = shares_of(paired, cells);
  return cell;
}

}  // namespace vmtax::analysis
