#include "protocol/frame.hpp"

#include <charconv>
#include <cstdint>
#include <cstdio>

#include "protocol/crc32.hpp"

namespace vmtax::protocol {
namespace {

constexpr std::size_t crc_digits = 8;

// A whole field of `text` as a number; nothing when another character is in it.
template <class Number>
std::optional<Number> parse_field(std::string_view text, int base) {
  Number number{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number, base);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return number;
}

FrameDecoder::Item decode_line(std::string_view line) {
  const auto first_space = line.find(' ');
  if (first_space == std::string_view::npos) return FrameFault::garbage;
  const auto length = parse_field<std::uint32_t>(line.substr(0, first_space), 10);
  if (!length) return FrameFault::garbage;
  if (*length > max_frame_size) return FrameFault::oversized;
  const auto rest = line.substr(first_space + 1);
  if (rest.size() <= crc_digits) return FrameFault::truncated;
  const auto crc = parse_field<std::uint32_t>(rest.substr(0, crc_digits), 16);
  if (!crc || rest[crc_digits] != ' ') return FrameFault::garbage;
  const auto payload = rest.substr(crc_digits + 1);
  if (payload.size() < *length) return FrameFault::truncated;
  if (payload.size() > *length) return FrameFault::garbage;
  if (crc32(payload) != *crc) return FrameFault::bad_checksum;
  return std::string{payload};
}

bool is_blank(std::string_view line) {
  return line.find_first_not_of(" \t\r") == std::string_view::npos;
}

}  // namespace

std::string_view to_text(FrameFault fault) {
  switch (fault) {
    case FrameFault::garbage:
      return "garbage instead of a frame";
    case FrameFault::truncated:
      return "a truncated frame";
    case FrameFault::oversized:
      return "an oversized frame";
    case FrameFault::bad_checksum:
      return "a frame with a bad checksum";
  }
  return "?";
}

std::string encode_frame(std::string_view payload) {
  char head[32];
  std::snprintf(head, sizeof head, "%zu %08x ", payload.size(), crc32(payload));
  std::string frame{head};
  frame += payload;
  frame += '\n';
  return frame;
}

void FrameDecoder::feed(std::string_view bytes) {
  buffer_.erase(0, start_);
  scanned_ -= start_;
  start_ = 0;
  buffer_ += bytes;
}

std::optional<FrameDecoder::Item> FrameDecoder::next() {
  for (;;) {
    const auto newline = buffer_.find('\n', scanned_);
    if (newline == std::string::npos) {
      scanned_ = buffer_.size();
      if (skipping_) {
        start_ = scanned_;
        return std::nullopt;
      }
      if (scanned_ - start_ <= max_frame_size) return std::nullopt;
      skipping_ = true;
      start_ = scanned_;
      return FrameFault::oversized;
    }
    const auto line = std::string_view{buffer_}.substr(start_, newline - start_);
    const bool was_skipping = skipping_;
    skipping_ = false;
    start_ = scanned_ = newline + 1;
    if (was_skipping || is_blank(line)) continue;
    if (line.size() > max_frame_size) return FrameFault::oversized;
    return decode_line(line);
  }
}

}  // namespace vmtax::protocol
