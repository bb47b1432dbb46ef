#include "protocol/units.hpp"

#include "support/catch.hpp"

using namespace vmtax;
using namespace std::chrono_literals;

TEST_CASE("sizes carry their unit") {
  CHECK(parse_bytes("4KiB") == Bytes{4096});
  CHECK(parse_bytes("1.5GiB") == Bytes{1610612736});
  CHECK(parse_bytes("300MB") == Bytes{300'000'000});
  CHECK(parse_bytes("512B") == Bytes{512});
  for (const auto* bad : {"", "4", "4K", "KiB", "-4KiB", "4 KiB", "0.3B", "1e3B", "4KiBs",
                          "9999999TiB", "1.2.3KiB", "nanKiB", "+4KiB"})
    CHECK_FALSE(parse_bytes(bad));
}

TEST_CASE("durations carry their unit") {
  CHECK(parse_duration("30s") == 30s);
  CHECK(parse_duration("0.5s") == 500ms);
  CHECK(parse_duration("8h") == 8h);
  CHECK(parse_duration("10us") == 10us);
  for (const auto* bad : {"", "30", "s", "-1s", "30 s", "1d", "0.5ns", "999999999h"})
    CHECK_FALSE(parse_duration(bad));
}

TEST_CASE("what is formatted reads back as itself") {
  for (const std::uint64_t n : {1ULL, 512ULL, 4096ULL, 1'000'000ULL, 1ULL << 40, 4097ULL})
    CHECK(parse_bytes(format_bytes(Bytes{n})) == Bytes{n});
  for (const std::int64_t n : {1LL, 1'500'000'000LL, 3'600'000'000'000LL, 999LL})
    CHECK(parse_duration(format_duration(Nanoseconds{n})) == Nanoseconds{n});
  CHECK(format_bytes(kib(4)) == "4KiB");
  CHECK(format_bytes(Bytes{0}) == "0B");
  CHECK(format_duration(1500ms) == "1500ms");
  CHECK(round_down(Bytes{10'000}, kib(4)) == Bytes{8192});
}
