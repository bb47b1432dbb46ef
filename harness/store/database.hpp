// SQLite as this folder uses it: statements, values, transactions. Every error is an
// EnvironmentError that names the file.
#pragma once

#include <cstdint>
#include <filesystem>
#include <initializer_list>
#include <memory>
#include <string>
#include <string_view>
#include <variant>

namespace vmtax::store {

/// How a database is opened.
enum class Access {
  create,         ///< for writing; made when absent
  read_write,     ///< for writing; must exist
  frozen,         ///< reading; nobody writes and there is no WAL: takes no lock, makes no file
  beside_writer,  ///< reading beside a living writer, through its WAL and shared memory
  left_behind,    ///< reading with the WAL of a dead writer, whose index is rebuilt in memory
};

/// Bytes, as opposed to text.
struct Blob {
  std::string_view bytes;
};
using Value = std::variant<std::nullptr_t, std::int64_t, std::string_view, Blob>;

/// The rows of a query, one after the other; columns are numbered from 0.
class Rows {
 public:
  bool next();
  std::int64_t integer(int column) const;
  std::string bytes(int column) const;  ///< text or blob

  ~Rows();
  Rows(Rows&&) noexcept;

 private:
  friend class Database;
  struct State;
  explicit Rows(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

class Database {
 public:
  Database(const std::filesystem::path& file, Access access);
  ~Database();
  Database(Database&&) noexcept;
  Database& operator=(Database&&) noexcept;

  /// Several statements without values.
  void script(const char* sql);
  /// One statement, to its end.
  void run(const char* sql, std::initializer_list<Value> values = {});
  Rows query(const char* sql, std::initializer_list<Value> values = {}) const;
  std::int64_t last_row_id() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// Rolled back unless committed.
class Transaction {
 public:
  explicit Transaction(Database& database);
  ~Transaction();
  Transaction(const Transaction&) = delete;
  Transaction& operator=(const Transaction&) = delete;
  void commit();

 private:
  Database* database_;
};

}  // namespace vmtax::store
