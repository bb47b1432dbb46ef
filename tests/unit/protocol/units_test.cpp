#include "protocol/units.hpp"

#include "support/catch.hpp"

using namespace vmtax;
using namespace std::chrono_literals;

TEST_CASE("sizes need a unit and are whole numbers of bytes") {
  CHECK(parse_bytes("4KiB") == Bytes{4096});
  CHECK(parse_bytes("1.5GiB") == Bytes{1610612736});
  CHECK(parse_bytes("300MB") == Bytes{300000000});
  CHECK(parse_bytes("0B") == Bytes{0});
  CHECK(parse_bytes("4TiB") == Bytes{4398046511104});
  for (const char* wrong : {"", "4", "KiB", "4kib", "4 KiB", "-4KiB", "0.3B", "1e3B", "4KiBs",
                            "0x4B", "1.2.3KiB", ".", "99999999999TiB", "nanB", "infB", "4K"})
    CHECK_FALSE(parse_bytes(wrong));
}

TEST_CASE("durations need a unit") {
  CHECK(parse_duration("30s") == 30s);
  CHECK(parse_duration("500ms") == 500ms);
  CHECK(parse_duration("0.5ms") == 500us);
  CHECK(parse_duration("8h") == 8h);
  for (const char* wrong : {"", "30", "s", "30 s", "-1s", "0.5ns", "1d", "1s2ms"})
    CHECK_FALSE(parse_duration(wrong));
}

TEST_CASE("what is formatted is read back") {
  CHECK(format_bytes(Bytes{4096}) == "4KiB");
  CHECK(format_bytes(mib(1536)) == "1536MiB");
  CHECK(format_bytes(Bytes{1000}) == "1kB");
  CHECK(format_bytes(Bytes{0}) == "0B");
  CHECK(format_duration(1500ms) == "1500ms");
  CHECK(format_duration(120s) == "2m");
  for (const std::uint64_t n : {1ULL, 511ULL, 4097ULL, 1000000ULL, 123456789ULL, 1ULL << 40}) {
    CHECK(parse_bytes(format_bytes(Bytes{n})) == Bytes{n});
    const Nanoseconds duration{static_cast<std::int64_t>(n)};
    CHECK(parse_duration(format_duration(duration)) == duration);
  }
}

TEST_CASE("rounding down") {
  CHECK(round_down(Bytes{4097}, kib(4)) == kib(4));
  CHECK(round_down(Bytes{4095}, kib(4)) == Bytes{0});
}
