// One job of the I/O kernel: what every arm is asked to do, the same on host and in guest.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "protocol/units.hpp"

namespace vmtax::protocol {

enum class Pattern { read, write, randread, randwrite };
enum class Engine { io_uring, psync };

constexpr bool writes(Pattern p) {
  return p == Pattern::write || p == Pattern::randwrite;
}
constexpr bool is_random(Pattern p) {
  return p == Pattern::randread || p == Pattern::randwrite;
}

std::string_view to_text(Pattern pattern);
std::string_view to_text(Engine engine);
std::optional<Pattern> parse_pattern(std::string_view text);
std::optional<Engine> parse_engine(std::string_view text);

/// What is read or written: a path, or in a guest the disk with this serial. Exactly one is set.
struct Target {
  std::string path;
  std::string serial;
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
};

/// Why the job can't be run as it is, in one clause that names the value and what is allowed; empty
/// when it can. Needs no target: what depends on its size or sectors is said when it is opened.
std::optional<std::string> why_invalid(const IoJob& job);

}  // namespace vmtax::protocol
