#include "scenario/shape.hpp"

#include <fmt/format.h>

#include "scenario/fault.hpp"

namespace vmtax::scenario {
namespace {

struct AllowedText {
  std::string operator()(const Whole& kind) const {
    if (kind.least == kind.most) return fmt::format("{}", kind.least);
    return fmt::format("a whole number from {} to {}{}", kind.least, kind.most,
                       kind.power_of_two ? ", a power of two" : "");
  }
  std::string operator()(const Size& kind) const {
    std::string text = fmt::format("{}, from {} to {}", bytes_syntax, format_bytes(kind.least),
                                   format_bytes(kind.most));
    if (kind.power_of_two) text += ", a power of two";
    if (kind.multiple.value > 1) text += ", a multiple of " + format_bytes(kind.multiple);
    return text;
  }
  std::string operator()(const Duration& kind) const {
    std::string text = fmt::format("{}, from {} to {}", duration_syntax,
                                   format_duration(kind.least), format_duration(kind.most));
    if (kind.multiple.count() > 1) text += ", a multiple of " + format_duration(kind.multiple);
    return text;
  }
  std::string operator()(const Flag&) const { return "true or false, without quotes"; }
  std::string operator()(const Word& kind) const { return listed(kind.words); }
  std::string operator()(const Text& kind) const { return std::string{kind.allowed}; }
  std::string operator()(const ListOf& kind) const {
    const auto item = allowed_text(*kind.item);
    if (kind.or_one) return item + "; or a list of such";
    return "a list of " + item;
  }
  std::string operator()(const Section& kind) const {
    return fmt::format("maps with the keys {}", listed(kind.keys()));
  }
};

}  // namespace

std::string allowed_text(const Shape& shape) {
  return std::visit(AllowedText{}, shape.kind);
}

std::vector<std::string_view> Section::keys() const {
  std::vector<std::string_view> all;
  for (const auto& field : fields) all.push_back(field.key);
  return all;
}

}  // namespace vmtax::scenario
