// Files that are no store, or no longer one: one clear line each.
#include <filesystem>
#include <fstream>

#include "base/errors.hpp"
#include "base/files.hpp"
#include "base/process.hpp"
#include "store/store.hpp"
#include "support/catch.hpp"
#include "support/study_builder.hpp"
#include "support/temporary_directory.hpp"

using namespace vmtax;
using store::Store;
namespace fs = std::filesystem;

namespace {

void read_all(const fs::path& directory) {
  const auto store = Store::open_read_only(directory);
  store.run();
  store.samples();
}

fs::path written_store(const test::TemporaryDirectory& folder) {
  test::StudyBuilder().with_clean_pairs().write_to(folder.path());
  return folder.path() / "vmtax.sqlite";
}

}  // namespace

TEST_CASE("a directory without a store says so") {
  const test::TemporaryDirectory folder;
  CHECK_THROWS_WITH(Store::open(folder.path()), Catch::Contains("no vmtax store here"));
  CHECK_THROWS_WITH(Store::open_read_only(folder.path() / "absent"),
                    Catch::Contains("no vmtax store here"));
}

TEST_CASE("garbage is no store") {
  const test::TemporaryDirectory folder;
  std::ofstream(folder.path() / "vmtax.sqlite") << std::string(8192, 'x');
  CHECK_THROWS_WITH(Store::open_read_only(folder.path()), Catch::Contains("no vmtax store"));
  CHECK_THROWS_AS(Store::open(folder.path()), EnvironmentError);
}

TEST_CASE("an empty file is no store") {
  const test::TemporaryDirectory folder;
  std::ofstream(folder.path() / "vmtax.sqlite");
  CHECK_THROWS_WITH(Store::open_read_only(folder.path()), Catch::Contains("no vmtax store"));
}

TEST_CASE("a torn store is damaged, wherever it is torn") {
  const test::TemporaryDirectory folder;
  const auto file = written_store(folder);
  const auto size = fs::file_size(file);
  const auto kept = GENERATE(0.2, 0.5, 0.9);
  fs::resize_file(file,
                  static_cast<std::uintmax_t>(static_cast<double>(size) * kept) / 4096 * 4096);
  CHECK_THROWS_AS(read_all(folder.path()), EnvironmentError);
}

TEST_CASE("bytes changed in the middle are damage, or change nothing that is read") {
  const test::TemporaryDirectory folder;
  const auto file = written_store(folder);
  std::string bytes = read_text(file);
  for (std::size_t at = 4096; at < bytes.size(); at += 997) bytes[at] = '\x7f';
  std::ofstream(file, std::ios::binary) << bytes;
  CHECK_THROWS_AS(read_all(folder.path()), EnvironmentError);
}

TEST_CASE("a store of a newer version names the version") {
  const test::TemporaryDirectory folder;
  const auto file = written_store(folder);
  // user_version is the big-endian number at offset 60 of SQLite's header.
  std::string bytes = read_text(file);
  bytes[63] = 9;
  std::ofstream(file, std::ios::binary) << bytes;
  CHECK_THROWS_WITH(Store::open_read_only(folder.path()),
                    Catch::Contains("schema version 9") && Catch::Contains("newer vmtax"));
}

TEST_CASE("another program's database is not taken for a store") {
  const test::TemporaryDirectory folder;
  const auto file = written_store(folder);
  std::string bytes = read_text(file);
  bytes[68] = bytes[69] = bytes[70] = bytes[71] = 0;
  std::ofstream(file, std::ios::binary) << bytes;
  CHECK_THROWS_WITH(Store::open(folder.path()), Catch::Contains("another program's database"));
}
