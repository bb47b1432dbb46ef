// Frames of the protocol: one line each, so that a console or a log can lie between them.
//
//   LENGTH CRC PAYLOAD\n     LENGTH decimal bytes of PAYLOAD, CRC its CRC-32 as eight hex digits
//
// PAYLOAD is JSON on one line. A reader that meets anything else says what it was and goes on at
// the next newline: noise, a torn line or a peer of another kind never ends or blocks a session. A
// binary framing was rejected: it can't find its place again after noise, and nobody can read it in
// a log.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

namespace vmtax::protocol {

/// Of one line without its newline: three full histograms with 20-digit counts are 0.4 MB.
inline constexpr std::size_t max_frame_size = std::size_t{4} << 20;

enum class FrameFault { garbage, truncated, oversized, bad_checksum };

std::string_view to_text(FrameFault fault);

/// The frame's bytes, newline included. `payload` has no newline and fits into max_frame_size.
std::string encode_frame(std::string_view payload);

class FrameDecoder {
 public:
  using Item = std::variant<std::string, FrameFault>;  ///< a payload, or what was wrong with a line

  /// Takes bytes in any portions. Holds no more than max_frame_size and what was fed last.
  void feed(std::string_view bytes);

  /// The next line's payload or fault; nothing until more is fed. Blank lines are passed over.
  std::optional<Item> next();

 private:
  std::string buffer_;
  std::size_t start_ = 0;    // of the line that is not decoded yet
  std::size_t scanned_ = 0;  // up to here there is no newline
  bool skipping_ = false;    // the rest of an oversized line
};

}  // namespace vmtax::protocol
