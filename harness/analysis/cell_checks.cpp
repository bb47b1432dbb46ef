#include <algorithm>
#include <cmath>
#include <set>

#include <fmt/format.h>

#include "analysis/checks.hpp"
#include "analysis/facts.hpp"
#include "analysis/numbers.hpp"

namespace vmtax::analysis::checks {
namespace {

using store::Arm;

// Random reads meet a cached page as often as its share of the span: a thousandth changes a rate by
// no more than that.
constexpr double material_residency = 0.001;

// A clock that runs wrong is wrong in proportion.
constexpr double clock_tolerance = 0.02;
// The host's time holds the agent's and both messages on their way (65 ms seen under emulation), so
// that it may be longer by this, but never shorter.
constexpr double transport_slack_s = 0.1;

double clock_excess(double host, double guest) {
  const double slack = host > guest ? transport_slack_s : 0;
  return std::abs(host - guest) - clock_tolerance * host - slack;
}

template <typename Visit>
void for_each_paired_sample(const PairedCell& cell, Visit visit) {
  for (const Round& round : cell.rounds) {
    for (const Arm arm : {Arm::bare, Arm::backing, Arm::guest}) {
      for (const Sample* sample : round.arm(arm)) visit(*sample);
    }
  }
}

std::string described(const Missing& missing) {
  return fmt::format("{} arm, round {}: {}", store::to_text(missing.arm), missing.round + 1,
                     missing.reason);
}

Seen missing_of_kind(const CellContext& context, bool failed) {
  std::vector<std::string> lines;
  for (const Missing& missing : context.paired.missing) {
    if ((missing.kind == MissingKind::failed) == failed) lines.push_back(described(missing));
  }
  if (lines.empty()) return std::nullopt;
  return Observation{fmt::format("{}", fmt::join(lines, "; ")), {}};
}

double seconds(Nanoseconds duration) {
  return std::chrono::duration<double>(duration).count();
}

}  // namespace

Seen not_direct(const CellContext& context) {
  if (!context.paired.workload->direct) return std::nullopt;
  std::set<std::string_view> sides;
  for_each_paired_sample(context.paired, [&](const Sample& sample) {
    if (!sample.figures()->direct) sides.insert(store::to_text(sample.arm));
  });
  if (sides.empty()) return std::nullopt;
  return Observation{
      fmt::format("the flags of the open file lack O_DIRECT in the {} arm", fmt::join(sides, ", ")),
      {}};
}

Seen host_cache(const CellContext& context) {
  const auto& configuration = *context.paired.configuration;
  if (!uses_host_cache(configuration)) return std::nullopt;
  return Observation{"RAM-backed (cache: " + configuration.cache + ")", {}};
}

Seen durability_differs(const CellContext& context) {
  const auto& configuration = *context.paired.configuration;
  if (configuration.cache != "unsafe") return std::nullopt;
  return Observation{"cache mode unsafe", {}};
}

Seen window_matched(const CellContext& context) {
  const auto& configuration = *context.paired.configuration;
  if (configuration.backing == "passthrough") return std::nullopt;
  bool elsewhere = false;
  for (const Round& round : context.paired.rounds) {
    for (const Sample* bare : round.bare) elsewhere |= bare->footprint != configuration.footprint;
  }
  if (!elsewhere) return std::nullopt;
  const bool rotational = is_rotational(*context.paired.drive);
  return Observation{fmt::format("the image lies in {}, the bare arm used the bare region with the "
                                 "same span{}",
                                 configuration.footprint, rotational ? "; the drive rotates" : ""),
                     rotational ? std::optional(Severity::caution) : std::nullopt};
}

Seen sample_failed(const CellContext& context) {
  return missing_of_kind(context, true);
}

Seen sample_missing(const CellContext& context) {
  return missing_of_kind(context, false);
}

Seen single_round(const CellContext& context) {
  if (context.cell.rounds_obtained != 1) return std::nullopt;
  return Observation{fmt::format("1 of {} rounds", context.cell.rounds_asked), {}};
}

Seen guest_faster(const CellContext& context) {
  const auto& loss = context.cell.loss_iops;
  // A host cache explains it, and says so by its own finding.
  if (!loss || !loss->interval || uses_host_cache(*context.paired.configuration))
    return std::nullopt;
  if (loss->interval->high >= 0) return std::nullopt;
  return Observation{"loss " + percent(*loss), {}};
}

Seen resident_pages(const CellContext& context) {
  Bytes most;
  for_each_paired_sample(
      context.paired, [&](const Sample& sample) { most = std::max(most, sample.resident_before); });
  const auto span = static_cast<double>(context.paired.drive->span.value);
  if (static_cast<double>(most.value) <= material_residency * span) return std::nullopt;
  return Observation{size(most) + " of a span of " + size(context.paired.drive->span), {}};
}

Seen clock_disagrees(const CellContext& context) {
  const Sample* worst = nullptr;
  double worst_excess = 0;
  for_each_paired_sample(context.paired, [&](const Sample& sample) {
    // Host arms have the clock of the host: a difference there is a message that waited.
    if (sample.arm != Arm::guest) return;
    const double excess =
        clock_excess(seconds(sample.host_elapsed), seconds(sample.figures()->job_elapsed));
    if (excess > worst_excess) {
      worst = &sample;
      worst_excess = excess;
    }
  });
  if (!worst) return std::nullopt;
  const auto* figures = worst->figures();
  return Observation{
      fmt::format("round {}: {:.3f} s by the host's clock, {:.3f} s by the guest's",
                  worst->round + 1, seconds(worst->host_elapsed), seconds(figures->job_elapsed)),
      {}};
}

}  // namespace vmtax::analysis::checks
