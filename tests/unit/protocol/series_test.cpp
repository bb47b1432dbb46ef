#include "protocol/series.hpp"

#include "support/catch.hpp"

using namespace vmtax::protocol;

TEST_CASE("windows of a tenth of a second") {
  Series series;
  series.at(0).add(4096, 10);
  series.at(99'999'999).add(4096, 30);
  series.at(100'000'000).add(4096, 5);
  series.at(350'000'000).add(4096, 7);
  CHECK(series.window_ns() == 100'000'000);
  CHECK(series.windows() ==
        std::vector<Series::Window>{{2, 8192, 40, 30}, {1, 4096, 5, 5}, {}, {1, 4096, 7, 7}});
}

TEST_CASE("a long job has longer windows, never more of them, and loses nothing") {
  Series series;
  const auto* memory = series.windows().data();
  std::uint64_t ios = 0;
  for (std::uint64_t at = 0; at < 3'600'000'000'000ULL; at += 33'000'000, ++ios)
    series.at(at).add(512, at);
  CHECK(series.window_ns() == 3'200'000'000);  // an hour in at most 2048 windows
  CHECK(series.windows().size() == 1125);
  CHECK(series.windows().data() == memory);
  std::uint64_t found = 0;
  for (const auto& window : series.windows()) found += window.ios;
  CHECK(found == ios);
  CHECK(series.windows().back().lat_max_ns == (ios - 1) * 33'000'000);
}

TEST_CASE("series of jobs of one time add up, whatever their windows") {
  Series one, other;
  one.at(50'000'000).add(4096, 10);
  one.at(150'000'000).add(4096, 20);
  other.at(150'000'000).add(4096, 30);
  other.at(300'000'000'000).add(4096, 40);
  auto both = one;
  both.merge(other);
  CHECK(both.window_ns() == 200'000'000);
  CHECK(both.windows()[0] == Series::Window{3, 3 * 4096, 60, 30});
  CHECK(both.windows().size() == 1501);
  other.merge(one);
  CHECK(other.windows() == both.windows());
}
