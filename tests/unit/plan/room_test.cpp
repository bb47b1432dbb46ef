#include "plan/room.hpp"

#include "support/catch.hpp"

namespace vmtax::plan {
namespace {

using scenario::Backing;
using scenario::Filesystem;
using scenario::ImageOptions;

struct Seen {
  std::uint64_t region_mib;
  double available_mib;  // by statfs after mkfs and mount
};

TEST_CASE("no file system offers less than is planned for") {
  // mkfs.ext4 -m 0 of e2fsprogs 1.47 (free blocks less the 4096 that the kernel holds back).
  for (const auto [region, available] : std::vector<Seen>{{16, 11.7},
                                                          {32, 23.2},
                                                          {64, 53.4},
                                                          {128, 110},
                                                          {256, 225.9},
                                                          {511, 464},
                                                          {512, 471},
                                                          {1024, 957},
                                                          {2048, 1929},
                                                          {4096, 3935},
                                                          {16384, 15938},
                                                          {65536, 63927},
                                                          {131072, 127914},
                                                          {4000000, 3936085}}) {
    CAPTURE(region);
    const Bytes room = room_in(Filesystem::ext4, mib(region));
    CHECK(static_cast<double>(room.value) <= available * 1048576);
    CHECK(room.value > mib(region).value / 5);
  }
  // mkfs.xfs of xfsprogs 6.1.
  for (const auto [region, available] : std::vector<Seen>{{320, 237.9},
                                                          {400, 313.3},
                                                          {512, 419},
                                                          {1024, 921},
                                                          {4096, 3971},
                                                          {65536, 64983},
                                                          {1000000, 992510}}) {
    CAPTURE(region);
    const Bytes room = room_in(Filesystem::xfs, mib(region));
    CHECK(static_cast<double>(room.value) <= available * 1048576);
    CHECK(room.value > mib(region).value / 2);
  }
  CHECK(room_in(Filesystem::xfs, mib(319)) == Bytes{0});
}

TEST_CASE("a larger region never has less room") {
  for (const auto filesystem : {Filesystem::ext4, Filesystem::xfs}) {
    Bytes before;
    for (std::uint64_t size = 16; size < 140'000; size += size < 3000 ? 1 : 100) {
      const Bytes room = room_in(filesystem, mib(size));
      if (room < before) FAIL("less room at " << size << " MiB");
      before = room;
    }
    CHECK(before > gib(130));
  }
}

// "fully allocated size" of qemu-img 7.2 measure -O qcow2.
TEST_CASE("a qcow2 image is never planned smaller than QEMU measures it") {
  struct Measured {
    Bytes span;
    std::uint64_t cluster;
    bool extended;
    std::uint64_t fully_allocated;
  };
  for (const auto& [span, cluster, extended, fully_allocated] :
       std::vector<Measured>{{mib(64), 512, false, 68446720},
                             {mib(64), 65536, false, 67436544},
                             {mib(64), 2097152, false, 77594624},
                             {gib(1), 512, false, 1095127040},
                             {gib(1), 4096, false, 1076379648},
                             {gib(1), 16384, true, 1074987008},
                             {gib(100), 512, false, 109512586752},
                             {gib(100), 65536, false, 107390828544},
                             {gib(100), 65536, true, 107403935744},
                             {gib(100), 2097152, false, 107384668160}}) {
    ImageOptions image;
    image.cluster_size = Bytes{cluster};
    image.extended_l2 = extended;
    CAPTURE(span.value, cluster);
    const auto planned = image_size(Backing::qcow2, image, span).value;
    CHECK(planned >= fully_allocated);
    CHECK(planned <= fully_allocated + fully_allocated / 100 + mib(16).value);
  }
  CHECK(image_size(Backing::raw, {}, gib(1)) >= gib(1));
  CHECK(image_size(Backing::passthrough, {}, gib(1)) == Bytes{0});
}

// qemu-img 7.2 makes a disk of 128 GiB with clusters of 512 bytes, and refuses 129.
TEST_CASE("a format's largest disk is QEMU's") {
  ImageOptions image;
  image.cluster_size = Bytes{512};
  CHECK(largest_disk(Backing::qcow2, image) == gib(128));
  CHECK(largest_disk(Backing::qcow2, {}) > gib(1 << 20));
  CHECK(largest_disk(Backing::raw, {}) > gib(1 << 20));
}

}  // namespace
}  // namespace vmtax::plan
