#include "scenario/source.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include "base/fd.hpp"
#include "scenario/fault.hpp"

namespace vmtax::scenario {
namespace {

constexpr std::string_view readable = "a readable YAML file of at most 1MiB";

[[noreturn]] void fail_to_read(const std::filesystem::path& file, int error) {
  fail({file.string(), 1, 1}, fmt::format("the scenario can't be read: {}", std::strerror(error)),
       readable);
}

}  // namespace

std::string read_source(const std::filesystem::path& file) {
  const Fd fd{::open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY)};
  if (!fd) fail_to_read(file, errno);
  std::string text;
  char buffer[64 << 10];
  while (true) {
    const ssize_t count = ::read(fd.get(), buffer, sizeof buffer);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) fail_to_read(file, errno);
    if (count == 0) return text;
    text.append(buffer, static_cast<std::size_t>(count));
    if (text.size() > largest_source) return text;  // check_source says so
  }
}

void check_source(std::string_view text, const std::string& file) {
  Mark mark{file, 1, 1};
  if (text.size() > largest_source) fail(mark, "the scenario is larger than 1MiB", readable);
  if (text.starts_with("\xff\xfe") || text.starts_with("\xfe\xff"))
    fail(mark, "the scenario is UTF-16", "text in UTF-8");
  for (std::size_t at = 0; at < text.size();) {
    const auto [code, length] = decode_utf8(text.substr(at));
    if (length == 0)
      fail(mark, fmt::format("byte 0x{:02x} is not UTF-8", static_cast<unsigned char>(text[at])),
           "text in UTF-8");
    const bool control = (code < 0x20 && code != '\t' && code != '\n' && code != '\r') ||
                         (code >= 0x7f && code < 0xa0 && code != 0x85);
    if (control)
      fail(mark, fmt::format("control character 0x{:02x}", static_cast<std::uint32_t>(code)),
           "printable text, tabs and line ends");
    at += length;
    mark.column = code == '\n' ? 1 : mark.column + 1;
    mark.line += code == '\n' ? 1 : 0;
  }
}

Decoded decode_utf8(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  if (byte(0) < 0x80) return {byte(0), 1};
  const std::size_t length = byte(0) >= 0xf0 ? 4 : byte(0) >= 0xe0 ? 3 : 2;
  if (byte(0) < 0xc2 || byte(0) > 0xf4 || text.size() < length) return {};
  char32_t code = byte(0) & (0xffU >> (length + 1));
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xc0U) != 0x80) return {};
    code = code << 6 | (byte(i) & 0x3fU);
  }
  const bool overlong = (length == 3 && code < 0x800) || (length == 4 && code < 0x10000);
  if (overlong || code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff)) return {};
  return {code, length};
}

std::size_t count_characters(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xc0U) != 0x80;
  }));
}

std::string printable_path(std::string_view path) {
  std::string text;
  for (const char c : path) {
    const auto byte = static_cast<unsigned char>(c);
    text += byte < 0x20 || byte == 0x7f ? fmt::format("\\x{:02x}", byte) : std::string{c};
  }
  return text;
}

}  // namespace vmtax::scenario
