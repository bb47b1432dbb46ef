#include "guest/embed_root.hpp"

#include <cstdlib>
#include <fstream>

#include "base/errors.hpp"
#include "base/files.hpp"
#include "support/catch.hpp"
#include "support/temporary_directory.hpp"

using namespace vmtax;
using namespace vmtax::guest;
namespace fs = std::filesystem;

TEST_CASE("the last lines of a text") {
  CHECK(last_lines("a\nb\nc\n", 2) == "b\nc");
  CHECK(last_lines("a\nb\nc", 1) == "c");
  CHECK(last_lines("a\nb", 5) == "a\nb");
  CHECK(last_lines("", 3).empty());
  CHECK(last_lines("\n\nx\n", 2) == "\nx");
}

TEST_CASE("QEMU's own words are told from the rest of libvirt's log") {
  const test::TemporaryDirectory root;
  make_directories(root.path() / "log/qemu");
  std::ofstream{root.path() / "log/qemu/g.log"}
      << "2026-11-30 17:15:36.097+0000: starting up libvirt version: 9.0.0\n"
         "LC_ALL=C \\\n/usr/bin/qemu-system-x86_64 \\\n-name guest=g \\\n-msg timestamp=on\n"
         "2026-11-30T17:15:36.200000Z qemu-system-x86_64: -device x: Block size too big\n"
         "2026-11-30 17:15:36.300+0000: shutting down, reason=failed\n";
  CHECK(qemu_words(root.path(), "g") == "qemu-system-x86_64: -device x: Block size too big");
  CHECK(qemu_words(root.path(), "absent").empty());
}

TEST_CASE("a root is removed when it is ours, and only then") {
  const test::TemporaryDirectory folder;
  const auto root = folder.path() / "r";
  SECTION("never made") {
    CHECK_NOTHROW(remove_embed_root(root));
  }
  SECTION("half made") {
    make_directories(root / "etc");
    remove_embed_root(root);
    CHECK_FALSE(fs::exists(root));
  }
  SECTION("somebody else's") {
    make_directories(root / "etc");
    std::ofstream{root / "etc/qemu.conf"} << "user = \"root\"\n";
    std::ofstream{root / "precious"} << "x";
    CHECK_THROWS_AS(remove_embed_root(root), EnvironmentError);
    CHECK(fs::exists(root / "precious"));
  }
}

TEST_CASE("a root whose sockets would have too long paths is refused with the fix") {
  const test::TemporaryDirectory folder;
  const auto root = folder.path() / std::string(40, 'x');
  CHECK_THROWS_WITH(make_embed_root(root), Catch::Contains("VMTAX_RUNTIME"));
  CHECK_FALSE(fs::exists(root));
}
