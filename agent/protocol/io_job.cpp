#include "protocol/io_job.hpp"

#include <array>
#include <utility>

namespace vmtax::protocol {
namespace {

constexpr std::array<std::pair<Pattern, std::string_view>, 8> patterns{
    {{Pattern::read, "read"},
     {Pattern::write, "write"},
     {Pattern::rw, "rw"},
     {Pattern::trim, "trim"},
     {Pattern::randread, "randread"},
     {Pattern::randwrite, "randwrite"},
     {Pattern::randrw, "randrw"},
     {Pattern::randtrim, "randtrim"}}};

constexpr std::array<std::pair<Engine, std::string_view>, 4> engines{
    {{Engine::io_uring, "io_uring"},
     {Engine::libaio, "libaio"},
     {Engine::psync, "psync"},
     {Engine::null, "null"}}};

template <class Value, std::size_t N>
std::string names_of(const std::array<std::pair<Value, std::string_view>, N>& all) {
  std::string names;
  for (const auto& [value, name] : all) {
    if (!names.empty()) names += ", ";
    names += name;
  }
  return names;
}

template <class Value, std::size_t N>
std::string_view name_of(Value value,
                         const std::array<std::pair<Value, std::string_view>, N>& all) {
  for (const auto& [candidate, name] : all)
    if (candidate == value) return name;
  return "?";
}

template <class Value, std::size_t N>
std::optional<Value> value_of(std::string_view text,
                              const std::array<std::pair<Value, std::string_view>, N>& all) {
  for (const auto& [value, name] : all)
    if (name == text) return value;
  return std::nullopt;
}

}  // namespace

std::string_view to_text(Pattern pattern) {
  return name_of(pattern, patterns);
}
std::string_view to_text(Engine engine) {
  return name_of(engine, engines);
}
std::optional<Pattern> parse_pattern(std::string_view text) {
  return value_of(text, patterns);
}
std::optional<Engine> parse_engine(std::string_view text) {
  return value_of(text, engines);
}

std::string pattern_names() {
  return names_of(patterns);
}
std::string engine_names() {
  return names_of(engines);
}

}  // namespace vmtax::protocol
