// The bytes of a scenario file before anyone reads YAML in them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace vmtax::scenario {

inline constexpr std::size_t largest_source = std::size_t{1} << 20;

/// The file's bytes, at most `largest_source` of them: a missing or unreadable file, a directory
/// and a larger file are each a ScenarioError at 1:1.
std::string read_source(const std::filesystem::path& file);

/// Refuses what is no text: too large, not UTF-8, control characters other than tab and line ends,
/// UTF-16. Marks the first fault.
void check_source(std::string_view text, const std::string& file);

struct Decoded {
  char32_t code = 0;
  std::size_t length = 0;  ///< 0: not UTF-8
};

/// The first character of `text`, which is not empty.
Decoded decode_utf8(std::string_view text);

/// Characters (not bytes) of valid UTF-8.
std::size_t count_characters(std::string_view text);

/// A file name fit for a message: control characters escaped, never shortened.
std::string printable_path(std::string_view path);

}  // namespace vmtax::scenario
