// What a run has made on the host, written down before it is made, so that it can be removed by
// this run, or after its death by `vmtax clean` or the next run.
//
// File: one per run, STATE/journal/RUN_ID.jsonl, locked (flock) by the living run. The first line
// is
// {"run": id, "pid": n, "started": "..."}; then each line is {"made": n, "kind": k, "detail":
// {...}} written and fsynced before the resource is made, or {"gone": n} after it was seen to be
// gone. A torn last line is ignored: its resource was not yet made. Each kind has one remover,
// which must accept that the resource was never made, or is half made, or is already gone. The file
// is deleted when everything is gone.
//
// Rejected: SQLite (a torn database would lose all entries); cleaning by name patterns (removes
// what others made).
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "base/fd.hpp"

namespace vmtax::journal {

/// Removes one resource and verifies that it is gone; returns without doing anything when there is
/// nothing. Throws EnvironmentError when it can't be removed (who holds it, what to do).
using Remover = std::function<void(const nlohmann::json& detail)>;
using Removers = std::map<std::string, Remover>;

/// The name of one entry within its run.
enum class EntryId : int {};

struct Entry;

class Journal {
 public:
  /// Starts a journal under `directory` for a run id that was not used before.
  Journal(const std::filesystem::path& directory, std::string run_id, Removers removers);
  ~Journal();  ///< removes what is left, newest first; failures are logged and stay in the file
  Journal(const Journal&) = delete;
  Journal& operator=(const Journal&) = delete;

  /// To be called before the resource is made. `kind` must have a remover.
  EntryId will_make(const std::string& kind, const nlohmann::json& detail);

  /// Removes this resource by its remover and notes that it is gone.
  void remove(EntryId entry);

  /// Removes everything that is left, newest first, and again what failed as long as something
  /// goes: it may have been held up by what goes later. All are tried; throws EnvironmentError with
  /// all the failures in one line each.
  void remove_all();

  const std::string& run_id() const { return run_id_; }

 private:
  void append(const nlohmann::json& line);
  void note_gone(EntryId entry);

  std::filesystem::path path_;
  std::string run_id_;
  Removers removers_;
  Fd file_;
  std::vector<Entry> live_;
};

struct CleanReport {
  std::vector<std::string> removed;     ///< one line per resource
  std::vector<std::string> left_alone;  ///< one line per living run
  std::vector<std::string> failed;      ///< one line per unreadable journal or resource that stays
};

/// Removes what dead runs left under `directory`: those whose journal's lock can be had. Others may
/// do the same at the same time. EnvironmentError when the directory can't be read.
CleanReport clean_dead_runs(const std::filesystem::path& directory, const Removers& removers);

}  // namespace vmtax::journal
