// vmtax: what runs on the host. Load, plan, run, report; the one catch, and the exit code.
#include "base/errors.hpp"
#include "base/interrupt.hpp"
#include "base/log.hpp"
#include "base/standard_streams.hpp"
#include "cli/command_line.hpp"
#include "cli/commands.hpp"

int main(int argc, char** argv) {
  using namespace vmtax;
  try {
    hold_standard_streams();
    interrupt::install();
    const auto line = cli::parse(argc, argv);
    if (line.verbose) log::set_level(log::Level::debug);
    return cli::execute(line.command);
  } catch (const ScenarioError& error) {
    log::error(error.what());
    return 2;
  } catch (const EnvironmentError& error) {
    log::error(error.what());
    return interrupt::requested() ? 130 : 3;
  } catch (const Interrupted&) {
    return 130;
  } catch (const std::exception& error) {
    log::error(std::string{"internal fault, please report it: "} + error.what());
    return 3;
  }
}
