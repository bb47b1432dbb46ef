#include "journal/journal.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <optional>
#include <set>
#include <sstream>
#include <thread>
#include <utility>

#include <fcntl.h>
#include <nlohmann/json.hpp>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/errors.hpp"
#include "base/files.hpp"
#include "base/interrupt.hpp"
#include "base/log.hpp"

namespace vmtax::journal {

using nlohmann::json;

struct Entry {
  int number = 0;
  std::string kind;
  json detail;
};

namespace {

// Appends one line and sees it on the disk. Nothing may be made before this returned.
void append_line(int fd, const std::filesystem::path& path, const json& line) {
  const std::string text = line.dump() + "\n";
  if (::write(fd, text.data(), text.size()) != static_cast<ssize_t>(text.size()) ||
      ::fdatasync(fd) != 0)
    throw EnvironmentError("the journal '" + path.string() +
                           "' can't be written: " + std::strerror(errno));
}

// What a journal says is still there, oldest first. A torn last line is ignored: it was written
// before its resource was made.
std::vector<Entry> read_entries(int fd) {
  std::vector<Entry> live;
  std::istringstream lines(read_text("/proc/self/fd/" + std::to_string(fd)));
  for (std::string line; std::getline(lines, line);) {
    const json entry = json::parse(line, nullptr, false);
    if (!entry.is_object()) continue;
    if (const auto made = entry.find("made"); made != entry.end() && made->is_number_integer()) {
      live.push_back(
          {made->get<int>(), entry.value("kind", ""), entry.value("detail", json::object())});
    } else if (const auto gone = entry.find("gone"); gone != entry.end()) {
      std::erase_if(live, [&](const Entry& r) { return *gone == r.number; });
    }
  }
  return live;
}

// A resource may be held by one that was made before it (an image by a guest that ends with its
// libvirt), or for a moment by a stranger (a scan of all devices).
constexpr int idle_passes = 3;
constexpr std::chrono::milliseconds pause{500};

using Act = std::function<void(const Entry&)>;

// Newest first; what failed is tried again as long as that gets something done, and a little
// longer. Gone is noted only of what has no failure after it: a folder that was left because of
// what is in it must be looked at again when that is gone. Returns the last failure of each that
// stays.
std::vector<std::string> remove_in_passes(std::vector<Entry> left, const Act& remove,
                                          const Act& note_gone) {
  std::vector<std::string> failures;
  for (int idle = 0; !left.empty() && idle < idle_passes;) {
    std::vector<Entry> stay;
    const auto failed_before = std::exchange(failures, {}).size();
    for (auto entry = left.rbegin(); entry != left.rend(); ++entry) {
      try {
        remove(*entry);
        if (failures.empty())
          note_gone(*entry);
        else
          stay.insert(stay.begin(), *entry);
      } catch (const std::exception& failure) {
        stay.insert(stay.begin(), *entry);
        failures.push_back(entry->kind + " " + entry->detail.dump() + ": " + failure.what());
      }
    }
    left = std::move(stay);
    idle = failures.size() < failed_before ? 0 : idle + 1;
    if (!failures.empty() && idle > 0 && idle < idle_passes) std::this_thread::sleep_for(pause);
  }
  return failures;
}

// Under another name until it is locked: a clean-up that looks in between would take the run for
// dead, and its journal away.
Fd start_file(const std::filesystem::path& path) {
  const auto fail = [&] {
    throw EnvironmentError("the journal '" + path.string() +
                           "' can't be started: " + std::strerror(errno));
  };
  const auto unlocked = path.string() + ".new";
  Fd file{::open(unlocked.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, 0600)};
  if (!file) fail();
  if (::flock(file.get(), LOCK_EX | LOCK_NB) != 0 || ::link(unlocked.c_str(), path.c_str()) != 0) {
    const int error = errno;
    ::unlink(unlocked.c_str());
    errno = error;
    fail();
  }
  ::unlink(unlocked.c_str());
  return file;
}

// Removes what one dead run left; its journal is locked by us.
void clean_run(const std::filesystem::path& path, int journal, const Removers& removers,
               CleanReport& report) {
  const interrupt::Shield shield;
  const auto run = path.stem().string() + ": ";
  std::set<int> listed;
  const auto failures = remove_in_passes(
      read_entries(journal),
      [&](const Entry& entry) {
        const auto remover = removers.find(entry.kind);
        if (remover == removers.end()) throw EnvironmentError("made by another version of vmtax");
        remover->second(entry.detail);
        if (listed.insert(entry.number).second)
          report.removed.push_back(run + entry.kind + " " + entry.detail.dump());
      },
      [&](const Entry& entry) {
        append_line(journal, path, {{"gone", entry.number}});
      });
  for (const auto& failure : failures) report.failed.push_back(run + failure);
  if (failures.empty()) ::unlink(path.c_str());
}

// Whether another clean-up has finished with it between our open and our lock.
bool was_removed(int fd) {
  struct stat status {};
  return ::fstat(fd, &status) == 0 && status.st_nlink == 0;
}

}  // namespace

Journal::Journal(const std::filesystem::path& directory, std::string run_id, Removers removers)
    : path_(directory / (run_id + ".jsonl")),
      run_id_(std::move(run_id)),
      removers_(std::move(removers)) {
  make_directories(directory);
  file_ = start_file(path_);
  append({{"run", run_id_}, {"pid", ::getpid()}});
}

Journal::~Journal() {
  try {
    remove_all();
  } catch (const std::exception& failure) {
    log::error(failure.what());
  }
}

void Journal::append(const json& line) {
  append_line(file_.get(), path_, line);
}

EntryId Journal::will_make(const std::string& kind, const json& detail) {
  if (!removers_.contains(kind)) throw std::logic_error("no remover for the kind '" + kind + "'");
  const int number = live_.empty() ? 1 : live_.back().number + 1;
  append({{"made", number}, {"kind", kind}, {"detail", detail}});
  live_.push_back({number, kind, detail});
  return EntryId{number};
}

void Journal::remove(EntryId entry) {
  const interrupt::Shield shield;
  const auto found = std::ranges::find(live_, static_cast<int>(entry), &Entry::number);
  if (found == live_.end()) return;
  removers_.at(found->kind)(found->detail);
  note_gone(entry);
}

void Journal::note_gone(EntryId entry) {
  append({{"gone", static_cast<int>(entry)}});
  std::erase_if(live_, [&](const Entry& one) { return one.number == static_cast<int>(entry); });
}

void Journal::remove_all() {
  const interrupt::Shield shield;
  std::string all;
  const auto failures = remove_in_passes(
      live_, [this](const Entry& entry) { removers_.at(entry.kind)(entry.detail); },
      [this](const Entry& entry) { note_gone(EntryId{entry.number}); });
  for (const auto& failure : failures) all += (all.empty() ? "" : "; ") + failure;
  if (!all.empty()) throw EnvironmentError("left behind, `vmtax clean` tries again: " + all);
  ::unlink(path_.c_str());
}

CleanReport clean_dead_runs(const std::filesystem::path& directory, const Removers& removers) {
  CleanReport report;
  std::error_code error;
  std::filesystem::directory_iterator files(directory, error);
  if (error == std::errc::no_such_file_or_directory) return report;
  for (const std::filesystem::directory_iterator end; !error && files != end;
       files.increment(error)) {
    interrupt::check();
    const auto path = files->path();
    if (path.extension() != ".jsonl") continue;
    const std::string run = path.stem().string();
    const Fd journal{::open(path.c_str(), O_RDWR | O_APPEND | O_CLOEXEC)};
    if (!journal && errno == ENOENT) continue;
    if (!journal) {
      report.failed.push_back(run + ": its journal can't be opened: " + std::strerror(errno));
    } else if (::flock(journal.get(), LOCK_EX | LOCK_NB) != 0) {
      report.left_alone.push_back(run + ": that run is alive, or is just being cleaned");
    } else if (!was_removed(journal.get())) {
      clean_run(path, journal.get(), removers, report);
    }
  }
  if (error)
    throw EnvironmentError("the journals in '" + directory.string() +
                           "' can't be read: " + error.message());
  return report;
}

}  // namespace vmtax::journal
