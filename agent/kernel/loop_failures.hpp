// How the measuring loop ends early. Out of line: none of this belongs among the loop's own code.
#pragma once

#include <cstdint>

namespace vmtax::kernel {

[[noreturn]] void throw_engine_failure(int number);
[[noreturn]] void throw_flush_failure(int number);

/// `moved` is a negative errno, or fewer bytes than `asked`.
[[noreturn]] void throw_io_failure(std::uint64_t offset, std::int64_t moved, std::uint64_t asked);

/// Of an order other than go_on.
[[noreturn]] void throw_as_told(int order, std::uint32_t in_flight);

}  // namespace vmtax::kernel
