#include "cli/commands.hpp"

#include <cstdlib>

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <unistd.h>

#include "base/errors.hpp"
#include "base/log.hpp"
#include "base/standard_streams.hpp"
#include "journal/journal.hpp"
#include "plan/plan.hpp"
#include "report/report.hpp"
#include "run/campaign.hpp"
#include "run/check.hpp"
#include "run/guest_setting.hpp"
#include "run/progress.hpp"
#include "run/provision.hpp"
#include "scenario/scenario.hpp"
#include "store/store.hpp"

namespace vmtax::cli {
namespace {

namespace fs = std::filesystem;

struct Prepared {
  scenario::Scenario scenario;
  plan::Plan plan;
  run::UnseenDrives unseen;
};

// The plan is of the drives that can be seen.
Prepared prepare(const fs::path& file) {
  Prepared prepared;
  prepared.scenario = scenario::load(file);
  auto survey = run::survey_drives(prepared.scenario);
  auto visible = prepared.scenario;
  std::erase_if(visible.drives,
                [&](const auto& drive) { return !survey.facts.contains(drive.name); });
  prepared.plan = plan::make_plan(visible, survey.facts);
  prepared.unseen = std::move(survey.unseen);
  return prepared;
}

int execute_one(const Check& command) {
  const auto [scenario, plan, unseen] = prepare(command.scenario);
  const auto result = run::check(scenario, plan, unseen);
  print(run::describe(result));
  return result.able() ? EXIT_SUCCESS : 3;
}

// As they would be defined, with the names of things that are not made yet.
std::string all_domain_xml(const Prepared& prepared) {
  run::GuestSetting setting;
  setting.run_id = "RUN";
  setting.guest = prepared.scenario.guest;
  setting.accelerator = prepared.scenario.guest.accelerator == scenario::Accelerator::tcg
                            ? guest::Accelerator::tcg
                            : guest::Accelerator::kvm;
  setting.emulator = "/usr/bin/qemu-system-x86_64";
  setting.image = {"/KERNEL", "/INITRAMFS", ""};
  setting.logs = "/LOGS";
  std::string xml;
  for (const auto& drive : prepared.plan.drives)
    for (const auto& planned : drive.configurations) {
      run::Place place;
      place.is_block_device = planned.configuration.backing == scenario::Backing::passthrough;
      place.format = planned.configuration.backing == scenario::Backing::qcow2 ? "qcow2" : "raw";
      place.path = place.is_block_device ? "/dev/PARTITION" : "/MOUNT/IMAGE";
      if (!drive.writable) {
        place.read_only = true;
        place.path = std::get<scenario::DevicePath>(drive.drive.where).path;
      }
      place.logical_sector = drive.facts.logical_sector;
      place.physical_sector = drive.facts.logical_sector;
      xml += guest::domain_xml(
          run::domain_spec(setting, planned.configuration, place, planned.configuration.name));
    }
  return xml;
}

int execute_one(const ShowPlan& command) {
  const auto prepared = prepare(command.scenario);
  if (!prepared.unseen.empty()) throw EnvironmentError(run::describe(prepared.unseen));
  print(command.json  ? plan::to_json(prepared.plan)
        : command.xml ? all_domain_xml(prepared)
                      : plan::describe(prepared.plan));
  return EXIT_SUCCESS;
}

std::string default_directory(const scenario::Scenario& scenario) {
  std::string name;
  for (const char c : scenario.name)
    name += std::isalnum(static_cast<unsigned char>(c)) || c == '-' || c == '_' ? c : '-';
  return fmt::format("vmtax-results/{}-{:%Y%m%dT%H%M%S}", name, fmt::localtime(std::time(nullptr)));
}

// The summary, and where the reports are.
int conclude(const fs::path& directory, const std::vector<scenario::ReportFormat>& formats,
             const fs::path& output) {
  std::vector<report::Format> wanted;
  for (const auto format : formats)
    wanted.push_back(report::parse_format(scenario::to_text(format)).value());
  report::write_reports(directory, wanted, output);
  const auto store = store::Store::open_read_only(directory);
  auto text = report::terminal_summary(store, report::columns_of(STDOUT_FILENO),
                                       report::wants_colour(STDOUT_FILENO));
  for (const auto format : wanted)
    text += "report: " + (output / report::file_name(format)).string() + "\n";
  print(text);
  return report::failed_cells(store) == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

int execute_one(const Run& command) {
  const auto [scenario, plan, unseen] = prepare(command.scenario);
  const auto checked = run::check(scenario, plan, unseen);
  for (const auto& line : checked.lines)
    if (line.verdict == run::Verdict::warning) log::warning(line.subject + ": " + line.finding);
  if (!checked.able()) throw EnvironmentError(checked.obstacles());
  const fs::path directory = fs::absolute(command.directory.value_or(default_directory(scenario)));
  log::info("results go to " + directory.string() + ", planned time " +
            run::rough_duration(plan.estimate.total));
  try {
    run::run_campaign(scenario, plan, checked.means, directory);
  } catch (const Interrupted&) {
    log::warning("interrupted: the same command with -o " + directory.string() +
                 " resumes the run");
    throw;
  }
  return conclude(directory, scenario.formats, directory);
}

int execute_one(const Report& command) {
  auto formats = command.formats;
  if (formats.empty())
    formats = {scenario::ReportFormat::html, scenario::ReportFormat::markdown,
               scenario::ReportFormat::csv, scenario::ReportFormat::json};
  return conclude(command.directory, formats, command.output.value_or(command.directory));
}

int execute_one(const Clean&) {
  const auto report = journal::clean_dead_runs(run::journal_directory(), run::all_removers());
  std::string text;
  for (const auto& line : report.removed) text += "removed: " + line + "\n";
  for (const auto& line : report.left_alone) text += "left alone: " + line + "\n";
  for (const auto& line : report.failed) text += "still there: " + line + "\n";
  print(text.empty() ? "nothing to clean\n" : text);
  return report.failed.empty() ? EXIT_SUCCESS : 3;
}

int execute_one(const Schema&) {
  print(scenario::json_schema());
  return EXIT_SUCCESS;
}

int execute_one(const Answer& answer) {
  print(answer.text);
  return EXIT_SUCCESS;
}

}  // namespace

int execute(const Command& command) {
  return std::visit([](const auto& one) { return execute_one(one); }, command);
}

}  // namespace vmtax::cli
