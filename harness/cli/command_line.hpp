// The command line of vmtax as data.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "scenario/scenario.hpp"

namespace vmtax::cli {

struct Check {
  std::filesystem::path scenario;
};
struct ShowPlan {
  std::filesystem::path scenario;
  bool json = false;
  bool xml = false;
};
struct Run {
  std::filesystem::path scenario;
  std::optional<std::filesystem::path> directory;
};
struct Report {
  std::filesystem::path directory;
  std::vector<scenario::ReportFormat> formats;
  std::optional<std::filesystem::path> output;
};
struct Clean {};
struct Schema {};
/// The parser's own answer (help, version): printed to standard output.
struct Answer {
  std::string text;
};

using Command = std::variant<Check, ShowPlan, Run, Report, Clean, Schema, Answer>;

struct CommandLine {
  Command command;
  bool verbose = false;
};

/// Throws ScenarioError (usage) with one line.
CommandLine parse(int argc, const char* const* argv);

}  // namespace vmtax::cli
