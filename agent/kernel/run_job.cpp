#include "kernel/run_job.hpp"

#include <new>

#include "kernel/clock.hpp"
#include "kernel/io_uring_engine.hpp"
#include "kernel/measuring_loop.hpp"
#include "kernel/open_target.hpp"
#include "kernel/psync_engine.hpp"

namespace vmtax::kernel {
namespace {

using protocol::Engine;
using protocol::IoJob;
using protocol::IoResult;

LoopPlan plan_of(const IoJob& job) {
  LoopPlan plan;
  plan.depth = job.iodepth;
  plan.block_size = job.block_size.value;
  plan.ramp_ns = static_cast<std::uint64_t>(job.ramp.count());
  plan.runtime_ns = static_cast<std::uint64_t>(job.runtime.count());
  if (job.amount) plan.blocks = job.amount->value / job.block_size.value;
  return plan;
}

template <class Engine>
LoopRecord measure(Engine& engine, Offsets& offsets, Buffers& buffers, const IoJob& job,
                   LoopControl& control) {
  return MeasuringLoop<Engine>{engine, offsets, buffers, plan_of(job), control}.run();
}

// What an amount leaves behind its last whole block: one shorter I/O, counted like the others.
void finish_amount(const OpenTarget& target, Bytes length, Offsets& offsets, Buffers& buffers,
                   bool writing, LoopRecord& record) {
  PsyncEngine engine{target.fd.get(), writing, length.value};
  LoopControl unwatched;
  LoopPlan plan;
  plan.block_size = length.value;
  plan.blocks = 1;
  const auto tail = MeasuringLoop<PsyncEngine>{engine, offsets, buffers, plan, unwatched}.run();
  record.lat.merge(tail.lat);
  record.slat.merge(tail.slat);
  record.clat.merge(tail.clat);
  record.elapsed_ns += tail.elapsed_ns;
}

LoopRecord run_on(const OpenTarget& target, const IoJob& job, LoopControl& control) {
  const bool writing = protocol::writes(job.pattern);
  Buffers buffers{job.block_size, job.iodepth, writing, job.seed};
  Offsets offsets{protocol::is_random(job.pattern), job.offset, target.span, job.block_size,
                  job.seed};
  LoopRecord record;
  if (!job.amount || *job.amount >= job.block_size) {
    if (job.engine == Engine::psync) {
      PsyncEngine engine{target.fd.get(), writing, job.block_size.value};
      record = measure(engine, offsets, buffers, job, control);
    } else {
      IoUringEngine engine{target.fd.get(), writing, job.block_size.value, job.iodepth,
                           buffers.region()};
      record = measure(engine, offsets, buffers, job, control);
    }
  }
  if (job.amount) {
    const Bytes whole = round_down(*job.amount, job.block_size);
    Offsets behind{false, job.offset + whole, job.block_size, job.block_size, job.seed};
    if (*job.amount > whole)
      finish_amount(target, *job.amount - whole, behind, buffers, writing, record);
  }
  return record;
}

}  // namespace

IoResult run_job(const IoJob& job, const std::string& path, LoopControl& control) {
  if (const auto why = protocol::why_invalid(job)) throw Refused{*why, EINVAL};
  const auto start_ns = now_ns();
  const auto target = open_target(job, path);
  LoopRecord record;
  try {
    record = run_on(target, job, control);
  } catch (const std::bad_alloc&) {
    throw Refused{"no memory for " + std::to_string(job.iodepth) + " buffers of " +
                      format_bytes(job.block_size),
                  ENOMEM};
  }
  IoResult result;
  result.ios = record.lat.count();
  result.bytes = job.amount ? *job.amount : job.block_size * result.ios;
  result.elapsed = Nanoseconds{static_cast<std::int64_t>(record.elapsed_ns)};
  result.ramp_elapsed = Nanoseconds{static_cast<std::int64_t>(record.ramp_ns)};
  result.job_elapsed = Nanoseconds{static_cast<std::int64_t>(now_ns() - start_ns)};
  result.lat = std::move(record.lat);
  result.slat = std::move(record.slat);
  result.clat = std::move(record.clat);
  result.cpu = record.cpu;
  result.direct = target.direct;
  result.target_path = path;
  result.target_size = target.size;
  return result;
}

}  // namespace vmtax::kernel
