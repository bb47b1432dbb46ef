// What the person at the terminal sees of a run: one line that is rewritten, or a plain line per
// visit where the output is no terminal.
#pragma once

#include <cstddef>
#include <cstdio>
#include <string>

#include "protocol/units.hpp"

namespace vmtax::run {

class Progress {
 public:
  /// Writes to `out`; `terminal` chooses the form. `columns` bounds the rewritten line.
  Progress(std::FILE* out, bool terminal, std::size_t columns = 80);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  /// `samples` are all that will be taken, `done` those of an earlier part of the run.
  void begin(std::size_t samples, std::size_t done);
  void visit(const std::string& what);
  void cell(const std::string& what, Nanoseconds elapsed);
  void sample_done();
  void clear_line();  ///< before another line is printed

 private:
  void draw();

  std::FILE* out_;
  bool terminal_;
  std::size_t columns_;
  std::size_t samples_ = 0;
  std::size_t done_ = 0;
  std::size_t done_before_ = 0;
  Nanoseconds elapsed_{0};
  std::string visit_, cell_;
  bool drawn_ = false;
};

/// "3h05m", "12m30s", "45s": for people.
std::string rough_duration(Nanoseconds duration);

}  // namespace vmtax::run
