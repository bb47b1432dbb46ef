#include "run/campaign.hpp"

#include <cerrno>
#include <cstring>
#include <optional>
#include <random>

#include <fcntl.h>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/errors.hpp"
#include "base/fd.hpp"
#include "base/files.hpp"
#include "base/interrupt.hpp"
#include "base/log.hpp"
#include "base/places.hpp"
#include "drive/ownership.hpp"
#include "drive/removers.hpp"
#include "guest/hypervisor.hpp"
#include "journal/journal.hpp"
#include "run/machine_arms.hpp"
#include "run/provision.hpp"
#include "run/records.hpp"
#include "run/runner.hpp"
#include "run/stopwatch.hpp"
#include "store/store.hpp"

namespace vmtax::run {
namespace {

namespace fs = std::filesystem;

// Eight hexadecimal digits: short enough for a disk's serial and a socket's path.
std::string new_run_id() {
  std::random_device entropy;
  return fmt::format("{:08x}", entropy());
}

std::size_t terminal_columns() {
  winsize size{};
  return ::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 20 ? size.ws_col : 80;
}

// Makes the store, or opens the one of the run that is being resumed.
store::Store open_store(const fs::path& directory, const store::RunRecord& record) {
  if (!store::Store::exists(directory)) return store::Store::create(directory, record);
  auto store = store::Store::open(directory);
  const auto changes = identity_changes(store.run(), record);
  if (changes.empty()) {
    log::info("resuming the run in '" + directory.string() + "'");
    return store;
  }
  std::string all;
  for (const auto& change : changes) all += (all.empty() ? "" : "; ") + change;
  throw EnvironmentError("the run in '" + directory.string() +
                         "' can't be resumed, since its parts could not be compared: " + all +
                         "; give another directory with -o");
}

// Held for the whole run: the store locks itself, but is made only when the drives are ready.
Fd lock_directory(const fs::path& directory) {
  Fd folder{::open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)};
  if (!folder)
    throw EnvironmentError("'" + directory.string() + "' can't be opened: " + std::strerror(errno));
  // A file system without locks (some network ones) has only the store's own.
  if (::flock(folder.get(), LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK)
    throw EnvironmentError("another run is at work in '" + directory.string() +
                           "': wait for its end, or give another directory with -o");
  return folder;
}

bool is_finished(const fs::path& directory, const scenario::Scenario& scenario) {
  if (!store::Store::exists(directory)) return false;
  const auto store = store::Store::open(directory);
  if (!store.finished()) return false;
  if (store.run().scenario_text != scenario.text)
    throw EnvironmentError("'" + directory.string() +
                           "' holds a finished run of another scenario, or of this one before it "
                           "was edited; give another directory with -o");
  return true;
}

void clean_before() {
  const auto report = journal::clean_dead_runs(journal_directory(), all_removers());
  for (const auto& line : report.removed) log::info("removed what a dead run left: " + line);
  for (const auto& line : report.left_alone) log::debug("left alone: " + line);
  for (const auto& line : report.failed)
    log::warning("what a dead run left is still there: " + line);
}

// The directory of this run's sockets and mount points, removed last.
fs::path make_runtime_directory(journal::Journal& journal) {
  const auto path = places::runtime() / journal.run_id();
  drive::make_own_directory(path, journal);
  return path;
}

class Campaign {
 public:
  Campaign(const scenario::Scenario& scenario, const plan::Plan& plan, const Means& means,
           fs::path directory)
      : scenario_(scenario),
        plan_(plan),
        directory_(std::move(directory)),
        journal_(journal_directory(), new_run_id(), all_removers()),
        runtime_(make_runtime_directory(journal_)) {
    hypervisor_.emplace(guest::Connection{scenario.guest.connection, runtime_ / "v"}, journal_);
    setting_.run_id = journal_.run_id();
    setting_.guest = scenario.guest;
    setting_.accelerator = means.accelerator.value();
    setting_.emulator = means.emulator.value();
    setting_.image = means.image.value();
    setting_.logs = directory_ / "logs";
    make_directories(setting_.logs);
  }

  CampaignOutcome run() {
    const auto began = clock_.now();
    provisioned_ = provision(plan_, runtime_ / "m", journal_);
    MachineArms arms(*hypervisor_, setting_, provisioned_.places, places::agent());
    auto store = open_store(directory_, record(arms));
    fill(plan_, arms);
    const auto prepared = clock_.now();
    try {
      measure(arms, store, prepared - began);
    } catch (const Interrupted&) {
      tear_down(store);
      throw;
    }
    tear_down(store);
    const bool finished = store.finished_blocks().size() == plan_.blocks.size();
    if (finished) store.finish_run();
    return {finished};
  }

 private:
  store::RunRecord record(MachineArms& arms) {
    MachineFacts machine;
    const auto& somewhere = provisioned_.places.begin()->second.path;
    machine.host = arms.housekeeper().client().facts(
        {somewhere, {}}, Deadline("the host's agent tells facts", std::chrono::seconds{10}));
    machine.hypervisor = hypervisor_->facts();
    machine.agent_sha256 = arms.agent().agent_sha256;
    return run_record(scenario_, plan_, setting_, provisioned_, machine);
  }

  // The time that went is noted also for a part that was interrupted.
  void measure(MachineArms& arms, store::Store& store, Nanoseconds preparing) {
    Progress progress(stderr, ::isatty(STDERR_FILENO) == 1, terminal_columns());
    Runner runner(plan_, arms, store, clock_, progress);
    const auto note_time = [&] {
      auto time = runner.time();
      time.preparing += preparing;
      time.wall += preparing;
      store.add_time(time);
    };
    try {
      runner.run_blocks();
    } catch (...) {
      note_time();
      throw;
    }
    note_time();
  }

  void tear_down(store::Store& store) {
    store::TimeShare time;
    {
      const Stopwatch ending(clock_, time.ending);
      hypervisor_.reset();  // before its root is removed
      journal_.remove_all();
    }
    time.wall = time.ending;
    store.add_time(time);
  }

  const scenario::Scenario& scenario_;
  const plan::Plan& plan_;
  fs::path directory_;
  Clock clock_;
  journal::Journal journal_;
  fs::path runtime_;
  std::optional<guest::Hypervisor> hypervisor_;
  GuestSetting setting_;
  Provisioned provisioned_;
};

}  // namespace

journal::Removers all_removers() {
  auto removers = drive::removers();
  removers.merge(guest::removers());
  return removers;
}

fs::path journal_directory() {
  return places::state() / "journal";
}

CampaignOutcome run_campaign(const scenario::Scenario& scenario, const plan::Plan& plan,
                             const Means& means, const fs::path& directory) {
  make_directories(directory);
  const auto lock = lock_directory(directory);
  log::also_to_file((directory / "vmtax.log").c_str());
  if (is_finished(directory, scenario)) {
    log::info("the run in '" + directory.string() + "' is finished");
    return {true};
  }
  clean_before();
  try {
    return Campaign(scenario, plan, means, directory).run();
  } catch (const MeasurementError& failure) {
    // Outside a sample there is nothing that could be noted as failed.
    interrupt::check();
    throw EnvironmentError(failure.what());
  }
}

}  // namespace vmtax::run
