// One SQLite file per run directory, DIR/vmtax.sqlite: WAL, one transaction per sample, committed before
// the next begins, so that a crash loses at most the sample being measured.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <vector>

#include "store/records.hpp"

namespace vmtax::store {

enum class AttemptId : std::int64_t {};

class Store {
 public:
  static constexpr int schema_version = 1;

  /// Makes DIR (if needed) and its store; EnvironmentError when DIR already holds one.
  static Store create(const std::filesystem::path& directory, const RunRecord& run);

  /// Opens what is there for reading and further samples; EnvironmentError when there is none, or it is
  /// no vmtax store, or was written by a newer version (with the version needed).
  static Store open(const std::filesystem::path& directory);
  /// The same, but never writes, not even a WAL file: for reports on read-only media.
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

  /// Samples of each block's finished attempt, or of its last one where none is finished, in the order
  /// they were taken.
  std::vector<SampleRecord> samples() const;

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
