#include "kernel/run_job.hpp"

#include <cerrno>
#include <cstring>
#include <new>

#include <unistd.h>

#include "kernel/clock.hpp"
#include "kernel/crew.hpp"
#include "kernel/failures.hpp"
#include "kernel/open_target.hpp"
#include "kernel/verification.hpp"

namespace vmtax::kernel {
namespace {

using protocol::IoJob;
using protocol::IoResult;

Nanoseconds since(std::uint64_t begin_ns) {
  return Nanoseconds{static_cast<std::int64_t>(now_ns() - begin_ns)};
}

// A job's first I/O is the probe of its engine's options on this device.
LoopRecord run_probed(const IoJob& job, const OpenTarget& target, LoopControl& control) {
  try {
    return run_crew(job, target, control);
  } catch (const Broken& broken) {
    const bool unsupported = broken.error_number == EOPNOTSUPP || broken.error_number == ENOTTY;
    if (!unsupported || control.ios() != 0) throw;
    std::string what{protocol::to_text(job.engine)};
    if (job.iopoll) what += " with iopoll";
    throw Refused{target.path + ": " + what + " can't do " +
                      std::string{protocol::to_text(job.pattern)} +
                      " on it: " + std::strerror(broken.error_number),
                  broken.error_number};
  } catch (const std::bad_alloc&) {
    throw Refused{"no memory for " + std::to_string(job.iodepth) + " buffers of " +
                      format_bytes(job.block_size),
                  ENOMEM};
  }
}

Nanoseconds flush_at_end(const IoJob& job, const OpenTarget& target) {
  const auto begin_ns = now_ns();
  const int result =
      job.flushes.data_only ? ::fdatasync(target.fd.get()) : ::fsync(target.fd.get());
  if (result != 0)
    throw Broken{std::string{"the flush at the end failed: "} + std::strerror(errno), errno};
  return since(begin_ns);
}

void put_latencies(LoopRecord& record, const IoJob& job, IoResult& result) {
  auto total = record.total();
  result.ios = total.lat.count();
  result.lat = std::move(total.lat);
  result.slat = std::move(total.slat);
  result.clat = std::move(total.clat);
  result.flushes = std::move(record.flushes);
  if (!protocol::mixes(job.pattern)) return;
  result.reads = std::move(record.of(Action::read));
  result.writes = std::move(record.of(Action::write));
}

}  // namespace

IoResult run_job(const IoJob& job, const std::string& path, LoopControl& control) {
  if (const auto why = protocol::why_invalid(job)) throw Refused{*why, EINVAL};
  const Enlisted enlisted{control};
  const auto start_ns = now_ns();
  const bool real = job.engine != protocol::Engine::null;
  const auto target = real ? open_target(job, path) : imagined_target(job);
  const auto clock = clock_facts();
  auto record = run_probed(job, target, control);
  IoResult result;
  if (job.flushes.at_end && real) result.final_flush = flush_at_end(job, target);
  if (job.verify.on) verify_blocks(job, target, record.completed, control);
  put_latencies(record, job, result);
  result.bytes = job.amount ? *job.amount : job.block_size * result.ios;
  result.elapsed = Nanoseconds{static_cast<std::int64_t>(record.elapsed_ns())};
  result.ramp_elapsed = Nanoseconds{static_cast<std::int64_t>(record.ramp_ns)};
  result.series = std::move(record.series);
  result.unstarted = record.unstarted;
  const auto usage = record.usage_end - record.usage_begin;
  result.cpu = usage.cpu;
  result.context_switches = usage.switches;
  result.clock = clock;
  result.direct = target.direct;
  result.target_path = path;
  result.target_size = target.size;
  result.job_elapsed = since(start_ns);
  return result;
}

}  // namespace vmtax::kernel
