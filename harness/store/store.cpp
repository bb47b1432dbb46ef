#include "store/store.hpp"

#include <system_error>
#include <utility>

#include <fcntl.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

#include "base/errors.hpp"
#include "base/files.hpp"
#include "protocol/io_json.hpp"
#include "store/database.hpp"
#include "store/lock.hpp"
#include "store/record_json.hpp"

namespace vmtax::store {
namespace {

using nlohmann::json;
namespace fs = std::filesystem;

constexpr std::int64_t application_id = 0x766d7478;  // "vmtx"

constexpr const char* schema = R"sql(
CREATE TABLE run (
  only_row INTEGER PRIMARY KEY CHECK (only_row = 1),
  record   BLOB NOT NULL,
  facts    BLOB NOT NULL,
  finished INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE TABLE attempt (
  id       INTEGER PRIMARY KEY,
  block    INTEGER NOT NULL,
  drive    TEXT NOT NULL,
  workload TEXT NOT NULL,
  round    INTEGER NOT NULL,
  finished INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX attempt_of_block ON attempt (block);
CREATE UNIQUE INDEX one_finished_attempt ON attempt (block) WHERE finished = 1;
CREATE TABLE sample (
  id              INTEGER PRIMARY KEY,
  attempt         INTEGER NOT NULL REFERENCES attempt (id),
  drive           TEXT NOT NULL,
  workload        TEXT NOT NULL,
  iodepth         INTEGER NOT NULL,
  round           INTEGER NOT NULL,
  arm             TEXT NOT NULL CHECK (arm IN ('bare', 'backing', 'guest')),
  footprint       TEXT NOT NULL,
  configuration   TEXT NOT NULL,
  visit           INTEGER NOT NULL,
  position        INTEGER NOT NULL,
  seed            INTEGER NOT NULL,
  started_unix_ns INTEGER NOT NULL,
  host_elapsed_ns INTEGER NOT NULL,
  resident_before INTEGER NOT NULL,
  evidence        BLOB NOT NULL,
  failure         TEXT,
  outcome         BLOB NOT NULL
) STRICT;
CREATE TABLE time_share (
  id           INTEGER PRIMARY KEY,
  wall_ns      INTEGER NOT NULL,
  measuring_ns INTEGER NOT NULL,
  booting_ns   INTEGER NOT NULL,
  settling_ns  INTEGER NOT NULL,
  preparing_ns INTEGER NOT NULL,
  ending_ns    INTEGER NOT NULL
) STRICT;
)sql";

constexpr const char* sample_query = R"sql(
SELECT s.drive, s.workload, s.iodepth, s.round, s.arm, s.footprint, s.configuration, s.visit,
       s.position, s.seed, s.started_unix_ns, s.host_elapsed_ns, s.resident_before, s.evidence,
       s.outcome, a.finished
FROM sample s JOIN attempt a ON a.id = s.attempt
WHERE a.id = (SELECT b.id FROM attempt b WHERE b.block = a.block
              ORDER BY b.finished DESC, b.id DESC LIMIT 1)
ORDER BY s.id
)sql";

fs::path file_in(const fs::path& directory) {
  return directory / "vmtax.sqlite";
}

// Text that came from outside (a serial, a kernel's message) may be no UTF-8; it must not stop a
// run.
std::string dump(const json& value) {
  return value.dump(-1, ' ', false, json::error_handler_t::replace);
}

Arm arm_from(const std::string& text) {
  for (const Arm arm : {Arm::bare, Arm::backing, Arm::guest}) {
    if (to_text(arm) == text) return arm;
  }
  throw std::invalid_argument("an unknown arm \"" + text + "\"");
}

SampleRecord sample_from(const Rows& row) {
  SampleRecord s;
  s.drive = row.bytes(0);
  s.workload = row.bytes(1);
  s.iodepth = static_cast<std::uint32_t>(row.integer(2));
  s.round = static_cast<std::uint32_t>(row.integer(3));
  s.arm = arm_from(row.bytes(4));
  s.footprint = row.bytes(5);
  s.configuration = row.bytes(6);
  s.visit = static_cast<std::size_t>(row.integer(7));
  s.position = static_cast<std::size_t>(row.integer(8));
  s.seed = static_cast<std::uint64_t>(row.integer(9));
  s.started_unix_ns = row.integer(10);
  s.host_elapsed = Nanoseconds{row.integer(11)};
  s.resident_before = Bytes{static_cast<std::uint64_t>(row.integer(12))};
  s.evidence = json::parse(row.bytes(13));
  s.outcome = protocol::outcome_from_json(json::parse(row.bytes(14)));
  s.block_finished = row.integer(15) != 0;
  return s;
}

void sync_directory(const fs::path& directory) {
  const Fd fd(::open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!fd || ::fsync(fd.get()) != 0)
    throw EnvironmentError(directory.string() + ": " + std::system_category().message(errno));
}

void remove_unfinished(const fs::path& file) {
  for (const char* suffix : {"", "-wal", "-shm", "-journal"}) {
    std::error_code ignored;  // what can't be removed is met again, with a message, by SQLite
    fs::remove(file.string() + suffix, ignored);
  }
}

Access access_for_reading(const fs::path& file, bool writer_alive) {
  if (writer_alive) return Access::beside_writer;
  std::error_code absent;
  const auto wal_size = fs::file_size(file.string() + "-wal", absent);
  return absent || wal_size == 0 ? Access::frozen : Access::left_behind;
}

}  // namespace

struct Store::State {
  std::string name;  ///< for messages
  Fd lock;           ///< released after the database is closed
  Database database;

  /// Damage inside a row, said as damage of the file.
  template <typename Read>
  auto reading(Read read) const -> decltype(read()) {
    try {
      return read();
    } catch (const json::exception& error) {
      throw EnvironmentError(name + ": the store is damaged (" + error.what() + ")");
    } catch (const std::invalid_argument& error) {
      throw EnvironmentError(name + ": the store is damaged (" + error.what() + ")");
    }
  }

  void check_schema() const {
    const auto number = [&](const char* pragma) {
      Rows rows = database.query(pragma);
      return rows.next() ? rows.integer(0) : 0;
    };
    if (number("PRAGMA application_id") != application_id)
      throw EnvironmentError(name + ": no vmtax store (another program's database)");
    const auto version = number("PRAGMA user_version");
    if (version != schema_version) {
      throw EnvironmentError(name + ": written with schema version " + std::to_string(version) +
                             ", this vmtax reads version " + std::to_string(schema_version) +
                             (version > schema_version ? "; use a newer vmtax" : ""));
    }
  }
};

Store::Store(std::unique_ptr<State> state) : state_(std::move(state)) {}
Store::~Store() = default;
Store::Store(Store&&) noexcept = default;
Store& Store::operator=(Store&&) noexcept = default;

bool Store::exists(const fs::path& directory) {
  std::error_code error;
  return fs::exists(file_in(directory), error);
}

Store Store::create(const fs::path& directory, const RunRecord& run) {
  make_directories(directory);
  Fd lock = lock_for_writing(directory);
  const auto file = file_in(directory);
  if (exists(directory)) throw EnvironmentError(file.string() + ": there is a store already");
  // Made whole under another name: a crash in between leaves nothing that looks like a store.
  const fs::path unfinished = file.string() + ".new";
  remove_unfinished(unfinished);
  {
    Database database(unfinished, Access::create);
    Transaction transaction(database);
    database.script(schema);
    database.script(("PRAGMA application_id = " + std::to_string(application_id)).c_str());
    database.script(("PRAGMA user_version = " + std::to_string(schema_version)).c_str());
    const std::string record = dump(to_json(run)), facts = dump(run.facts);
    database.run("INSERT INTO run (only_row, record, facts) VALUES (1, ?, ?)",
                 {Blob{record}, Blob{facts}});
    transaction.commit();
    database.script("PRAGMA journal_mode = WAL");
  }
  std::error_code failed;
  fs::rename(unfinished, file, failed);
  if (failed) throw EnvironmentError(file.string() + ": " + failed.message());
  sync_directory(directory);
  return Store(std::make_unique<State>(
      State{file.string(), std::move(lock), Database(file, Access::read_write)}));
}

Store Store::open(const fs::path& directory) {
  const auto file = file_in(directory);
  if (!exists(directory)) throw EnvironmentError(directory.string() + ": no vmtax store here");
  Fd lock = lock_for_writing(directory);
  auto state = std::make_unique<State>(
      State{file.string(), std::move(lock), Database(file, Access::read_write)});
  state->check_schema();
  return Store(std::move(state));
}

Store Store::open_read_only(const fs::path& directory) {
  const auto file = file_in(directory);
  if (!exists(directory)) throw EnvironmentError(directory.string() + ": no vmtax store here");
  ReaderLock reader = lock_for_reading(directory);
  auto state =
      std::make_unique<State>(State{file.string(), std::move(reader.lock),
                                    Database(file, access_for_reading(file, reader.writer_alive))});
  state->check_schema();
  return Store(std::move(state));
}

RunRecord Store::run() const {
  return state_->reading([&] {
    Rows rows = state_->database.query("SELECT record, facts FROM run");
    if (!rows.next()) throw std::invalid_argument("no row in run");
    RunRecord run = run_from_json(json::parse(rows.bytes(0)));
    run.facts = json::parse(rows.bytes(1));
    return run;
  });
}

void Store::add_facts(const json& facts) {
  Transaction transaction(state_->database);
  json merged = run().facts;
  if (merged.is_null()) merged = json::object();
  merged.update(facts, true);
  const std::string text = dump(merged);
  state_->database.run("UPDATE run SET facts = ?", {Blob{text}});
  transaction.commit();
}

AttemptId Store::begin_block(const BlockRecord& block) {
  state_->database.run("INSERT INTO attempt (block, drive, workload, round) VALUES (?, ?, ?, ?)",
                       {static_cast<std::int64_t>(block.index), block.drive, block.workload,
                        std::int64_t{block.round}});
  return AttemptId{state_->database.last_row_id()};
}

void Store::add(AttemptId attempt, const SampleRecord& sample) {
  const auto* failure = std::get_if<protocol::IoFailure>(&sample.outcome);
  const std::string evidence = dump(sample.evidence);
  const std::string outcome = dump(protocol::to_json(sample.outcome));
  const std::string_view reason = failure ? std::string_view(failure->reason) : "";
  state_->database.run(
      "INSERT INTO sample (attempt, drive, workload, iodepth, round, arm, footprint, "
      "configuration, "
      "visit, position, seed, started_unix_ns, host_elapsed_ns, resident_before, evidence, "
      "failure, "
      "outcome) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
      {static_cast<std::int64_t>(attempt), sample.drive, sample.workload,
       std::int64_t{sample.iodepth}, std::int64_t{sample.round}, to_text(sample.arm),
       sample.footprint, sample.configuration, static_cast<std::int64_t>(sample.visit),
       static_cast<std::int64_t>(sample.position), static_cast<std::int64_t>(sample.seed),
       sample.started_unix_ns, std::int64_t{sample.host_elapsed.count()},
       static_cast<std::int64_t>(sample.resident_before.value), Blob{evidence},
       failure ? Value{reason} : Value{nullptr}, Blob{outcome}});
}

void Store::finish_block(AttemptId attempt) {
  state_->database.run("UPDATE attempt SET finished = 1 WHERE id = ?",
                       {static_cast<std::int64_t>(attempt)});
}

std::vector<std::size_t> Store::finished_blocks() const {
  std::vector<std::size_t> blocks;
  Rows rows = state_->database.query("SELECT block FROM attempt WHERE finished = 1 ORDER BY block");
  while (rows.next()) blocks.push_back(static_cast<std::size_t>(rows.integer(0)));
  return blocks;
}

std::vector<SampleRecord> Store::samples() const {
  std::vector<SampleRecord> samples;
  for_each_sample([&](SampleRecord&& sample) { samples.push_back(std::move(sample)); });
  return samples;
}

void Store::for_each_sample(const std::function<void(SampleRecord&&)>& visit) const {
  Rows rows = state_->database.query(sample_query);
  while (rows.next()) visit(state_->reading([&] { return sample_from(rows); }));
}

void Store::add_time(const TimeShare& share) {
  state_->database.run(
      "INSERT INTO time_share (wall_ns, measuring_ns, booting_ns, settling_ns, preparing_ns, "
      "ending_ns) VALUES (?, ?, ?, ?, ?, ?)",
      {std::int64_t{share.wall.count()}, std::int64_t{share.measuring.count()},
       std::int64_t{share.booting.count()}, std::int64_t{share.settling.count()},
       std::int64_t{share.preparing.count()}, std::int64_t{share.ending.count()}});
}

TimeShare Store::time() const {
  Rows rows = state_->database.query(
      "SELECT coalesce(sum(wall_ns), 0), coalesce(sum(measuring_ns), 0), "
      "coalesce(sum(booting_ns), 0), coalesce(sum(settling_ns), 0), coalesce(sum(preparing_ns), "
      "0), "
      "coalesce(sum(ending_ns), 0) FROM time_share");
  rows.next();
  const auto at = [&](int column) { return Nanoseconds{rows.integer(column)}; };
  return {at(0), at(1), at(2), at(3), at(4), at(5)};
}

void Store::finish_run() {
  state_->database.run("UPDATE run SET finished = 1");
}

bool Store::finished() const {
  Rows rows = state_->database.query("SELECT finished FROM run");
  return rows.next() && rows.integer(0) != 0;
}

}  // namespace vmtax::store
