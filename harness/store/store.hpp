// One SQLite file per run directory, DIR/vmtax.sqlite: WAL, one transaction per sample, committed
// before the next begins, so that a crash loses at most the sample being measured.
//
// application_id is "vmtx", user_version the schema's version. Tables: `run` (one row: the
// RunRecord and its facts as JSON), `attempt` (one row per start of a block; at most one finished
// per block), `sample` (one row per outcome; a failure has its reason in `failure` and no figures),
// `time_share` (one row per part of a resumed run). Outcomes are the protocol's JSON, histograms
// included. Who writes holds a lock on DIR/vmtax.lock; the file stays, the lock goes with the
// process.
//
// Rejected: one JSON file per sample (no transaction over a block's end and its samples); columns
// for figures (they are statistics and would go out of step with the outcome).
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "store/records.hpp"

namespace vmtax::store {

enum class AttemptId : std::int64_t {};

class Store {
 public:
  static constexpr int schema_version = 1;

  /// Makes DIR (if needed) and its store; EnvironmentError when DIR already holds one, or another
  /// process is at work in it. A crash leaves either no store or a whole one.
  static Store create(const std::filesystem::path& directory, const RunRecord& run);

  /// Opens what is there for reading and further samples; EnvironmentError when there is none, or
  /// it is no vmtax store, or was written by a newer version (with the version needed), or another
  /// process is at work in it. Damage that is met later, while reading, is an EnvironmentError too.
  static Store open(const std::filesystem::path& directory);
  /// The same, but never writes, not even a WAL file: for reports on read-only media, of a run that
  /// is under way, and of one that was killed (whose committed samples may still be in the WAL).
  static Store open_read_only(const std::filesystem::path& directory);
  static bool exists(const std::filesystem::path& directory);

  ~Store();
  Store(Store&&) noexcept;
  Store& operator=(Store&&) noexcept;

  RunRecord run() const;
  /// Facts that are only known once the run is under way (the guest's kernel); merged into facts.
  void add_facts(const nlohmann::json& facts);

  AttemptId begin_block(const BlockRecord& block);
  void add(AttemptId attempt, const SampleRecord& sample);
  void finish_block(AttemptId attempt);

  /// Indices of blocks with a finished attempt.
  std::vector<std::size_t> finished_blocks() const;

  /// Samples of each block's finished attempt, or of its last one where none is finished, in the
  /// order they were taken.
  std::vector<SampleRecord> samples() const;
  /// The same one by one: a sample's histograms take 100 KB of memory.
  void for_each_sample(const std::function<void(SampleRecord&&)>& visit) const;

  void add_time(const TimeShare& share);  ///< accumulates over resumed parts
  TimeShare time() const;
  void finish_run();  ///< all blocks are done
  bool finished() const;

 private:
  struct State;
  explicit Store(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace vmtax::store
