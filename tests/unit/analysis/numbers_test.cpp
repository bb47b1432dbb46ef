#include "analysis/numbers.hpp"

#include "support/catch.hpp"

using namespace vmtax;
using namespace vmtax::analysis;

TEST_CASE("a loss has one digit, its sign, and no minus before zero") {
  CHECK(percent(0.6184) == "61.8 %");
  CHECK(percent(-0.0325) == "-3.3 %");
  CHECK(percent(-0.0004) == "0.0 %");
  CHECK(percent(-2.5) == "-250.0 %");
  CHECK(percent(Estimate{0.6, Interval{0.555, 0.65}, 3}) == "60.0 % [55.5, 65.0]");
  CHECK(percent(Estimate{0.6, std::nullopt, 1}) == "60.0 %");
}

TEST_CASE("factors, rates and times are for reading") {
  CHECK(factor(2.514) == "2.51x");
  CHECK(factor(Estimate{2.5, Interval{2.4, 2.6}, 3}) == "2.50x [2.40, 2.60]");
  CHECK(io_rate(12345.6) == "12,346 IOPS");
  CHECK(io_rate(1234567) == "1,234,567 IOPS");
  CHECK(io_rate(999) == "999 IOPS");
  CHECK(io_rate(83.21) == "83.2 IOPS");
  CHECK(byte_rate(184.34e6) == "184.3 MB/s");
  CHECK(byte_rate(999.94e6) == "999.9 MB/s");
  CHECK(byte_rate(1397.2e6) == "1,397 MB/s");
  CHECK(byte_rate(12e9) == "12,000 MB/s");
  CHECK(latency(85'300) == "85.3 µs");
  CHECK(latency(999) == "999 ns");
  CHECK(latency(1'234'000) == "1.23 ms");
  CHECK(latency(2.5e9) == "2.50 s");
  CHECK(wall_time(std::chrono::milliseconds{4200}) == "4.2 s");
  CHECK(wall_time(std::chrono::seconds{432}) == "7 min 12 s");
  CHECK(wall_time(std::chrono::seconds{7500}) == "2 h 5 min");
  CHECK(size(gib(1)) == "1.00 GiB");
  CHECK(size(kib(64)) == "64.0 KiB");
  CHECK(size(Bytes{512}) == "512 B");
}
