#include "agent/attribute.hpp"

#include <fstream>
#include <iterator>

namespace vmtax::agent {

std::optional<std::string> read_attribute(const std::filesystem::path& path) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error)) return std::nullopt;
  std::ifstream file{path, std::ios::binary};
  if (!file) return std::nullopt;
  std::string text{std::istreambuf_iterator<char>{file}, {}};
  if (file.bad()) return std::nullopt;
  if (!text.empty() && text.back() == '\n') text.pop_back();
  return text;
}

}  // namespace vmtax::agent
