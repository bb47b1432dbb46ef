#include "protocol/series.hpp"

#include <bit>
#include <utility>

namespace vmtax::protocol {
namespace {

void add_to(Series::Window& into, const Series::Window& from) {
  into.ios += from.ios;
  into.bytes += from.bytes;
  into.lat_sum_ns += from.lat_sum_ns;
  into.lat_max_ns = std::max(into.lat_max_ns, from.lat_max_ns);
}

}  // namespace

void Series::seek(std::uint64_t since_begin_ns) {
  while (since_begin_ns / window_ns_ >= capacity) coarsen();
  current_ = since_begin_ns / window_ns_;
  begin_ns_ = current_ * window_ns_;
  end_ns_ = begin_ns_ + window_ns_;
  if (windows_.size() <= current_) windows_.resize(current_ + 1);
}

void Series::coarsen() {
  const std::size_t half = (windows_.size() + 1) / 2;
  for (std::size_t i = 0; i < half; ++i) {
    Window joined = windows_[2 * i];
    if (2 * i + 1 < windows_.size()) add_to(joined, windows_[2 * i + 1]);
    windows_[i] = joined;
  }
  windows_.resize(half);
  window_ns_ *= 2;
  begin_ns_ = end_ns_ = 0;
}

void Series::merge(const Series& other) {
  Series theirs = other;
  while (theirs.window_ns_ < window_ns_) theirs.coarsen();
  while (window_ns_ < theirs.window_ns_) coarsen();
  if (windows_.size() < theirs.windows_.size()) windows_.resize(theirs.windows_.size());
  for (std::size_t i = 0; i < theirs.windows_.size(); ++i) add_to(windows_[i], theirs.windows_[i]);
}

bool Series::restore(std::uint64_t window_ns, std::vector<Window> windows, Series& into) {
  if (window_ns % first_window_ns != 0 || !std::has_single_bit(window_ns / first_window_ns) ||
      windows.size() > capacity)
    return false;
  Series restored;
  restored.window_ns_ = window_ns;
  restored.windows_ = std::move(windows);
  into = std::move(restored);
  return true;
}

}  // namespace vmtax::protocol
