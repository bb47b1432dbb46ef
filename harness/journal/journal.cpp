#include "journal/journal.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <optional>
#include <sstream>

#include <fcntl.h>
#include <nlohmann/json.hpp>
#include <sys/file.h>
#include <unistd.h>

#include "base/errors.hpp"
#include "base/files.hpp"
#include "base/interrupt.hpp"
#include "base/log.hpp"

namespace vmtax::journal {

using nlohmann::json;

struct Journal::Entry {
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

struct Recorded {
  int number = 0;
  std::string kind;
  json detail;
};

// What a journal says is still there, oldest first. A torn last line is ignored: it was written
// before its resource was made.
std::vector<Recorded> read_entries(const std::filesystem::path& path) {
  std::vector<Recorded> live;
  std::istringstream lines(read_text(path));
  for (std::string line; std::getline(lines, line);) {
    const json entry = json::parse(line, nullptr, false);
    if (!entry.is_object()) continue;
    if (const auto made = entry.find("made"); made != entry.end() && made->is_number_integer()) {
      live.push_back(
          {made->get<int>(), entry.value("kind", ""), entry.value("detail", json::object())});
    } else if (const auto gone = entry.find("gone"); gone != entry.end()) {
      std::erase_if(live, [&](const Recorded& r) { return *gone == r.number; });
    }
  }
  return live;
}

}  // namespace

Journal::Journal(const std::filesystem::path& directory, std::string run_id, Removers removers)
    : path_(directory / (run_id + ".jsonl")),
      run_id_(std::move(run_id)),
      removers_(std::move(removers)) {
  make_directories(directory);
  file_ = Fd{::open(path_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, 0600)};
  if (!file_ || ::flock(file_.get(), LOCK_EX | LOCK_NB) != 0)
    throw EnvironmentError("the journal '" + path_.string() +
                           "' can't be started: " + std::strerror(errno));
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
  append({{"gone", found->number}});
  live_.erase(found);
}

void Journal::remove_all() {
  const interrupt::Shield shield;
  std::string failures;
  const auto entries = live_;
  for (auto entry = entries.rbegin(); entry != entries.rend(); ++entry) {
    try {
      remove(EntryId{entry->number});
    } catch (const std::exception& failure) {
      failures += (failures.empty() ? "" : "; ") + std::string{failure.what()};
    }
  }
  if (!failures.empty())
    throw EnvironmentError("left behind, `vmtax clean` tries again: " + failures);
  ::unlink(path_.c_str());
}

CleanReport clean_dead_runs(const std::filesystem::path& directory, const Removers& removers) {
  CleanReport report;
  std::error_code error;
  for (const auto& file : std::filesystem::directory_iterator(directory, error)) {
    const auto& path = file.path();
    if (path.extension() != ".jsonl") continue;
    const std::string run = path.stem().string();
    const Fd journal{::open(path.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC)};
    if (!journal) {
      report.left_alone.push_back(run + ": its journal can't be opened: " + std::strerror(errno));
      continue;
    }
    if (::flock(journal.get(), LOCK_EX | LOCK_NB) != 0) {
      report.left_alone.push_back(run + ": that run is alive");
      continue;
    }
    bool all_gone = true;
    auto entries = read_entries(path);
    for (auto entry = entries.rbegin(); entry != entries.rend(); ++entry) {
      const std::string what = run + ": " + entry->kind + " " + entry->detail.dump();
      try {
        const auto remover = removers.find(entry->kind);
        if (remover == removers.end()) throw EnvironmentError("made by another version of vmtax");
        remover->second(entry->detail);
        append_line(journal.get(), path, {{"gone", entry->number}});
        report.removed.push_back(what);
      } catch (const std::exception& failure) {
        all_gone = false;
        report.left_alone.push_back(what + ": " + failure.what());
      }
    }
    if (all_gone) ::unlink(path.c_str());
  }
  return report;
}

}  // namespace vmtax::journal
