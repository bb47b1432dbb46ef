#include "store/database.hpp"

#include <utility>

#include <sqlite3.h>

#include "base/errors.hpp"

namespace vmtax::store {
namespace {

constexpr int busy_limit_ms = 10'000;  // a reader's snapshot can hold a checkpoint up, not a commit

struct Finalizer {
  void operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }
};
using StatementHandle = std::unique_ptr<sqlite3_stmt, Finalizer>;

[[noreturn]] void fail(const std::string& file, int code, const char* message) {
  switch (code & 0xff) {
    case SQLITE_NOTADB:
      throw EnvironmentError(file + ": no vmtax store (" + message + ")");
    case SQLITE_CORRUPT:
      throw EnvironmentError(file + ": the store is damaged (" + message +
                             "); restore it from a copy, or run again in another directory");
    case SQLITE_FULL:
      throw EnvironmentError(file + ": no space left for the store; free some and run again");
    default:
      throw EnvironmentError(file + ": " + message);
  }
}

std::string percent_encoded(const std::string& path) {
  constexpr std::string_view digits = "0123456789ABCDEF";
  std::string encoded;
  for (const char c : path) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '%' || c == '?' || c == '#') {
      encoded += {'%', digits[byte >> 4], digits[byte & 15]};
    } else {
      encoded += c;
    }
  }
  return encoded;
}

int flags_of(Access access) {
  switch (access) {
    case Access::create:
      return SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE;
    case Access::read_write:
      return SQLITE_OPEN_READWRITE;
    default:
      return SQLITE_OPEN_READONLY;
  }
}

std::string options_of(Access access) {
  switch (access) {
    case Access::frozen:
      return "?mode=ro&immutable=1";
    case Access::beside_writer:
      return "?mode=ro&readonly_shm=1";
    case Access::left_behind:
      return "?mode=ro";
    default:
      return "";
  }
}

}  // namespace

struct Rows::State {
  StatementHandle statement;
  std::string file;
  sqlite3* database = nullptr;
};

Rows::Rows(std::unique_ptr<State> state) : state_(std::move(state)) {}
Rows::Rows(Rows&&) noexcept = default;
Rows::~Rows() = default;

bool Rows::next() {
  const int code = sqlite3_step(state_->statement.get());
  if (code == SQLITE_ROW) return true;
  if (code == SQLITE_DONE) return false;
  fail(state_->file, code, sqlite3_errmsg(state_->database));
}

std::int64_t Rows::integer(int column) const {
  return sqlite3_column_int64(state_->statement.get(), column);
}

std::string Rows::bytes(int column) const {
  const void* data = sqlite3_column_blob(state_->statement.get(), column);
  const int size = sqlite3_column_bytes(state_->statement.get(), column);
  return data ? std::string(static_cast<const char*>(data), static_cast<std::size_t>(size)) : "";
}

struct Database::State {
  std::string file;
  sqlite3* handle = nullptr;

  State() = default;
  State(const State&) = delete;
  State& operator=(const State&) = delete;
  ~State() { sqlite3_close(handle); }
};

Database::Database(const std::filesystem::path& file, Access access)
    : state_(std::make_unique<State>()) {
  state_->file = file.string();
  const std::string uri =
      "file:" + percent_encoded(std::filesystem::absolute(file).string()) + options_of(access);
  // A dead writer's WAL is read without its shared memory: exclusive mode keeps the index in our
  // own memory, and the VFS without locks lets a read-only file be "locked". Nothing is ever
  // written, the checkpoint at closing is switched off.
  const char* vfs = access == Access::left_behind ? "unix-none" : nullptr;
  const int code =
      sqlite3_open_v2(uri.c_str(), &state_->handle, flags_of(access) | SQLITE_OPEN_URI, vfs);
  if (code != SQLITE_OK) fail(state_->file, code, sqlite3_errmsg(state_->handle));
  sqlite3_extended_result_codes(state_->handle, 1);
  sqlite3_busy_timeout(state_->handle, busy_limit_ms);
  if (access == Access::left_behind) {
    sqlite3_db_config(state_->handle, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, nullptr);
    script("PRAGMA locking_mode = EXCLUSIVE");
  }
  if (flags_of(access) & SQLITE_OPEN_READWRITE) script("PRAGMA synchronous = FULL");
  script("PRAGMA foreign_keys = ON");
}

Database::~Database() = default;
Database::Database(Database&&) noexcept = default;
Database& Database::operator=(Database&&) noexcept = default;

void Database::script(const char* sql) {
  const int code = sqlite3_exec(state_->handle, sql, nullptr, nullptr, nullptr);
  if (code != SQLITE_OK) fail(state_->file, code, sqlite3_errmsg(state_->handle));
}

void Database::run(const char* sql, std::initializer_list<Value> values) {
  Rows rows = query(sql, values);
  while (rows.next()) {
  }
}

Rows Database::query(const char* sql, std::initializer_list<Value> values) const {
  auto rows = std::make_unique<Rows::State>();
  rows->file = state_->file;
  rows->database = state_->handle;
  sqlite3_stmt* statement = nullptr;
  const int code = sqlite3_prepare_v2(state_->handle, sql, -1, &statement, nullptr);
  rows->statement.reset(statement);
  if (code != SQLITE_OK) fail(state_->file, code, sqlite3_errmsg(state_->handle));
  int index = 0;
  for (const Value& value : values) {
    ++index;
    if (const auto* number = std::get_if<std::int64_t>(&value)) {
      sqlite3_bind_int64(statement, index, *number);
    } else if (const auto* text = std::get_if<std::string_view>(&value)) {
      sqlite3_bind_text64(statement, index, text->data(), text->size(), SQLITE_TRANSIENT,
                          SQLITE_UTF8);
    } else if (const auto* blob = std::get_if<Blob>(&value)) {
      sqlite3_bind_blob64(statement, index, blob->bytes.data(), blob->bytes.size(),
                          SQLITE_TRANSIENT);
    }
  }
  return Rows(std::move(rows));
}

std::int64_t Database::last_row_id() const {
  return sqlite3_last_insert_rowid(state_->handle);
}

Transaction::Transaction(Database& database) : database_(&database) {
  database_->script("BEGIN IMMEDIATE");
}

Transaction::~Transaction() {
  if (!database_) return;
  try {
    database_->script("ROLLBACK");
  } catch (const EnvironmentError&) {  // the error under way says more; closing rolls back anyway
  }
}

void Transaction::commit() {
  database_->script("COMMIT");
  database_ = nullptr;
}

}  // namespace vmtax::store
