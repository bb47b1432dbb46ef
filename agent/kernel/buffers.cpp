#include "kernel/buffers.hpp"

#include <algorithm>
#include <new>

#include <sys/mman.h>

namespace vmtax::kernel {
namespace {

constexpr std::size_t random_pool = std::size_t{1} << 20;

}  // namespace

Buffers::Buffers(Bytes block_size, std::uint32_t slots, bool for_writing, std::uint64_t seed)
    : stamps_(seed ^ 0x5DEECE66DU),
      block_size_(block_size.value),
      stride_((block_size.value + sector - 1) / sector * sector),
      turns_(slots),
      variants_(1),
      for_writing_(for_writing) {
  const std::size_t one_each = stride_ * slots;
  if (for_writing)
    variants_ = static_cast<std::uint32_t>(std::max<std::size_t>(1, random_pool / one_each));
  size_ = one_each * variants_;
  void* memory = ::mmap(nullptr, size_, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
  if (memory == MAP_FAILED) throw std::bad_alloc{};
  base_ = static_cast<std::byte*>(memory);
  if (!for_writing) return;
  SplitMix64 generator{seed};
  for (std::size_t at = 0; at < size_; at += sizeof(std::uint64_t)) {
    const std::uint64_t word = generator.next();
    std::memcpy(base_ + at, &word, sizeof word);
  }
}

Buffers::~Buffers() {
  ::munmap(base_, size_);
}

}  // namespace vmtax::kernel
