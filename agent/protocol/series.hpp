// A job's course in windows of 100 ms, in bounded memory: when the windows are used up, each two
// neighbours become one and the window is twice as long from then on.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "protocol/units.hpp"

namespace vmtax::protocol {

class Series {
 public:
  static constexpr std::size_t capacity = 2048;
  static constexpr std::uint64_t first_window_ns = 100'000'000;

  struct Window {
    std::uint64_t ios = 0;
    std::uint64_t bytes = 0;
    std::uint64_t lat_sum_ns = 0;
    std::uint64_t lat_max_ns = 0;

    void add(std::uint64_t moved, std::uint64_t lat_ns) {
      ++ios;
      bytes += moved;
      lat_sum_ns += lat_ns;
      lat_max_ns = std::max(lat_max_ns, lat_ns);
    }
    bool operator==(const Window&) const = default;
  };

  /// All its memory at once: `at` allocates nothing.
  Series() { windows_.reserve(capacity); }

  /// The window of a time since the measured phase began. Valid until the next call.
  Window& at(std::uint64_t since_begin_ns) {
    if (since_begin_ns >= end_ns_ || since_begin_ns < begin_ns_) seek(since_begin_ns);
    return windows_[current_];
  }

  /// Adds the windows of a job that ran at the same time.
  void merge(const Series& other);

  /// From storage; false when the window is no 100 ms times a power of two, or they are too many.
  static bool restore(std::uint64_t window_ns, std::vector<Window> windows, Series& into);

  std::uint64_t window_ns() const { return window_ns_; }
  const std::vector<Window>& windows() const { return windows_; }

 private:
  void seek(std::uint64_t since_begin_ns);
  void coarsen();

  std::uint64_t window_ns_ = first_window_ns;
  std::uint64_t begin_ns_ = 0;  // of the current window
  std::uint64_t end_ns_ = 0;
  std::size_t current_ = 0;
  std::vector<Window> windows_;
};

}  // namespace vmtax::protocol
