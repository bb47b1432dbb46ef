#include "scenario/combination.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "scenario/fault.hpp"
#include "scenario/shape_check.hpp"

namespace vmtax::scenario {
namespace {

bool holds(const std::vector<std::string_view>& words, const std::string& text) {
  return std::find(words.begin(), words.end(), text) != words.end();
}

}  // namespace

void check_rules(const Combination& combination, std::string_view among) {
  for (const auto& rule : combination.section->rules) {
    const Node* key = combination.find(rule.key);
    if (!key || !holds(rule.values, key->text)) continue;
    const Node* other = combination.find(rule.other);
    if (!other && rule.required)
      fail(key->mark,
           fmt::format("{} {} needs {}{}: {}", rule.key, key->text, rule.other, among, rule.why),
           rule.remedy);
    if (other && !holds(rule.allowed, other->text))
      fail(other->mark,
           fmt::format("{} {} is not possible with {} {}{}: {}", rule.other, shown(*other),
                       rule.key, key->text, among, rule.why),
           rule.remedy);
  }
}

}  // namespace vmtax::scenario
