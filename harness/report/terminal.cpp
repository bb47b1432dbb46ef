#include "report/terminal.hpp"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "base/text_table.hpp"
#include "report/escape.hpp"

namespace vmtax::report {
namespace {

constexpr std::size_t narrowest = 40;

std::string severity_style(const std::string& severity) {
  if (severity == "invalid") return "1;31";
  if (severity == "caution") return "33";
  return "36";
}

std::string loss_style(const analysis::Cell& cell) {
  if (cell.withheld) return "2";
  if (!is_resolved(cell)) return "";
  if (cell.loss_iops->value >= 0.5) return "31";
  if (cell.loss_iops->value >= 0.2) return "33";
  return "32";
}

// How wide the names must be to be told apart once they are shortened: those of a multiplied entry
// differ at their end. No wider than two fifths of the line, which leaves room for the loss.
std::size_t distinct_width(const std::set<std::string>& names, std::size_t line_width) {
  constexpr std::size_t least = 16;
  const std::size_t most = std::max(least, line_width * 2 / 5);
  for (std::size_t width = least; width < most; ++width) {
    std::set<std::string> cut;
    for (const auto& name : names) cut.insert(shortened(name, width));
    if (cut.size() == names.size()) return width;
  }
  return most;
}

std::string drive_table(const Model& model, const std::string& drive, std::size_t width,
                        bool colour) {
  std::set<std::string> names;
  for (const auto& c : model.cells)
    if (c.cell->key.drive == drive) names.insert(visible(c.cell->key.configuration));
  const std::vector<Column> columns{{"configuration", false, distinct_width(names, width), 0},
                                    {"workload", false, 12, 0},
                                    {"depth", true, 0, 0},
                                    {"bare", true, 0, 4},
                                    {"guest", true, 0, 1},
                                    {"loss", true, 0, 0},
                                    {"[95 %]", false, 0, 2},
                                    {"p99 inflation", false, 0, 5},
                                    {"rounds", true, 0, 3},
                                    {"findings", true, 0, 6}};
  std::vector<std::vector<TableCell>> rows;
  for (const auto& c : model.cells) {
    if (c.cell->key.drive != drive) continue;
    const bool incomplete = c.cell->rounds_obtained < c.cell->rounds_asked;
    const auto findings = c.cell->findings.size();
    rows.push_back({{visible(c.cell->key.configuration), ""},
                    {visible(c.cell->key.workload), ""},
                    {std::to_string(c.cell->key.iodepth), ""},
                    {c.bare, ""},
                    {c.guest, ""},
                    {c.loss, loss_style(*c.cell)},
                    {c.loss_interval, ""},
                    {c.inflation_p99, c.cell->withheld ? "2" : ""},
                    {c.rounds, incomplete ? "33" : ""},
                    {findings ? std::to_string(findings) : "", ""}});
  }
  return render_table(columns, std::move(rows), {width, colour, false});
}

std::string findings_lines(const Model& model, std::size_t width, bool colour) {
  if (model.findings.empty()) return "Findings: none\n";
  std::string text = "Findings:\n";
  for (const auto& finding : model.findings) {
    std::string places;
    for (const auto& occurrence : finding.occurrences)
      places += (places.empty() ? "" : "; ") + occurrence.where;
    const std::string line =
        wrapped(visible(finding.id + ": " + finding.title + " (" + places + ")"), width, 11,
                fmt::format("  {:<8}", finding.severity));
    // Styled after wrapping, so that escapes take no width.
    const auto at = line.find(finding.severity);
    text += line.substr(0, at) +
            styled(finding.severity, severity_style(finding.severity), colour) +
            line.substr(at + finding.severity.size());
  }
  return text;
}

/// One or more lines in one style; each is closed before its newline.
std::string styled_lines(const std::string& lines, const std::string& style, bool colour) {
  std::string text;
  for (std::size_t from = 0; from < lines.size();) {
    const auto end = lines.find('\n', from);
    text += styled(lines.substr(from, end - from), style, colour) + "\n";
    from = end + 1;
  }
  return text;
}

}  // namespace

std::string to_terminal(const Model& model, int columns, bool colour) {
  const std::size_t width = std::max(narrowest, static_cast<std::size_t>(std::max(columns, 0)));
  std::string text = styled_lines(wrapped("vmtax: " + visible(model.title), width, 2), "1", colour);
  text += wrapped(visible(model.measured), width, 2);
  text += styled_lines(wrapped(visible(model.accelerator), width, 2),
                       model.emulated ? "1;33" : "32", colour);
  for (const auto& drive : model.analysis.study.run.drives) {
    text += "\n" + styled_lines(wrapped("Drive " + visible(drive.name), width, 2), "1", colour);
    text += drive_table(model, drive.name, width, colour);
  }
  const auto failed = analysis::failed_cells(model.analysis);
  if (failed > 0)
    text += "\n" + styled_lines(wrapped(fmt::format("{} of {} cells have failed measurements",
                                                    failed, model.cells.size()),
                                        width, 2),
                                "1;31", colour);
  text += "\n" + findings_lines(model, width, colour);
  if (!model.time.empty()) text += "\n" + wrapped("Wall time: " + model.time, width, 2);
  return text;
}

}  // namespace vmtax::report
