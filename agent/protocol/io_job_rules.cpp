// What makes a job impossible on any target.

#include "protocol/io_job.hpp"

namespace vmtax::protocol {
namespace {

// Sums and products of these stay far from the ends of 64 bits.
constexpr Bytes size_limit{1ULL << 60};
constexpr Bytes block_limit = mib(64);
constexpr Bytes buffer_limit = gib(1);  // what one registration of buffers may hold
constexpr std::uint32_t depth_limit = 16384;
constexpr std::uint32_t jobs_limit = 256;
constexpr std::size_t extent_limit = 65536;
constexpr std::uint32_t rate_limit = 100'000'000;
constexpr Nanoseconds time_limit = std::chrono::hours{24 * 7};
constexpr std::uint64_t sector = 512;  // no direct I/O is finer

std::optional<std::string> why_shape_invalid(const IoJob& job) {
  if (job.engine != Engine::null && job.target.path.empty() == job.target.serial.empty())
    return "the target needs either a path or a serial";
  if (job.block_size.value == 0 || job.block_size > block_limit)
    return "block size " + format_bytes(job.block_size) + ": it must be from 1B to " +
           format_bytes(block_limit);
  if (job.direct && job.block_size.value % sector != 0)
    return "block size " + format_bytes(job.block_size) +
           ": direct I/O needs a multiple of 512B (or ask for buffered I/O)";
  if (job.direct && job.offset.value % sector != 0)
    return "offset " + format_bytes(job.offset) + ": direct I/O needs a multiple of 512B";
  if (job.iodepth == 0 || job.iodepth > depth_limit)
    return "iodepth " + std::to_string(job.iodepth) + ": it must be from 1 to " +
           std::to_string(depth_limit);
  if (job.engine == Engine::psync && job.iodepth > 1)
    return "iodepth " + std::to_string(job.iodepth) +
           ": the engine psync has one I/O in flight at most; use more jobs, io_uring, libaio or "
           "iodepth 1";
  if (job.jobs == 0 || job.jobs > jobs_limit)
    return "jobs " + std::to_string(job.jobs) + ": it must be from 1 to " +
           std::to_string(jobs_limit);
  if (job.block_size * job.iodepth * job.jobs > buffer_limit)
    return "block size " + format_bytes(job.block_size) + " times iodepth " +
           std::to_string(job.iodepth) +
           (job.jobs > 1 ? " times jobs " + std::to_string(job.jobs) : "") +
           ": buffers of more than " + format_bytes(buffer_limit);
  if (job.offset > size_limit || job.span > size_limit)
    return "offset or span above " + format_bytes(size_limit);
  if (job.span.value != 0 && job.span < job.block_size)
    return "span " + format_bytes(job.span) + " is smaller than one block of " +
           format_bytes(job.block_size);
  return std::nullopt;
}

std::optional<std::string> why_end_invalid(const IoJob& job) {
  if (job.ramp < Nanoseconds::zero() || job.ramp > time_limit)
    return "ramp: it must be from 0 to " + format_duration(time_limit);
  if (!job.amount) {
    if (job.runtime <= Nanoseconds::zero() || job.runtime > time_limit)
      return "runtime: it must be above 0 and at most " + format_duration(time_limit) +
             ", or an amount must be given";
    return std::nullopt;
  }
  const Bytes amount = *job.amount;
  if (job.jobs > 1) return "amount: it is for one job, not " + std::to_string(job.jobs);
  if (job.runtime != Nanoseconds::zero() || job.ramp != Nanoseconds::zero())
    return "amount: it can't be combined with a runtime or a ramp";
  if (amount.value == 0 || amount > size_limit)
    return "amount: it must be above 0 and at most " + format_bytes(size_limit);
  if (amount.value % job.block_size.value == 0) return std::nullopt;
  if (is_random(job.pattern) || trims(job.pattern) || !job.extents.empty() || job.verify.on)
    return "amount " + format_bytes(amount) +
           ": random patterns, trims, extents and verification need a multiple of the block size";
  if (job.span.value != 0 && amount > job.span)
    return "amount " + format_bytes(amount) +
           ": beyond one pass of the span it must be a multiple of the block size";
  if (job.direct && amount.value % sector != 0)
    return "amount " + format_bytes(amount) + ": direct I/O needs a multiple of 512B";
  return std::nullopt;
}

std::optional<std::string> why_pattern_invalid(const IoJob& job) {
  if (mixes(job.pattern) && (job.read_percent == 0 || job.read_percent > 99))
    return "read_percent " + std::to_string(job.read_percent) + ": it must be from 1 to 99";
  if (trims(job.pattern) && job.engine != Engine::psync && job.engine != Engine::null)
    return "pattern " + std::string{to_text(job.pattern)} +
           ": discarding has no asynchronous call; use the engine psync with jobs";
  if (!is_random(job.pattern) && job.random_map)
    return "random_map: it is for random patterns, not " + std::string{to_text(job.pattern)};
  if (job.distribution.kind == Distribution::Kind::uniform) return why_invalid(job.distribution);
  if (!is_random(job.pattern))
    return "distribution " + to_text(job.distribution) + ": it is for random patterns, not " +
           std::string{to_text(job.pattern)};
  if (job.random_map)
    return "distribution " + to_text(job.distribution) +
           ": with random_map each block comes once, so only uniform is possible";
  return why_invalid(job.distribution);
}

std::optional<std::string> why_extents_invalid(const IoJob& job) {
  if (job.extents.size() > extent_limit)
    return "extents: more than " + std::to_string(extent_limit);
  if (job.extents.empty()) return std::nullopt;
  if (job.offset.value % job.block_size.value != 0)
    return "offset " + format_bytes(job.offset) +
           ": among extents it must be a multiple of the block size";
  for (const auto& extent : job.extents) {
    if (extent.offset > size_limit || extent.length > size_limit || extent.length.value == 0)
      return "extents: one has no length, or lies beyond " + format_bytes(size_limit);
    if (job.direct && extent.offset.value % sector != 0)
      return "extents: one begins at " + format_bytes(extent.offset) +
             "; direct I/O needs a multiple of 512B";
  }
  return std::nullopt;
}

std::optional<std::string> why_writing_invalid(const IoJob& job) {
  const bool changes = writes(job.pattern) && !trims(job.pattern);
  if (!changes && (job.flushes.every != 0 || job.flushes.at_end || job.dsync))
    return "flushes: pattern " + std::string{to_text(job.pattern)} + " writes nothing";
  if (!changes && (job.content.compress_percent != 0 || job.content.dedupe_percent != 0))
    return "content: pattern " + std::string{to_text(job.pattern)} + " writes nothing";
  if (job.content.compress_percent > 100 || job.content.dedupe_percent > 100)
    return "content: a percentage above 100";
  return std::nullopt;
}

std::optional<std::string> why_verify_invalid(const IoJob& job) {
  if (!job.verify.on) return std::nullopt;
  if (mixes(job.pattern) || trims(job.pattern) || job.engine == Engine::null)
    return "verify: it needs a pattern that reads or one that writes, and an engine that does I/O";
  if (job.block_size.value % sector != 0)
    return "verify: the block size must be a multiple of 512B";
  if (job.content.compress_percent != 0 || job.content.dedupe_percent != 0)
    return "verify: every block is different, so content can't be chosen";
  if (writes(job.pattern) && is_random(job.pattern) && !job.random_map)
    return "verify: random writes need random_map, so that each block is written once per pass";
  return std::nullopt;
}

std::optional<std::string> why_engine_invalid(const IoJob& job) {
  if ((job.sqpoll || job.iopoll) && job.engine != Engine::io_uring)
    return "sqpoll and iopoll are options of io_uring, not of " + std::string{to_text(job.engine)};
  if (job.iopoll && !job.direct) return "iopoll needs direct I/O";
  if (job.iopoll && (job.flushes.every != 0 || job.rate.iops != 0))
    return "iopoll can't be combined with flushes or a rate";
  if (job.rate.iops > rate_limit)
    return "rate " + std::to_string(job.rate.iops) + ": it must be at most " +
           std::to_string(rate_limit);
  if (job.rate.iops != 0 && job.rate.iops < job.jobs)
    return "rate " + std::to_string(job.rate.iops) + ": below one I/O per second and job";
  if (job.rate.iops != 0 && job.amount) return "rate: it is for a runtime, not for an amount";
  return std::nullopt;
}

}  // namespace

std::optional<std::string> why_invalid(const IoJob& job) {
  for (const auto check :
       {why_shape_invalid, why_end_invalid, why_pattern_invalid, why_extents_invalid,
        why_writing_invalid, why_verify_invalid, why_engine_invalid})
    if (auto why = check(job)) return why;
  return std::nullopt;
}

}  // namespace vmtax::protocol
