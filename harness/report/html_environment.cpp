#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "report/escape.hpp"
#include "report/html_parts.hpp"

namespace vmtax::report::parts {
namespace {

std::string finding(const FindingText& f) {
  std::string seen;
  for (const auto& o : f.occurrences)
    seen += fmt::format("<li><bdi>{}</bdi>: <bdi>{}</bdi></li>", html(o.where), html(o.evidence));
  return fmt::format(
      "<li class=\"finding {0}\"><p><span class=\"badge {0}\">{0}</span> <b>{1}</b> "
      "<code>{2}</code></p><ul>{3}</ul><p>{4}</p><p><b>What to do:</b> {5}</p></li>",
      html(f.severity), html(f.title), html(f.id), seen, html(f.means), html(f.remedy));
}

}  // namespace

std::string findings(const Model& model) {
  if (model.findings.empty()) return "<p>None.</p>";
  std::string list, severity;
  for (const auto& f : model.findings) {
    // The first of each severity is what the counts on top lead to.
    if (f.severity != severity) {
      list += (list.empty() ? "" : "</ul>") +
              fmt::format("<ul class=\"findings\" id=\"findings-{}\">", html(f.severity));
      severity = f.severity;
    }
    list += finding(f);
  }
  return list + "</ul>";
}

std::string missing(const Model& model) {
  if (model.missing.empty()) return "";
  std::string rows;
  for (const auto& m : model.missing)
    rows += fmt::format("<tr><td>{}</td><td><bdi>{}</bdi></td><td><bdi>{}</bdi></td></tr>",
                        html(m.kind), html(m.where), html(m.reason));
  return "<section><h2>Failed or missing measurements</h2><div class=\"scroll\" tabindex=\"0\" "
         "role=\"region\" aria-label=\"failed or missing measurements\"><table><thead><tr>"
         "<th scope=\"col\">kind</th><th scope=\"col\">where</th><th scope=\"col\">reason</th>"
         "</tr></thead><tbody>" +
         rows + "</tbody></table></div></section>";
}

std::string environment(const Model& model) {
  std::string sides, run;
  for (const auto& f : model.side_facts)
    sides += fmt::format(
        "<tr{}><th "
        "scope=\"row\"><bdi>{}</bdi></th><td><bdi>{}</bdi></td><td><bdi>{}</bdi></td></tr>",
        f.differs ? " class=\"differs\"" : "", html(f.name), html(f.host), html(f.guest));
  for (const auto& f : model.run_facts)
    run += fmt::format("<tr><th scope=\"row\"><bdi>{}</bdi></th><td><bdi>{}</bdi></td></tr>",
                       html(f.name), html(f.host));
  return "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"host and "
         "guest\"><table>"
         "<thead><tr><th scope=\"col\">fact</th><th scope=\"col\">host</th><th scope=\"col\">guest"
         "</th></tr></thead><tbody>" +
         sides +
         "</tbody></table></div><p class=\"aside\">Marked rows differ between host and guest.</p>"
         "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"the "
         "run\"><table><thead>"
         "<tr><th scope=\"col\">run</th><th scope=\"col\">value</th></tr></thead><tbody>" +
         run + "</tbody></table></div>";
}

std::string configurations(const Model& model) {
  std::string text;
  for (const auto& c : model.analysis.study.run.configurations) {
    text += fmt::format(
        "<details><summary><bdi>{}</bdi> on drive <bdi>{}</bdi></summary><p>{}</p>"
        "<pre class=\"code\">{}</pre></details>",
        html(c.name), html(c.drive),
        html(c.settings.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace)),
        html_lines(c.disk_xml));
  }
  return text;
}

std::string method(const Model& model) {
  std::string text;
  for (const auto& paragraph : model.method) text += "<p>" + html(paragraph) + "</p>";
  return text;
}

}  // namespace vmtax::report::parts
