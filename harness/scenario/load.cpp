#include "scenario/build.hpp"
#include "scenario/shape_check.hpp"
#include "scenario/source.hpp"
#include "scenario/values.hpp"

namespace vmtax::scenario {
namespace {

std::vector<ReportFormat> build_formats(const Node* report) {
  std::vector<ReportFormat> formats;
  const Node* given = report ? report->find("formats") : nullptr;
  if (!given) {
    for (const auto& [format, word] : format_words) formats.push_back(format);
    return formats;
  }
  for (const auto& item : given->items) formats.push_back(word_value(item, format_words));
  return formats;
}

}  // namespace

Scenario parse(const std::string& text, const std::string& file) {
  const Node root = parse_yaml(text, file);
  check_shape(root, scenario_shape());

  // A section that is left out has its defaults, and the file's begin as its mark.
  Node left_out;
  left_out.kind = Node::Kind::map;
  left_out.mark = root.mark;
  const auto section = [&](std::string_view key) -> const Node& {
    const Node* node = root.find(key);
    return node ? *node : left_out;
  };

  Scenario scenario;
  scenario.name = root.find("name")->text;
  scenario.text = text;
  scenario.drives = build_drives(*root.find("drives"));
  scenario.guest = build_guest(section("guest"));
  scenario.configurations = build_configurations(*root.find("configurations"), scenario.guest);
  scenario.workloads = build_workloads(*root.find("workloads"), scenario.guest);
  scenario.measure = build_measure(section("measure"));
  scenario.formats = build_formats(root.find("report"));
  check_whole(scenario);
  return scenario;
}

Scenario load(const std::filesystem::path& file) {
  return parse(read_source(file), file.string());
}

}  // namespace vmtax::scenario
