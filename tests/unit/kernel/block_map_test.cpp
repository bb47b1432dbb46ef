#include "kernel/block_map.hpp"

#include "support/catch.hpp"

using namespace vmtax;
using namespace vmtax::kernel;

TEST_CASE("extents are one linear space of their whole blocks") {
  const std::vector<protocol::Extent> extents{
      {mib(1), kib(8)}, {kib(64), kib(6)}, {mib(9), kib(2)}, {mib(5), kib(12)}};
  const BlockMap map{extents, kib(4)};
  CHECK(map.count() == 2 + 1 + 0 + 3);
  std::vector<std::uint64_t> offsets;
  for (std::uint64_t block = 0; block < map.count(); ++block)
    offsets.push_back(map.offset_of(block));
  CHECK(offsets == std::vector<std::uint64_t>{1048576, 1052672, 65536, 5242880, 5246976, 5251072});
}

TEST_CASE("one span begins at its start") {
  const BlockMap map{mib(1), kib(10), kib(4)};
  CHECK(map.count() == 2);
  CHECK(map.offset_of(1) == 1048576 + 4096);
}
