// The memory that I/Os read into or write from: one page-aligned region, so that an engine can
// register it once.
//
// By default writes must neither compress nor deduplicate. The region is filled with random bytes,
// and every write gets a fresh 8-byte stamp in each 512 bytes, which costs 1/64 of rewriting it. A
// slot takes its blocks in turn from at least 1 MiB of random bytes: with one buffer per slot,
// neighbours on the drive would be equal but for their stamps, and a compressing store would fold
// them. Reads go elsewhere: data of the drive never comes back as data to be written.
//
// On request a part of each 4 KiB is zeros, or a part of the writes is one and the same block.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#include "kernel/block_header.hpp"
#include "kernel/random.hpp"
#include "protocol/io_job.hpp"

namespace vmtax::kernel {

struct BufferPlan {
  Bytes block_size;
  std::uint32_t slots = 1;
  bool reads = false;
  bool writes = false;
  std::uint64_t seed = 1;
  protocol::Content content;
  protocol::Verify verify;          ///< when on, every written block gets a header
  std::uint64_t identity_seed = 1;  ///< in that header: the whole job's, seed is the thread's
};

class Buffers {
 public:
  /// Throws std::bad_alloc when the memory can't be had.
  explicit Buffers(const BufferPlan& plan);
  ~Buffers();
  Buffers(const Buffers&) = delete;
  Buffers& operator=(const Buffers&) = delete;

  /// Where the slot's next read goes to.
  std::byte* to_read(std::uint32_t slot) const { return read_base_ + slot * stride_; }

  /// What the slot's next write takes to `offset`.
  std::byte* to_write(std::uint32_t slot, std::uint64_t offset) {
    if (dedupe_percent_ != 0 && below(choices_.next(), 100) < dedupe_percent_) return common_;
    std::uint32_t& turn = turns_[slot];
    std::byte* buffer = base_ + (std::size_t{turn} * turns_.size() + slot) * stride_;
    turn = turn + 1 == variants_ ? 0 : turn + 1;
    stamp(buffer);
    if (headers_) seal_block({buffer, block_size_}, {offset, generation_, identity_seed_});
    return buffer;
  }

  std::span<std::byte> region() const { return {base_, size_}; }

 private:
  static constexpr std::size_t sector = 512;
  static constexpr std::size_t chunk = 4096;  // its end is zeros when compression is asked

  void fill(std::byte* from, std::byte* to, std::uint64_t seed) const;

  void stamp(std::byte* buffer) {
    std::uint64_t value = stamps_.next();
    for (std::size_t at = 0; at + sizeof value <= block_size_; at += sector) {
      if (at % chunk >= random_part_ && at != 0) continue;
      std::memcpy(buffer + at, &value, sizeof value);
      value += 0x9E3779B97F4A7C15U;
    }
  }

  SplitMix64 stamps_;
  SplitMix64 choices_;
  std::size_t block_size_;
  std::size_t stride_;
  std::size_t random_part_;  // of each chunk
  std::uint32_t dedupe_percent_;
  bool headers_;
  std::uint64_t generation_;
  std::uint64_t identity_seed_;
  std::vector<std::uint32_t> turns_;
  std::uint32_t variants_ = 0;
  std::size_t size_ = 0;
  std::byte* base_ = nullptr;
  std::byte* read_base_ = nullptr;
  std::byte* common_ = nullptr;
};

}  // namespace vmtax::kernel
