// Reading a store that must not be written: finished, under way, left behind by a killed process.
#include <csignal>
#include <map>

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/errors.hpp"
#include "base/files.hpp"
#include "store/store.hpp"
#include "support/catch.hpp"
#include "support/study_builder.hpp"
#include "support/temporary_directory.hpp"

using namespace vmtax;
using store::Store;
namespace fs = std::filesystem;

namespace {

std::map<std::string, std::string> contents(const fs::path& directory) {
  std::map<std::string, std::string> files;
  for (const auto& entry : fs::directory_iterator(directory))
    files[entry.path().filename()] = read_text(entry.path());
  return files;
}

/// A child that writes samples without end; killed once it has said that `count` are committed.
void write_and_be_killed(const fs::path& directory, int count) {
  int told[2];
  REQUIRE(::pipe(told) == 0);
  const pid_t child = ::fork();
  if (child == 0) {
    test::StudyBuilder builder;
    auto& sample = builder.add_guest("pass", 0, {.iops = 200});
    auto store = Store::create(directory, builder.run);
    const auto attempt = store.begin_block({0, "nvme", "", 0});
    for (;;) {
      store.add(attempt, sample);
      if (::write(told[1], ".", 1) != 1) ::_exit(1);
    }
  }
  ::close(told[1]);
  char dot = 0;
  for (int i = 0; i < count; ++i) REQUIRE(::read(told[0], &dot, 1) == 1);
  ::kill(child, SIGKILL);
  int more = 0;
  while (::read(told[0], &dot, 1) == 1) ++more;
  ::close(told[0]);
  int status = 0;
  REQUIRE(::waitpid(child, &status, 0) == child);
  REQUIRE(WIFSIGNALED(status));
}

/// Runs `body` without root's power to write anywhere; false when it failed.
template <typename Body>
bool as_nobody(Body body) {
  const pid_t child = ::fork();
  if (child == 0) {
    if (::setgid(65534) != 0 || ::setuid(65534) != 0) ::_exit(2);
    try {
      ::_exit(body() ? 0 : 3);
    } catch (...) {
      ::_exit(4);
    }
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

}  // namespace

TEST_CASE("reading a closed store changes no file and needs no right to write") {
  const test::TemporaryDirectory folder;
  test::StudyBuilder().with_clean_pairs().write_to(folder.path());
  const auto before = contents(folder.path());
  CHECK(Store::open_read_only(folder.path()).samples().size() == 6);
  CHECK(contents(folder.path()) == before);
  if (::geteuid() != 0) VMTAX_SKIP("needs root to become another user");
  fs::permissions(folder.path(), fs::perms{0555});
  CHECK(as_nobody([&] { return Store::open_read_only(folder.path()).samples().size() == 6; }));
  CHECK(contents(folder.path()) == before);
}

TEST_CASE("a run under way is read beside its writer") {
  const test::TemporaryDirectory folder;
  test::StudyBuilder builder;
  auto& sample = builder.add_guest("pass", 0, {.iops = 200});
  auto writer = Store::create(folder.path(), builder.run);
  const auto attempt = writer.begin_block({0, "nvme", "", 0});
  writer.add(attempt, sample);
  const auto reader = Store::open_read_only(folder.path());
  CHECK(reader.samples().size() == 1);
  writer.add(attempt, sample);
  CHECK(reader.samples().size() == 2);
}

TEST_CASE("a writer killed in the middle of writing loses no committed sample") {
  const test::TemporaryDirectory folder;
  const auto directory = folder.path() / "run";
  write_and_be_killed(directory, 25);
  REQUIRE(fs::file_size(directory / "vmtax.sqlite-wal") > 0);

  SECTION("for a reader, which leaves WAL and all as they are") {
    fs::remove(directory / "vmtax.sqlite-shm");
    const auto before = contents(directory);
    const auto samples = Store::open_read_only(directory).samples();
    CHECK(samples.size() >= 25);
    CHECK_FALSE(samples.front().block_finished);
    CHECK(contents(directory) == before);
  }
  SECTION("for a reader without the right to write") {
    if (::geteuid() != 0) VMTAX_SKIP("needs root to become another user");
    fs::permissions(directory, fs::perms{0555});
    fs::permissions(folder.path(), fs::perms{0755});
    CHECK(as_nobody([&] { return Store::open_read_only(directory).samples().size() >= 25; }));
  }
  SECTION("for the run that goes on") {
    auto store = Store::open(directory);
    CHECK(store.samples().size() >= 25);
    CHECK(store.finished_blocks().empty());
    const auto attempt = store.begin_block({0, "nvme", "", 0});
    store.finish_block(attempt);
    CHECK(store.samples().empty());
  }
}

TEST_CASE("a reader keeps a writer out while it reads what a dead one left") {
  const test::TemporaryDirectory folder;
  test::StudyBuilder().with_clean_pairs().write_to(folder.path());
  {
    const auto reader = Store::open_read_only(folder.path());
    CHECK_THROWS_AS(Store::open(folder.path()), EnvironmentError);
  }
  CHECK_NOTHROW(Store::open(folder.path()));
}
