#include "report/markdown.hpp"

#include <algorithm>
#include <iterator>
#include <vector>

#include "analysis/numbers.hpp"
#include "report/escape.hpp"

namespace vmtax::report {
namespace {

using Row = std::vector<std::string>;

std::string line(const Row& cells) {
  std::string text = "|";
  for (const auto& cell : cells) text += " " + cell + " |";
  return text + "\n";
}

/// Columns from `first_number` on are numbers and stand right.
std::string table_head(const Row& names, std::size_t first_number) {
  std::string text = line(names) + "|";
  for (std::size_t i = 0; i < names.size(); ++i) text += i < first_number ? "---|" : "--:|";
  return text + "\n";
}

std::string ids(const std::vector<std::string>& findings) {
  std::string text;
  for (const auto& id : findings) text += (text.empty() ? "" : ", ") + id;
  return text;
}

std::string latency_text(const std::optional<analysis::ArmFigures>& arm,
                         std::optional<double> analysis::ArmFigures::*figure) {
  if (!arm || !((*arm).*figure)) return absent;
  return analysis::latency(*((*arm).*figure));
}

std::string spaced(const std::string& value, const std::string& interval) {
  return interval.empty() ? value : value + " " + interval;
}

template <typename RowOf>
std::string rows_of_drive(const Model& model, const std::string& drive, RowOf row_of) {
  std::string text;
  for (const auto& cell : model.cells) {
    if (cell.cell->key.drive == drive) text += line(row_of(cell));
  }
  return text;
}

Row key_of(const CellText& cell) {
  return {markdown(cell.cell->key.configuration), markdown(cell.cell->key.workload),
          std::to_string(cell.cell->key.iodepth)};
}

Row joined(Row row, Row more) {
  std::move(more.begin(), more.end(), std::back_inserter(row));
  return row;
}

std::string loss_section(const Model& model, const std::string& drive) {
  return "\n## Drive " + markdown(drive) + "\n\n" +
         table_head(
             {"configuration", "workload", "depth", "bare", "backing", "guest", "loss [95 %]",
              "mean latency, guest/bare", "p99 latency, guest/bare", "rounds", "findings"},
             2) +
         rows_of_drive(model, drive, [](const CellText& c) {
           return joined(key_of(c),
                         {c.bare, c.backing, c.guest, spaced(c.loss, c.loss_interval),
                          c.inflation_mean, c.inflation_p99, c.rounds, ids(c.cell->findings)});
         });
}

std::string shares_section(const Model& model, const std::string& drive) {
  return "\n### Shares of IOPS kept\n\n" +
         table_head({"configuration", "workload", "depth", "total", "virtualization",
                     "storage layer", "format"},
                    2) +
         rows_of_drive(model, drive, [](const CellText& c) {
           return joined(key_of(c), {c.share_total, c.share_virtualization, c.share_storage_layer,
                                     c.share_format});
         });
}

std::string latency_section(const Model& model, const std::string& drive) {
  using analysis::ArmFigures;
  return "\n### Latencies\n\n" +
         table_head({"configuration", "workload", "depth", "bare mean", "bare p99", "guest mean",
                     "guest p99"},
                    2) +
         rows_of_drive(model, drive, [](const CellText& c) {
           return joined(key_of(c), {latency_text(c.cell->bare, &ArmFigures::lat_mean_ns),
                                     latency_text(c.cell->bare, &ArmFigures::lat_p99_ns),
                                     latency_text(c.cell->guest, &ArmFigures::lat_mean_ns),
                                     latency_text(c.cell->guest, &ArmFigures::lat_p99_ns)});
         });
}

std::string withheld_section(const Model& model) {
  std::string text;
  for (const auto& w : model.withheld)
    text += "- " + markdown(w.where) + ": " + markdown(w.reason) + "\n";
  return text.empty() ? "" : "\n## Withheld\n\n" + text;
}

std::string findings_section(const Model& model) {
  std::string text = "\n## Findings\n\n";
  if (model.findings.empty()) return text + "None.\n";
  for (const auto& finding : model.findings) {
    text += "- **" + finding.severity + "** `" + finding.id + "`: " + markdown(finding.title) +
            ". " + markdown(finding.means) + " What to do: " + markdown(finding.remedy) + "\n";
    for (const auto& occurrence : finding.occurrences)
      text += "  - " + markdown(occurrence.where) + ": " + markdown(occurrence.evidence) + "\n";
  }
  return text;
}

std::string missing_section(const Model& model) {
  if (model.missing.empty()) return "";
  std::string text = "\n## Failed or missing measurements\n\n";
  for (const auto& missing : model.missing)
    text += "- " + markdown(missing.where) + ": " + missing.kind +
            (missing.kind == missing.reason ? "" : ", " + markdown(missing.reason)) + "\n";
  return text;
}

std::string environment_section(const Model& model) {
  std::string text = "\n## Environment\n\n" + table_head({"fact", "host", "guest"}, 3);
  for (const auto& fact : model.side_facts)
    text += line({(fact.differs ? "**" + markdown(fact.name) + "**" : markdown(fact.name)),
                  markdown(fact.host), markdown(fact.guest)});
  text += "\n" + table_head({"run", "value"}, 2);
  for (const auto& fact : model.run_facts) text += line({markdown(fact.name), markdown(fact.host)});
  return text;
}

/// A fence longer than any run of backticks inside it.
std::string fenced(const std::string& text) {
  std::size_t longest = 2, current = 0;
  for (const char c : text) {
    current = c == '`' ? current + 1 : 0;
    longest = std::max(longest, current);
  }
  const std::string fence(longest + 1, '`');
  return fence + "yaml\n" + text + (text.empty() || text.back() == '\n' ? "" : "\n") + fence + "\n";
}

}  // namespace

std::string to_markdown(const Model& model) {
  std::string text = "# vmtax: " + markdown(model.title) + "\n\n" + markdown(model.measured) +
                     ".\n\n" + (model.emulated ? "**" : "") + markdown(model.accelerator) +
                     (model.emulated ? ".**" : ".") + "\n";
  if (!model.time.empty()) text += "\nWall time: " + markdown(model.time) + ".\n";
  for (const auto& drive : model.analysis.study.run.drives) {
    text += loss_section(model, drive.name);
    text += shares_section(model, drive.name);
    text += latency_section(model, drive.name);
  }
  text += withheld_section(model);
  text += findings_section(model);
  text += missing_section(model);
  text += environment_section(model);
  text += "\n## Method\n";
  for (const auto& paragraph : model.method) text += "\n" + markdown(paragraph) + "\n";
  return text + "\n## Scenario\n\n" + fenced(model.analysis.study.run.scenario_text);
}

}  // namespace vmtax::report
