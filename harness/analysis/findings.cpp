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

void withhold(Cell& cell, const Rule& rule, const Observation& observation) {
  if (!cell.withheld) cell.withheld = Withheld{std::string(rule.id), observation.evidence};
}

void clear_withheld_ratios(Cell& cell) {
  if (!cell.withheld) return;
  cell.loss_iops.reset();
  cell.loss_bytes_per_second.reset();
  cell.inflation_lat_mean.reset();
  cell.inflation_lat_p99.reset();
  cell.shares = Shares{};
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
        const Severity severity = seen->severity.value_or(rule.severity);
        if (rule.withholds || severity == Severity::invalid) withhold(cells[i], rule, *seen);
      }
    }
    gathered.move_to(findings);
  }
  std::stable_sort(findings.begin(), findings.end(),
                   [](const Finding& a, const Finding& b) { return a.severity < b.severity; });
  for (Cell& cell : cells) {
    order_ids(cell, findings);
    clear_withheld_ratios(cell);
  }
  return findings;
}

}  // namespace vmtax::analysis
