// One job of the I/O kernel: what every arm is asked to do, the same on host and in guest.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "protocol/distribution.hpp"
#include "protocol/units.hpp"

namespace vmtax::protocol {

/// rw and randrw mix reads and writes by read_percent; rw keeps one position for both.
enum class Pattern { read, write, rw, trim, randread, randwrite, randrw, randtrim };
/// null does no I/O: it measures the instrument.
enum class Engine { io_uring, libaio, psync, null };

constexpr bool mixes(Pattern p) {
  return p == Pattern::rw || p == Pattern::randrw;
}
constexpr bool trims(Pattern p) {
  return p == Pattern::trim || p == Pattern::randtrim;
}
constexpr bool reads(Pattern p) {
  return p == Pattern::read || p == Pattern::randread || mixes(p);
}
/// Whether data is changed or lost, so that the target must be the job's own.
constexpr bool writes(Pattern p) {
  return p == Pattern::write || p == Pattern::randwrite || mixes(p) || trims(p);
}
constexpr bool is_random(Pattern p) {
  return p >= Pattern::randread;
}

std::string_view to_text(Pattern pattern);
std::string_view to_text(Engine engine);
std::optional<Pattern> parse_pattern(std::string_view text);
std::optional<Engine> parse_engine(std::string_view text);
std::string pattern_names();  ///< "read, write, …", for messages
std::string engine_names();

/// What is read or written: a path, or in a guest the disk with this serial. Exactly one is set.
struct Target {
  std::string path;
  std::string serial;
};

/// Where the bytes of an extent-mapped target lie; extents in the order of the linear space.
struct Extent {
  Bytes offset;
  Bytes length;
};

/// A flush after every `every` writes (0: never), queued like an I/O: it takes a slot's turn, and
/// what is in flight beside it goes on.
struct Flushes {
  std::uint32_t every = 0;
  bool data_only = false;  ///< fdatasync instead of fsync
  bool at_end = false;     ///< one after the last I/O, timed by itself
};

enum class Arrivals { constant, poisson };

/// Open loop: I/Os start at their times whether or not those before them are complete, as long as a
/// slot of iodepth is free; latency counts from the intended start. 0: closed loop.
struct Rate {
  std::uint32_t iops = 0;  ///< of all jobs together
  Arrivals arrivals = Arrivals::constant;
};

/// What is written. Percentages are of each block's bytes and of the blocks.
struct Content {
  std::uint32_t compress_percent = 0;
  std::uint32_t dedupe_percent = 0;
};

/// Blocks with a header and a checksum. A job that writes reads all of them back; one that reads
/// checks blocks of an earlier job with the same seed and generation.
struct Verify {
  bool on = false;
  std::uint64_t generation = 1;
};

struct IoJob {
  Target target;
  Bytes offset;  ///< where the span begins in the target
  Bytes span;    ///< how many bytes are touched; 0: to the target's end
  Pattern pattern = Pattern::randread;
  Engine engine = Engine::io_uring;
  Bytes block_size = kib(4);
  std::uint32_t iodepth = 1;
  bool direct = true;  ///< O_DIRECT; read back from the descriptor's flags
  std::uint64_t seed = 1;
  Nanoseconds ramp{0};          ///< I/O runs but is not counted
  Nanoseconds runtime{0};       ///< the measured phase; 0 when `amount` is given
  std::optional<Bytes> amount;  ///< instead of runtime: end after so many bytes (a fill)

  std::uint32_t jobs = 1;  ///< threads, each with its own ring, iodepth and equal slice of the span
  std::uint32_t read_percent = 50;  ///< of the patterns that mix
  Distribution distribution;
  bool random_map = false;      ///< random patterns visit each block once per pass
  std::vector<Extent> extents;  ///< when given, offset and span count in their linear space
  Flushes flushes;
  bool dsync = false;  ///< O_DSYNC: each write is durable by itself
  Rate rate;
  /// Every I/O in a system call of its own instead of all that were reaped together: slat of an I/O
  /// then holds the calls of those before it in its batch, and clat no longer its neighbours' turn.
  bool submit_singly = false;
  Content content;
  Verify verify;
  bool sqpoll = false;  ///< of io_uring
  bool iopoll = false;  ///< of io_uring
};

/// Why the job can't be run as it is, in one clause that names the value and what is allowed; empty
/// when it can. Needs no target: what depends on its size or sectors is said when it is opened.
std::optional<std::string> why_invalid(const IoJob& job);

}  // namespace vmtax::protocol
