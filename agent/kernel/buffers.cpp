#include "kernel/buffers.hpp"

#include <algorithm>
#include <new>

#include <sys/mman.h>

namespace vmtax::kernel {
namespace {

constexpr std::size_t random_pool = std::size_t{1} << 20;

}  // namespace

Buffers::Buffers(const BufferPlan& plan)
    : stamps_(plan.seed ^ 0x5DEECE66DU),
      choices_(plan.seed ^ 0xDEDU),
      block_size_(plan.block_size.value),
      stride_((plan.block_size.value + sector - 1) / sector * sector),
      random_part_((chunk * (100 - plan.content.compress_percent) / 100 + 7) / 8 * 8),
      dedupe_percent_(plan.content.dedupe_percent),
      headers_(plan.verify.on),
      generation_(plan.verify.generation),
      identity_seed_(plan.identity_seed),
      turns_(plan.slots) {
  const std::size_t one_each = stride_ * plan.slots;
  if (plan.writes)
    variants_ = static_cast<std::uint32_t>(std::max<std::size_t>(1, random_pool / one_each));
  const std::size_t written = one_each * variants_ + (dedupe_percent_ ? stride_ : 0);
  size_ = written + (plan.reads ? one_each : 0);
  if (size_ == 0) size_ = stride_;
  void* memory = ::mmap(nullptr, size_, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
  if (memory == MAP_FAILED) throw std::bad_alloc{};
  base_ = static_cast<std::byte*>(memory);
  read_base_ = base_ + written;
  common_ = base_ + one_each * variants_;
  fill(base_, base_ + written, plan.seed);
}

// In chunks from the beginning of each block, so that every block has its part of zeros.
void Buffers::fill(std::byte* from, std::byte* to, std::uint64_t seed) const {
  SplitMix64 generator{seed};
  for (std::byte* block = from; block < to; block += stride_)
    for (std::size_t at = 0; at < stride_; at += sizeof(std::uint64_t)) {
      if (at % chunk >= random_part_) continue;
      const std::uint64_t word = generator.next();
      std::memcpy(block + at, &word, sizeof word);
    }
}

Buffers::~Buffers() {
  ::munmap(base_, size_);
}

}  // namespace vmtax::kernel
