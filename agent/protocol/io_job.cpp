#include "protocol/io_job.hpp"

#include <array>
#include <utility>

namespace vmtax::protocol {
namespace {

constexpr std::array<std::pair<Pattern, std::string_view>, 4> patterns{
    {{Pattern::read, "read"},
     {Pattern::write, "write"},
     {Pattern::randread, "randread"},
     {Pattern::randwrite, "randwrite"}}};

constexpr std::array<std::pair<Engine, std::string_view>, 2> engines{
    {{Engine::io_uring, "io_uring"}, {Engine::psync, "psync"}}};

template <class Value, std::size_t N>
std::string_view name_of(Value value,
                         const std::array<std::pair<Value, std::string_view>, N>& all) {
  for (const auto& [candidate, name] : all)
    if (candidate == value) return name;
  return "?";
}

template <class Value, std::size_t N>
std::optional<Value> value_of(std::string_view text,
                              const std::array<std::pair<Value, std::string_view>, N>& all) {
  for (const auto& [value, name] : all)
    if (name == text) return value;
  return std::nullopt;
}

// Sums and products of these stay far from the ends of 64 bits.
constexpr Bytes size_limit{1ULL << 60};
constexpr Bytes block_limit = mib(64);
constexpr Bytes buffer_limit = gib(1);  // what one registration of buffers may hold
constexpr std::uint32_t depth_limit = 16384;
constexpr Nanoseconds time_limit = std::chrono::hours{24 * 7};
constexpr std::uint64_t sector = 512;  // no direct I/O is finer

std::optional<std::string> why_shape_invalid(const IoJob& job) {
  if (job.target.path.empty() == job.target.serial.empty())
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
           ": the engine psync has one I/O in flight at most; use io_uring or iodepth 1";
  if (job.block_size * job.iodepth > buffer_limit)
    return "block size " + format_bytes(job.block_size) + " times iodepth " +
           std::to_string(job.iodepth) + ": buffers of more than " + format_bytes(buffer_limit);
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
  if (job.runtime != Nanoseconds::zero() || job.ramp != Nanoseconds::zero())
    return "amount: it can't be combined with a runtime or a ramp";
  if (amount.value == 0 || amount > size_limit)
    return "amount: it must be above 0 and at most " + format_bytes(size_limit);
  if (amount.value % job.block_size.value == 0) return std::nullopt;
  if (is_random(job.pattern))
    return "amount " + format_bytes(amount) + ": random patterns need a multiple of the block size";
  if (job.span.value != 0 && amount > job.span)
    return "amount " + format_bytes(amount) +
           ": beyond one pass of the span it must be a multiple of the block size";
  if (job.direct && amount.value % sector != 0)
    return "amount " + format_bytes(amount) + ": direct I/O needs a multiple of 512B";
  return std::nullopt;
}

}  // namespace

std::string_view to_text(Pattern pattern) {
  return name_of(pattern, patterns);
}
std::string_view to_text(Engine engine) {
  return name_of(engine, engines);
}
std::optional<Pattern> parse_pattern(std::string_view text) {
  return value_of(text, patterns);
}
std::optional<Engine> parse_engine(std::string_view text) {
  return value_of(text, engines);
}

std::optional<std::string> why_invalid(const IoJob& job) {
  if (auto why = why_shape_invalid(job)) return why;
  return why_end_invalid(job);
}

}  // namespace vmtax::protocol
