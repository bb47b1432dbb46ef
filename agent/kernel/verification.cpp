#include "kernel/verification.hpp"

#include <algorithm>
#include <optional>
#include <string>

#include "kernel/block_header.hpp"
#include "kernel/buffers.hpp"
#include "kernel/failures.hpp"
#include "kernel/loop_failures.hpp"
#include "kernel/psync_engine.hpp"
#include "kernel/worker.hpp"

namespace vmtax::kernel {
namespace {

constexpr std::uint64_t named_blocks = 5;

struct BadBlocks {
  std::uint64_t checked = 0, bad = 0;
  std::optional<Bytes> first;
  std::string names;

  void add(std::uint64_t offset, const std::string& why) {
    if (bad++ == 0) first = Bytes{offset};
    if (bad > named_blocks) return;
    names += (bad == 1 ? "" : "; ") + std::string{"offset "} + std::to_string(offset) + ": " + why;
  }
};

void read_block(PsyncEngine& engine, std::uint64_t offset, std::byte* buffer, std::uint64_t size,
                LoopControl& control) {
  engine.queue(0, {Action::read, offset, buffer});
  do {
    const int order = control.order.load();
    if (order != LoopControl::go_on) throw_as_told(order, 1);
  } while (engine.wait() != 0);
  engine.reap([&](std::uint32_t, std::int64_t moved) {
    if (moved != static_cast<std::int64_t>(size)) throw_io_failure(offset, moved, size);
  });
}

}  // namespace

void verify_blocks(const protocol::IoJob& job, const OpenTarget& target, std::uint64_t touched,
                   LoopControl& control) {
  BufferPlan plan;
  plan.block_size = job.block_size;
  plan.reads = true;
  const Buffers buffers{plan};
  EngineSetup setup;
  setup.fd = target.fd.get();
  setup.block_size = job.block_size.value;
  PsyncEngine engine{setup};
  std::byte* const buffer = buffers.to_read(0);
  const std::uint64_t slice = target.span.value / job.block_size.value / job.jobs;
  BadBlocks found;
  for (std::uint32_t index = 0; index < job.jobs; ++index) {
    // The order of the job itself, for as many as one pass has: what was written twice is the same.
    Offsets offsets = offsets_of(job, target, index);
    const std::uint64_t blocks = job.jobs == 1 ? std::min(touched, slice) : slice;
    for (std::uint64_t i = 0; i < blocks; ++i, ++found.checked) {
      const std::uint64_t offset = offsets.next();
      read_block(engine, offset, buffer, job.block_size.value, control);
      control.progress(0).ios.fetch_add(1);
      if (const auto why =
              why_bad({buffer, job.block_size.value}, {offset, job.verify.generation, job.seed}))
        found.add(offset, *why);
    }
  }
  if (found.bad != 0)
    throw Broken{"verification: " + std::to_string(found.bad) + " of " +
                     std::to_string(found.checked) + " blocks are bad: " + found.names,
                 EILSEQ, found.first};
}

}  // namespace vmtax::kernel
