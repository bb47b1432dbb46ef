#include "kernel/worker.hpp"

#include <type_traits>

#include "kernel/failures.hpp"
#include "kernel/io_uring_engine.hpp"
#include "kernel/libaio_engine.hpp"
#include "kernel/measuring_loop.hpp"
#include "kernel/null_engine.hpp"
#include "kernel/psync_engine.hpp"

namespace vmtax::kernel {
namespace {

using protocol::Engine;
using protocol::IoJob;

// The first thread's is the job's own, so that a job of one thread is reproduced by its seed.
std::uint64_t seed_of(const IoJob& job, std::uint32_t index) {
  SplitMix64 spread{job.seed + index * 0xD1B54A32D192ED03U};
  return index == 0 ? job.seed : spread.next();
}

Choice choice_of(const IoJob& job) {
  using Kind = protocol::Distribution::Kind;
  if (!protocol::is_random(job.pattern)) return Choice::in_order;
  if (job.random_map) return Choice::each_once;
  if (job.distribution.kind == Kind::zipf) return Choice::zipf;
  return job.distribution.kind == Kind::hot ? Choice::hot : Choice::uniform;
}

// The whole job's blocks, of which each thread has an equal slice.
BlockMap map_of(const IoJob& job, const OpenTarget& target, Bytes block_size) {
  return job.extents.empty() ? BlockMap{job.offset, target.span, block_size}
                             : BlockMap{job.extents, block_size};
}

BlockRange slice_of(const IoJob& job, const OpenTarget& target, std::uint32_t index) {
  const std::uint64_t first = job.extents.empty() ? 0 : job.offset.value / job.block_size.value;
  const std::uint64_t each = target.span.value / job.block_size.value / job.jobs;
  return {first + each * index, each};
}

Actions actions_of(const IoJob& job, std::uint64_t seed) {
  if (protocol::mixes(job.pattern)) return Actions{job.read_percent, ~seed};
  if (protocol::trims(job.pattern)) return Actions{Action::trim};
  return Actions{protocol::writes(job.pattern) ? Action::write : Action::read};
}

Arrivals arrivals_of(const IoJob& job, std::uint64_t seed) {
  if (job.rate.iops == 0) return {};
  return {static_cast<double>(job.rate.iops) / job.jobs,
          job.rate.arrivals == protocol::Arrivals::poisson, seed ^ 0xA221A75U};
}

LoopPlan plan_of(const IoJob& job, std::uint32_t index) {
  LoopPlan plan;
  plan.depth = job.iodepth;
  plan.block_size = job.block_size.value;
  plan.ramp_ns = static_cast<std::uint64_t>(job.ramp.count());
  plan.runtime_ns = static_cast<std::uint64_t>(job.runtime.count());
  if (job.amount) plan.blocks = job.amount->value / job.block_size.value;
  plan.job = index;
  plan.flush_every = job.flushes.every;
  plan.submit_singly = job.submit_singly;
  return plan;
}

BufferPlan buffers_of(const IoJob& job, std::uint64_t seed) {
  BufferPlan plan;
  plan.block_size = job.block_size;
  plan.slots = job.iodepth;
  plan.reads = protocol::reads(job.pattern);
  plan.writes = protocol::writes(job.pattern) && !protocol::trims(job.pattern);
  plan.seed = seed;
  plan.content = job.content;
  plan.verify = job.verify;
  plan.identity_seed = job.seed;
  return plan;
}

EngineSetup setup_of(const IoJob& job, const OpenTarget& target, const Buffers& buffers) {
  EngineSetup setup;
  setup.fd = target.fd.get();
  setup.block_size = job.block_size.value;
  setup.slots = job.iodepth;
  setup.memory = buffers.region().data();
  setup.memory_size = buffers.region().size();
  setup.data_only = job.flushes.data_only;
  setup.sqpoll = job.sqpoll;
  setup.iopoll = job.iopoll;
  return setup;
}

template <class Engine>
void measure(const EngineSetup& setup, const LoopSource& source, const LoopPlan& plan,
             LoopControl& control, LoopRecord& record, const std::function<void()>& ready) {
  Engine engine{setup};
  ready();
  MeasuringLoop<Engine>{engine, source, plan, control, record}.run();
}

// What an amount leaves behind its last whole block: one shorter I/O, counted like the others.
void finish_amount(const IoJob& job, const EngineSetup& whole_blocks, Buffers& buffers,
                   Actions& actions, LoopRecord& record) {
  const Bytes done = round_down(*job.amount, job.block_size);
  const Bytes length = *job.amount - done;
  EngineSetup setup = whole_blocks;
  setup.block_size = length.value;
  PsyncEngine engine{setup};
  Offsets behind{false, job.offset + done, length, length, job.seed};
  LoopControl unwatched;
  LoopPlan plan;
  plan.block_size = length.value;
  plan.blocks = 1;
  LoopRecord tail;
  for (std::size_t i = 0; i < io_actions; ++i)
    if (record.by_action[i]) tail.expect(static_cast<Action>(i));
  Arrivals at_once;
  MeasuringLoop<PsyncEngine>{engine, {behind, actions, buffers, at_once}, plan, unwatched, tail}
      .run();
  if (record.phase_begin_ns == 0) {
    record = std::move(tail);
    return;
  }
  record.merge(std::move(tail));
}

}  // namespace

Offsets offsets_of(const IoJob& job, const OpenTarget& target, std::uint32_t index) {
  return {map_of(job, target, job.block_size), slice_of(job, target, index), choice_of(job),
          job.distribution, seed_of(job, index)};
}

LoopRecord run_worker(const IoJob& job, const OpenTarget& target, std::uint32_t index,
                      LoopControl& control, const std::function<void()>& ready) {
  const std::uint64_t seed = seed_of(job, index);
  const auto buffer_plan = buffers_of(job, seed);
  Buffers buffers{buffer_plan};
  Offsets offsets = offsets_of(job, target, index);
  Actions actions = actions_of(job, seed);
  Arrivals arrivals = arrivals_of(job, seed);
  LoopRecord record;
  if (buffer_plan.reads) record.expect(Action::read);
  if (buffer_plan.writes) record.expect(Action::write);
  if (protocol::trims(job.pattern)) record.expect(Action::trim);
  const auto setup = setup_of(job, target, buffers);
  const auto plan = plan_of(job, index);
  const LoopSource source{offsets, actions, buffers, arrivals};
  if (!job.amount || *job.amount >= job.block_size) {
    const auto run = [&]<class E>(std::type_identity<E>) {
      measure<E>(setup, source, plan, control, record, ready);
    };
    switch (job.engine) {
      case Engine::io_uring:
        run(std::type_identity<IoUringEngine>{});
        break;
      case Engine::libaio:
        run(std::type_identity<LibaioEngine>{});
        break;
      case Engine::psync:
        run(std::type_identity<PsyncEngine>{});
        break;
      case Engine::null:
        run(std::type_identity<NullEngine>{});
        break;
    }
  }
  if (job.amount && job.amount->value % job.block_size.value != 0)
    finish_amount(job, setup, buffers, actions, record);
  return record;
}

}  // namespace vmtax::kernel
