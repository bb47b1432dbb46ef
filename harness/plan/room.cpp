#include "plan/room.hpp"

#include <algorithm>
#include <array>

namespace vmtax::plan {
namespace {

using scenario::Backing;
using scenario::Filesystem;

// e2fsprogs 1.47, mkfs.ext4 -m 0: one 256-byte inode for each 16 KiB and a journal by size; small
// file systems have an inode for each 4 KiB and may have 1 KiB blocks. Seen against mkfs from 16
// MiB to 4 TiB: never less is left than this says. The kernel holds up to 4096 blocks back.
struct Ext4Step {
  Bytes from;               ///< regions of this size and more
  std::uint64_t per_inode;  ///< a region divided by it is taken by inodes
  Bytes fixed;              ///< journal, group descriptors, what is held back
};

constexpr std::array<Ext4Step, 9> ext4_steps{{{Bytes{0}, 12, mib(10)},
                                              {mib(128), 12, mib(20)},
                                              {mib(512), 60, mib(48 + 16)},
                                              {gib(1), 60, mib(48 + 32)},
                                              {gib(2), 60, mib(48 + 64)},
                                              {gib(16), 60, mib(48 + 128)},
                                              {gib(32), 60, mib(48 + 256)},
                                              {gib(64), 60, mib(48 + 512)},
                                              {gib(128), 60, mib(48 + 1024)}}};

constexpr Bytes left(Bytes region, Bytes taken) {
  return taken < region ? region - taken : Bytes{};
}

// At each step the journal doubles, and a slightly larger region offers less: there the smaller
// figure holds for both sides, so that a larger region never has less room.
Bytes left_by_ext4(Bytes region) {
  Bytes room{~std::uint64_t{0}};
  for (std::size_t i = 0; i < ext4_steps.size(); ++i) {
    if (i + 1 < ext4_steps.size() && region >= ext4_steps[i + 1].from) continue;
    const Bytes at = std::max(region, ext4_steps[i].from);
    room = std::min(room, left(at, at / ext4_steps[i].per_inode + ext4_steps[i].fixed));
  }
  return room;
}

// xfsprogs 6.1: a log of at least 64 MiB, and what the kernel reserves in each allocation group.
// Seen from 320 MiB (82 MiB) to 4 TiB (0.75 %).
Bytes left_by_xfs(Bytes region) {
  return left(region, region / 100 + mib(112));
}

constexpr std::uint64_t default_cluster = 64 << 10;

struct Qcow2 {
  std::uint64_t cluster;
  std::uint64_t entry;  // of an L2 table
};

Qcow2 layout_of(const scenario::ImageOptions& image) {
  return {image.cluster_size.value_or(Bytes{default_cluster}).value,
          image.extended_l2.value_or(false) ? std::uint64_t{16} : std::uint64_t{8}};
}

constexpr std::uint64_t divided_up(std::uint64_t a, std::uint64_t b) {
  return (a + b - 1) / b;
}

}  // namespace

Bytes smallest_region(Filesystem filesystem) {
  // mkfs.xfs 6.1 refuses below 300 MB.
  return filesystem == Filesystem::xfs ? mib(320) : mib(16);
}

Bytes room_in(Filesystem filesystem, Bytes region) {
  if (region < smallest_region(filesystem)) return {};
  return filesystem == Filesystem::xfs ? left_by_xfs(region) : left_by_ext4(region);
}

// QEMU's docs/interop/qcow2.txt: header, refcount table and its blocks (2 bytes a cluster), L1
// table, L2 tables, each in whole clusters; and a megabyte for growth steps.
Bytes image_size(Backing backing, const scenario::ImageOptions& image, Bytes span) {
  if (backing == Backing::passthrough) return {};
  if (backing == Backing::raw) return span + mib(1);
  const auto [cluster, entry] = layout_of(image);
  const std::uint64_t data = divided_up(span.value, cluster);
  const std::uint64_t l2_tables = divided_up(data * entry, cluster);
  const std::uint64_t l1 = divided_up(l2_tables * 8, cluster);
  const std::uint64_t refcount_blocks = divided_up((data + l2_tables + l1) * 2, cluster) + 1;
  const std::uint64_t refcount_table = divided_up(refcount_blocks * 8, cluster);
  const std::uint64_t clusters = 1 + data + l2_tables + l1 + refcount_blocks + 2 * refcount_table;
  return Bytes{clusters * cluster} + mib(1);
}

Bytes largest_disk(Backing backing, const scenario::ImageOptions& image) {
  if (backing != Backing::qcow2) return Bytes{std::uint64_t{1} << 62};
  // QEMU keeps the L1 table below 32 MiB: 4 Mi L2 tables of one cluster each.
  const auto [cluster, entry] = layout_of(image);
  return Bytes{
      std::min((std::uint64_t{4} << 20) * (cluster / entry), (std::uint64_t{1} << 62) / cluster) *
      cluster};
}

}  // namespace vmtax::plan
