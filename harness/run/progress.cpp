#include "run/progress.hpp"

#include <fmt/format.h>

#include "base/log.hpp"

namespace vmtax::run {
namespace {

Progress* on_terminal = nullptr;

}  // namespace

std::string rough_duration(Nanoseconds duration) {
  const auto seconds = std::chrono::ceil<std::chrono::seconds>(duration).count();
  if (seconds >= 3600) return fmt::format("{}h{:02}m", seconds / 3600, seconds / 60 % 60);
  if (seconds >= 60) return fmt::format("{}m{:02}s", seconds / 60, seconds % 60);
  return fmt::format("{}s", seconds);
}

Progress::Progress(std::FILE* out, bool terminal, std::size_t columns)
    : out_(out), terminal_(terminal), columns_(columns) {
  if (!terminal_) return;
  on_terminal = this;
  log::before_each_line([] {
    if (on_terminal) on_terminal->clear_line();
  });
}

Progress::~Progress() {
  clear_line();
  if (on_terminal == this) on_terminal = nullptr;
}

void Progress::begin(std::size_t samples, std::size_t done) {
  samples_ = samples;
  done_ = done_before_ = done;
}

void Progress::visit(const std::string& what) {
  visit_ = what;
  cell_.clear();
  draw();
}

void Progress::cell(const std::string& what, Nanoseconds elapsed) {
  cell_ = what;
  elapsed_ = elapsed;
  if (terminal_) draw();
}

void Progress::sample_done() {
  ++done_;
}

void Progress::clear_line() {
  if (!drawn_) return;
  std::fputs("\r\033[K", out_);
  std::fflush(out_);
  drawn_ = false;
}

void Progress::draw() {
  const double share = samples_ ? static_cast<double>(done_) / static_cast<double>(samples_) : 0;
  std::string line = fmt::format("{:3.0f} %", share * 100);
  // Of this part alone: what an earlier part took says nothing about now.
  if (const auto fresh = done_ - done_before_; fresh > 0)
    line += ", " + rough_duration(elapsed_ / fresh * (samples_ - done_)) + " left";
  line += "  " + visit_ + (cell_.empty() ? "" : "  " + cell_);
  if (terminal_) {
    if (line.size() >= columns_) line.resize(columns_ - 1);
    fmt::print(out_, "\r\033[K{}", line);
    drawn_ = true;
  } else {
    fmt::print(out_, "{}\n", line);
  }
  std::fflush(out_);
}

}  // namespace vmtax::run
