// What the measuring loop asks an engine for.
#pragma once

#include <cstddef>
#include <cstdint>

namespace vmtax::kernel {

enum class Action : std::uint8_t { read, write, trim, flush };

/// How many kinds move or free data; a flush is no I/O and is counted apart.
inline constexpr std::size_t io_actions = 3;

struct Request {
  Action action = Action::read;
  std::uint64_t offset = 0;     ///< not of a flush
  std::byte* buffer = nullptr;  ///< of a read or write
};

/// What an engine is made of. Every read, write and trim is of `block_size`.
struct EngineSetup {
  int fd = -1;
  std::size_t block_size = 0;
  std::uint32_t slots = 1;
  std::byte* memory = nullptr;  ///< every request's buffer lies in it, so that it can be registered
  std::size_t memory_size = 0;
  bool data_only = false;  ///< a flush is fdatasync, not fsync
  bool sqpoll = false;     ///< io_uring: a kernel thread looks for submissions
  bool iopoll = false;     ///< io_uring: completions are polled for at the device
};

}  // namespace vmtax::kernel
