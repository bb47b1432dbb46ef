#include "analysis/findings.hpp"

#include <algorithm>
#include <array>

namespace vmtax::analysis {
namespace {

void note_occurrence(Finding& finding, const std::string& evidence, const CellKey* cell) {
  const auto same = std::find_if(finding.occurrences.begin(), finding.occurrences.end(),
                                 [&](const Occurrence& o) { return o.evidence == evidence; });
  Occurrence& occurrence =
      same != finding.occurrences.end() ? *same : finding.occurrences.emplace_back();
  occurrence.evidence = evidence;
  if (cell) occurrence.cells.push_back(*cell);
}

/// One finding per severity that the rule was seen with.
class Gathered {
 public:
  explicit Gathered(const Rule& rule) : rule_(rule) {}

  void add(const Observation& observation, const CellKey* cell) {
    const Severity severity = observation.severity.value_or(rule_.severity);
    Finding& finding = by_severity_[static_cast<std::size_t>(severity)];
    finding.rule = &rule_;
    finding.severity = severity;
    note_occurrence(finding, observation.evidence, cell);
  }

  void move_to(std::vector<Finding>& findings) {
    for (Finding& finding : by_severity_) {
      if (finding.rule) findings.push_back(std::move(finding));
    }
  }

 private:
  const Rule& rule_;
  std::array<Finding, 3> by_severity_;
};

Withholds extent_of(const Rule& rule, Severity severity) {
  return severity == Severity::invalid ? Withholds::everything : rule.withholds;
}

/// Which ratios are taken away is settled after all checks, which are to see them all.
void withhold(Cell& cell, Withholds extent) {
  if (extent == Withholds::nothing) return;
  cell.loss_iops.reset();
  cell.loss_bytes_per_second.reset();
  cell.inflation_lat_mean.reset();
  cell.inflation_lat_p99.reset();
  cell.shares.total.reset();
  cell.shares.virtualization.reset();
  if (extent == Withholds::everything) cell.shares = Shares{};
}

/// A format's share rests on two cells: it goes with either.
void withhold_formats_of(const CellKey& raw, std::vector<Cell>& cells) {
  for (Cell& cell : cells) {
    CellKey partner = cell.key;
    partner.configuration = cell.shares.format_partner;
    if (partner == raw) cell.shares.format.reset();
  }
}

void order_ids(Cell& cell, const std::vector<Finding>& findings) {
  // `findings` is in order of severity already; a cell lists each id once.
  std::vector<std::string> ordered;
  for (const Finding& finding : findings) {
    const std::string id(finding.rule->id);
    const auto holds = [&](const std::vector<std::string>& ids) {
      return std::find(ids.begin(), ids.end(), id) != ids.end();
    };
    if (holds(cell.findings) && !holds(ordered)) ordered.push_back(id);
  }
  cell.findings = std::move(ordered);
}

}  // namespace

std::string_view to_text(Severity severity) {
  switch (severity) {
    case Severity::invalid:
      return "invalid";
    case Severity::caution:
      return "caution";
    case Severity::note:
      return "note";
  }
  return "?";
}

std::vector<Finding> find(const Study& study, const std::vector<PairedCell>& paired,
                          std::vector<Cell>& cells) {
  std::vector<Finding> findings;
  std::vector<Withholds> extents(cells.size(), Withholds::nothing);
  for (const Rule& rule : catalogue()) {
    Gathered gathered(rule);
    if (rule.of_run) {
      if (const auto seen = rule.of_run(study)) gathered.add(*seen, nullptr);
    } else {
      for (std::size_t i = 0; i < cells.size(); ++i) {
        const auto seen = rule.of_cell({study, paired[i], cells[i]});
        if (!seen) continue;
        gathered.add(*seen, &cells[i].key);
        cells[i].findings.emplace_back(rule.id);
        const auto extent = extent_of(rule, seen->severity.value_or(rule.severity));
        if (extent != Withholds::nothing && !cells[i].withheld)
          cells[i].withheld = Withheld{std::string(rule.id), seen->evidence};
        extents[i] = std::max(extents[i], extent);
      }
    }
    gathered.move_to(findings);
  }
  std::stable_sort(findings.begin(), findings.end(),
                   [](const Finding& a, const Finding& b) { return a.severity < b.severity; });
  for (std::size_t i = 0; i < cells.size(); ++i) {
    order_ids(cells[i], findings);
    withhold(cells[i], extents[i]);
    if (extents[i] == Withholds::everything) withhold_formats_of(cells[i].key, cells);
  }
  return findings;
}

}  // namespace vmtax::analysis
