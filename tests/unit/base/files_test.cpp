#include "base/files.hpp"

#include <fstream>

#include "base/errors.hpp"
#include "support/catch.hpp"
#include "support/temporary_directory.hpp"

using namespace vmtax;
using Catch::Matchers::Contains;

TEST_CASE("a file is written whole or not at all") {
  const test::TemporaryDirectory folder;
  const auto path = folder.path() / "report.json";
  write_atomically(path, "first");
  write_atomically(path, "second");
  CHECK(read_text(path) == "second");
  CHECK_THROWS_WITH(write_atomically(folder.path() / "absent" / "x", "text"),
                    Contains("can't be written: No such file or directory"));
  CHECK(std::distance(std::filesystem::directory_iterator(folder.path()), {}) == 1);
}

TEST_CASE("what can't be read is named with its reason") {
  const test::TemporaryDirectory folder;
  CHECK_THROWS_WITH(read_text(folder.path() / "absent"), Contains("No such file or directory"));
  CHECK_THROWS_WITH(read_text(folder.path()), Contains("Is a directory"));
}

TEST_CASE("an attribute loses its newline, and is nothing where it is absent") {
  const test::TemporaryDirectory folder;
  std::ofstream(folder.path() / "size") << "4096\n";
  CHECK(read_attribute(folder.path() / "size") == "4096");
  CHECK_FALSE(read_attribute(folder.path() / "absent"));
}

TEST_CASE("a directory that can't be made names what is in the way") {
  const test::TemporaryDirectory folder;
  std::ofstream(folder.path() / "file") << "x";
  make_directories(folder.path() / "a" / "b");
  CHECK(std::filesystem::is_directory(folder.path() / "a" / "b"));
  CHECK_THROWS_AS(make_directories(folder.path() / "file" / "c"), EnvironmentError);
}
