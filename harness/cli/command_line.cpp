#include "cli/command_line.hpp"

#include <CLI/CLI.hpp>

#include "base/errors.hpp"

namespace vmtax::cli {
namespace {

constexpr const char* exit_codes =
    "Exit codes: 0 done; 1 done, but some cells failed (the report lists them); 2 usage or "
    "scenario "
    "error;\n3 the environment can't or must not run it; 130 interrupted, the same command "
    "resumes.";

const std::map<std::string, scenario::ReportFormat> formats_by_name{
    {"html", scenario::ReportFormat::html},
    {"markdown", scenario::ReportFormat::markdown},
    {"csv", scenario::ReportFormat::csv},
    {"json", scenario::ReportFormat::json}};

}  // namespace

CommandLine parse(int argc, const char* const* argv) {
  CommandLine result;
  CLI::App app{
      "What virtualization costs a drive: the same I/O on the host and in a guest, paired."};
  app.set_version_flag("--version", VMTAX_VERSION);
  app.require_subcommand(1);
  app.footer(exit_codes);
  app.add_flag("-v,--verbose", result.verbose, "Say more on standard error");

  Check check;
  auto* check_command = app.add_subcommand(
      "check", "Is this host able and safe to run it: every obstacle with its fix");
  check_command->add_option("SCENARIO", check.scenario, "Scenario file (YAML)")->required();

  ShowPlan plan;
  auto* plan_command = app.add_subcommand("plan", "The matrix, its order, time and bytes written");
  plan_command->add_option("SCENARIO", plan.scenario, "Scenario file (YAML)")->required();
  auto* json = plan_command->add_flag("--json", plan.json, "The whole plan as JSON");
  plan_command->add_flag("--xml", plan.xml, "The domain XML of every configuration")
      ->excludes(json);

  Run run;
  auto* run_command =
      app.add_subcommand("run", "Run a scenario; the same command resumes an unfinished DIR");
  run_command->add_option("SCENARIO", run.scenario, "Scenario file (YAML)")->required();
  run_command
      ->add_option("-o,--output", run.directory,
                   "Directory for store, logs and reports (default: vmtax-results/NAME-TIME)")
      ->type_name("DIR");

  Report report;
  auto* report_command =
      app.add_subcommand("report", "Write the reports of a run anew from its store");
  report_command->add_option("DIR", report.directory, "Directory of a run")->required();
  report_command->add_option("--format", report.formats, "html,markdown,csv,json (default: all)")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->transform(CLI::CheckedTransformer(formats_by_name));
  report_command->add_option("-o,--output", report.output, "Where to write (default: DIR)")
      ->type_name("OUT");

  auto* clean_command =
      app.add_subcommand("clean", "Remove what dead runs left, and only what vmtax made");
  auto* schema_command = app.add_subcommand("schema", "JSON Schema of the scenario, for editors");

  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp&) {
    result.command = Answer{app.help()};
    for (const auto* sub : app.get_subcommands()) result.command = Answer{sub->help()};
    return result;
  } catch (const CLI::CallForVersion&) {
    result.command = Answer{"vmtax " VMTAX_VERSION "\n"};
    return result;
  } catch (const CLI::ParseError& error) {
    throw ScenarioError(std::string{"usage: "} + error.what() +
                        " (vmtax --help tells what is allowed)");
  }
  if (*check_command) result.command = check;
  if (*plan_command) result.command = plan;
  if (*run_command) result.command = run;
  if (*report_command) result.command = report;
  if (*clean_command) result.command = Clean{};
  if (*schema_command) result.command = Schema{};
  return result;
}

}  // namespace vmtax::cli
