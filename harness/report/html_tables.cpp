#include <iterator>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "analysis/numbers.hpp"
#include "report/escape.hpp"
#include "report/html_parts.hpp"

namespace vmtax::report::parts {
namespace {

/// The steps of the colour scale, by the share of speed that is lost. A loss whose interval
/// includes 0 has no colour: which side won is not known.
std::string loss_class(const analysis::Cell& cell) {
  if (!is_resolved(cell)) return "unresolved";
  const double loss = cell.loss_iops->value;
  constexpr std::pair<double, const char*> steps[] = {{0.0, "gain"},   {0.05, "loss0"},
                                                      {0.15, "loss1"}, {0.30, "loss2"},
                                                      {0.50, "loss3"}, {0.75, "loss4"}};
  for (const auto& [below, name] : steps) {
    if (loss < below) return name;
  }
  return "loss5";
}

std::string small(const std::string& text) {
  return text.empty() ? "" : "<small>" + html(text) + "</small>";
}

std::string loss_cell(const CellText& c) {
  const auto& cell = *c.cell;
  const std::string rounds =
      cell.rounds_obtained < cell.rounds_asked ? c.rounds + " rounds" : std::string();
  if (cell.withheld)
    return fmt::format("<td class=\"withheld\"><b>{}</b>{}</td>", withheld_text,
                       small(cell.withheld->reason));
  if (!cell.loss_iops)
    return fmt::format("<td class=\"none\"><b>{}</b>{}</td>", absent, small(rounds));
  return fmt::format("<td class=\"{}\"><b>{}</b>{}{}</td>", loss_class(cell), html(c.loss),
                     small(c.loss_interval.empty() ? "no interval" : c.loss_interval),
                     small(rounds));
}

std::string loss_head(const store::RunRecord& run) {
  std::string names = "<tr><th rowspan=\"2\" scope=\"col\">configuration</th>", depths = "<tr>";
  for (const auto& workload : run.workloads) {
    names += fmt::format("<th colspan=\"{}\" scope=\"colgroup\"><bdi>{}</bdi></th>",
                         workload.iodepths.size(), html(workload.name));
    for (const auto iodepth : workload.iodepths)
      depths += fmt::format("<th scope=\"col\">depth {}</th>", iodepth);
  }
  return "<thead>" + names + "</tr>" + depths + "</tr></thead>";
}

std::string loss_table(const Model& model, const std::string& drive) {
  std::string body, current;
  for (const auto& c : model.cells) {
    if (c.cell->key.drive != drive) continue;
    if (body.empty() || c.cell->key.configuration != current) {
      current = c.cell->key.configuration;
      body += fmt::format("{}<tr><th scope=\"row\"><bdi>{}</bdi></th>", body.empty() ? "" : "</tr>",
                          html(current));
    }
    body += loss_cell(c);
  }
  if (!body.empty()) body += "</tr>";
  return fmt::format(
      "<h3>Loss on drive <bdi>{}</bdi></h3><div class=\"scroll\" tabindex=\"0\" role=\"region\" "
      "aria-label=\"loss table\"><table class=\"loss\">{}<tbody>{}</tbody></table></div>",
      html(drive), loss_head(model.analysis.study.run), body);
}

std::string latency(const std::optional<analysis::ArmFigures>& arm,
                    std::optional<double> analysis::ArmFigures::*figure) {
  if (!arm || !((*arm).*figure)) return absent;
  return analysis::latency(*((*arm).*figure));
}

std::string figure_row(const CellText& c) {
  using analysis::ArmFigures;
  const auto& cell = *c.cell;
  std::string ids;
  for (const auto& id : cell.findings) ids += (ids.empty() ? "" : ", ") + id;
  const std::vector<std::string> numbers{c.bare,
                                         c.backing,
                                         c.guest,
                                         c.loss + " " + c.loss_interval,
                                         c.inflation_mean,
                                         c.inflation_p99,
                                         latency(cell.bare, &ArmFigures::lat_mean_ns),
                                         latency(cell.guest, &ArmFigures::lat_mean_ns),
                                         latency(cell.bare, &ArmFigures::lat_p99_ns),
                                         latency(cell.guest, &ArmFigures::lat_p99_ns),
                                         latency(cell.bare, &ArmFigures::cpu_ns_per_io),
                                         latency(cell.guest, &ArmFigures::cpu_ns_per_io),
                                         c.share_virtualization,
                                         c.share_storage_layer,
                                         c.share_format,
                                         c.rounds};
  std::string row =
      fmt::format("<tr><th scope=\"row\"><bdi>{}</bdi></th><td class=\"point\"><bdi>{}</bdi></td>",
                  html(cell.key.configuration), html(c.point));
  for (const auto& number : numbers) row += "<td class=\"number\">" + html(number) + "</td>";
  return row + "<td>" + html(ids) + "</td></tr>";
}

constexpr const char* figure_head =
    "<thead><tr><th scope=\"col\">configuration</th><th scope=\"col\">cell</th>"
    "<th scope=\"col\">bare</th><th scope=\"col\">backing</th><th scope=\"col\">guest</th>"
    "<th scope=\"col\">loss</th><th scope=\"col\">mean latency guest/bare</th>"
    "<th scope=\"col\">p99 latency guest/bare</th><th scope=\"col\">bare mean latency</th>"
    "<th scope=\"col\">guest mean latency</th><th scope=\"col\">bare p99 latency</th>"
    "<th scope=\"col\">guest p99 latency</th>"
    "<th scope=\"col\">bare CPU per I/O</th><th scope=\"col\">guest CPU per I/O</th>"
    "<th scope=\"col\">virtualization guest/backing</th>"
    "<th scope=\"col\">storage layer backing/bare</th>"
    "<th scope=\"col\">format qcow2/raw</th><th scope=\"col\">rounds</th><th "
    "scope=\"col\">findings</th>"
    "</tr></thead>";

std::string figure_table(const Model& model, const std::string& drive) {
  std::string body;
  for (const auto& c : model.cells) {
    if (c.cell->key.drive == drive) body += figure_row(c);
  }
  return fmt::format(
      "<details><summary>All figures of drive <bdi>{}</bdi></summary><div class=\"scroll\" "
      "tabindex=\"0\" role=\"region\" aria-label=\"all figures\"><table>{}<tbody>{}</tbody></table>"
      "</div></details>",
      html(drive), figure_head, body);
}

}  // namespace

std::string loss_tables(const Model& model) {
  std::string text;
  for (const auto& drive : model.analysis.study.run.drives) text += loss_table(model, drive.name);
  return text;
}

std::string figure_tables(const Model& model) {
  std::string text;
  for (const auto& drive : model.analysis.study.run.drives) text += figure_table(model, drive.name);
  return text;
}

}  // namespace vmtax::report::parts
