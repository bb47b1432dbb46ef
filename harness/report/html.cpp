#include "report/html.hpp"

#include <map>
#include <stdexcept>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "report/assets.hpp"
#include "report/escape.hpp"
#include "report/html_parts.hpp"

namespace vmtax::report {
namespace {

using analysis::Severity;
using nlohmann::json;

json series_json(const ChartSeries& series) {
  json points = json::array();
  for (const auto& point : series.points)
    points.push_back({{"x", point.iodepth}, {"y", point.value}, {"text", point.text}});
  return {{"label", visible(series.label)},
          {"arm", to_text(series.arm)},
          {"ram_backed", series.ram_backed},
          {"points", points}};
}

std::string chart_data(const Model& model) {
  json charts = json::array();
  for (const auto& chart : model.charts) {
    json series = json::array();
    for (const auto& s : chart.series) series.push_back(series_json(s));
    charts.push_back({{"title", visible(chart.title)}, {"unit", chart.unit}, {"series", series}});
  }
  const json data{{"charts", charts}};
  return script_json(data.dump(-1, ' ', true, json::error_handler_t::replace));
}

std::string chart_figures(const Model& model) {
  std::string text, drive;
  for (std::size_t i = 0; i < model.charts.size(); ++i) {
    const Chart& chart = model.charts[i];
    if (text.empty() || chart.drive != drive) {
      text += (text.empty() ? "" : "</div>") +
              fmt::format("<h3>Drive <bdi>{}</bdi></h3><div class=\"charts\">", html(chart.drive));
      drive = chart.drive;
    }
    text += fmt::format(
        "<figure><figcaption><bdi>{0}</bdi>: {1} over iodepth</figcaption><div class=\"plot\">"
        "<canvas id=\"chart-{2}\" role=\"img\" aria-label=\"{0}: {1} over iodepth; the figures are "
        "in "
        "the tables\"></canvas></div></figure>",
        html(chart.title), html(chart.unit), i);
  }
  return text.empty() ? "<p>Nothing was measured.</p>" : text + "</div>";
}

std::string trust(const Model& model) {
  std::string text = fmt::format("<p class=\"{}\">{}.</p><p>", model.emulated ? "warning" : "good",
                                 html(model.accelerator));
  for (const auto severity : {Severity::invalid, Severity::caution, Severity::note}) {
    const auto n = count(model, severity);
    const std::string name(to_text(severity));
    const std::string label = fmt::format("{}: {}", name, n);
    text +=
        n == 0 ? fmt::format("<span class=\"badge zero\">{}</span> ", label)
               : fmt::format("<a class=\"badge {0}\" href=\"#findings-{0}\">{1}</a> ", name, label);
  }
  const auto failed = analysis::failed_cells(model.analysis);
  if (failed > 0)
    text +=
        fmt::format("<b>{} of {} cells have failed measurements.</b>", failed, model.cells.size());
  return text + "</p>";
}

/// Replaces {{name}} in one pass, so that braces in the parts mean nothing.
std::string filled(std::string_view frame, const std::map<std::string, std::string>& values) {
  std::string text;
  for (;;) {
    const auto open = frame.find("{{");
    text += frame.substr(0, open);
    if (open == std::string_view::npos) return text;
    const auto close = frame.find("}}", open);
    if (close == std::string_view::npos) throw std::logic_error("report.html: {{ without }}");
    text += values.at(std::string(frame.substr(open + 2, close - open - 2)));
    frame.remove_prefix(close + 2);
  }
}

}  // namespace

std::string to_html(const Model& model) {
  return filled(assets::report_html(),
                {{"title", html(model.title)},
                 {"style", std::string(assets::report_css())},
                 {"measured", html(model.measured)},
                 {"trust", trust(model)},
                 {"time", model.time.empty() ? "" : "Wall time: " + html(model.time) + "."},
                 {"loss_tables", parts::loss_tables(model)},
                 {"charts", chart_figures(model)},
                 {"figure_tables", parts::figure_tables(model)},
                 {"findings", parts::findings(model)},
                 {"missing", parts::missing(model)},
                 {"environment", parts::environment(model)},
                 {"configurations", parts::configurations(model)},
                 {"method", parts::method(model)},
                 {"scenario", html_lines(model.analysis.study.run.scenario_text)},
                 {"data", chart_data(model)},
                 {"chart_js", std::string(assets::chart_js())},
                 {"report_js", std::string(assets::report_js())}});
}

}  // namespace vmtax::report
