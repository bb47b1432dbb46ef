#include "scenario/shape_check.hpp"

#include <algorithm>
#include <bit>
#include <charconv>
#include <optional>
#include <set>

#include <fmt/format.h>

#include "scenario/fault.hpp"
#include "scenario/source.hpp"
#include "scenario/values.hpp"

namespace vmtax::scenario {
namespace {

// One fault of one key's value; knows how every message begins and ends.
class Check {
 public:
  Check(const Node& node, const Shape& shape, std::string_view key)
      : node_(node), shape_(shape), key_(key) {}

  [[noreturn]] void refuse(std::string_view why) const {
    fail(node_.mark, fmt::format("{}: {} {}", key_, shown(node_), why), allowed_text(shape_));
  }

  const Node& node() const { return node_; }

  void needs_scalar() const {
    if (node_.kind == Node::Kind::null) refuse("is given, where a value is needed");
    if (node_.kind != Node::Kind::scalar) refuse("is given, where a single value is needed");
  }

  void operator()(const Whole& kind) const {
    needs_scalar();
    if (node_.quoted) refuse("is text in quotes, not a number");
    const auto number = parse_whole(node_.text);
    if (!number) refuse("is not a whole number in decimal digits");
    if (*number < kind.least || *number > kind.most) refuse("is out of range");
    if (kind.power_of_two && !std::has_single_bit(*number)) refuse("is not a power of two");
  }

  void operator()(const Size& kind) const {
    needs_scalar();
    if (!node_.quoted && classify(node_.text) == Plain::number) refuse("has no unit");
    const auto size = parse_bytes(node_.text);
    if (!size) refuse("is not a whole number of bytes with a unit");
    if (*size < kind.least || *size > kind.most) refuse("is out of range");
    if (kind.power_of_two && !std::has_single_bit(size->value)) refuse("is not a power of two");
    if (size->value % kind.multiple.value != 0)
      refuse(fmt::format("is not a multiple of {}", format_bytes(kind.multiple)));
  }

  void operator()(const Duration& kind) const {
    needs_scalar();
    if (!node_.quoted && classify(node_.text) == Plain::number) refuse("has no unit");
    const auto time = parse_duration(node_.text);
    if (!time) refuse("is not a time with a unit");
    if (*time < kind.least || *time > kind.most) refuse("is out of range");
    if (time->count() % kind.multiple.count() != 0)
      refuse(fmt::format("is not a multiple of {}", format_duration(kind.multiple)));
  }

  void operator()(const Flag&) const {
    needs_scalar();
    if (node_.quoted) refuse("is text in quotes, not a truth value");
    if (node_.text != "true" && node_.text != "false") refuse("is not a truth value");
  }

  void operator()(const Word& kind) const {
    needs_scalar();
    if (std::find(kind.words.begin(), kind.words.end(), node_.text) != kind.words.end()) return;
    for (const auto& refused : kind.refused)
      if (node_.text == refused.word) refuse(refused.why);
    refuse("is not known" + suggestion(node_.text, kind.words));
  }

  void operator()(const Text& kind) const {
    needs_scalar();
    const auto plain = node_.quoted ? Plain::text : classify(node_.text);
    if (plain == Plain::number) refuse("is a number, not text: put it in quotes");
    if (plain == Plain::flag) refuse("is a truth value, not text: put it in quotes");
    if (node_.text.empty()) refuse("is empty");
    if (!is_single_line(node_.text)) refuse("holds a control character or line end");
    if (count_characters(node_.text) > kind.most)
      refuse(fmt::format("is longer than {} characters", kind.most));
    if (kind.accepts && !kind.accepts(node_.text)) refuse("is not allowed here");
  }

  void operator()(const ListOf& kind) const {
    if (node_.kind != Node::Kind::list) {
      if (!kind.or_one) refuse("is given, where a list is needed");
      return std::visit(Check(node_, *kind.item, key_), kind.item->kind);
    }
    if (node_.items.empty()) refuse("is given, where at least one item is needed");
    std::set<std::string> seen;
    for (const auto& item : node_.items) {
      const Check check(item, *kind.item, key_);
      std::visit(check, kind.item->kind);
      if (kind.unique && !seen.insert(item.text).second) check.refuse("is given twice");
    }
  }

  void operator()(const Section& kind) const {
    if (node_.kind != Node::Kind::map)
      fail(node_.mark, fmt::format("{}: {} is given, where a map is needed", key_, shown(node_)),
           "a map with the keys " + listed(kind.keys()));
    for (const auto& entry : node_.entries) check_entry(entry, kind);
    for (const auto& field : kind.fields)
      if (field.required && !node_.find(field.key))
        fail(node_.mark, fmt::format("{} has no key '{}'", kind.what, field.key),
             fmt::format("{}: {}", field.key, allowed_text(*field.shape)));
    check_exactly_one(kind);
    check_pairs(kind);
    if (node_.entries.size() < kind.least_keys)
      fail(node_.mark, fmt::format("{}: an empty map", key_), "the keys " + listed(kind.keys()));
  }

 private:
  static void check_entry(const Entry& entry, const Section& kind) {
    for (const auto& field : kind.fields)
      if (entry.key == field.key)
        return std::visit(Check(entry.value, *field.shape, field.key), field.shape->kind);
    const auto known = kind.keys();
    for (const auto& refused : kind.refused)
      if (entry.key == refused.word)
        fail(entry.mark, fmt::format("key '{}' {}", refused.word, refused.why), listed(known));
    fail(entry.mark,
         fmt::format("unknown key '{}' in {}{}", printable(entry.key), kind.what,
                     suggestion(entry.key, known)),
         listed(known));
  }

  void check_exactly_one(const Section& kind) const {
    const Entry* found = nullptr;
    for (const auto& entry : node_.entries) {
      const auto& group = kind.exactly_one;
      if (std::find(group.begin(), group.end(), entry.key) == group.end()) continue;
      if (found)
        fail(entry.mark, fmt::format("{} has both '{}' and '{}'", kind.what, found->key, entry.key),
             "one of " + listed(group));
      found = &entry;
    }
    if (!found && !kind.exactly_one.empty())
      fail(node_.mark,
           fmt::format("{} has none of the keys {}", kind.what, listed(kind.exactly_one)),
           "one of them");
  }

  void check_pairs(const Section& kind) const {
    for (const auto& [key, other, why] : kind.needs)
      if (node_.find(key) && !node_.find(other))
        fail(node_.key_mark(key), fmt::format("'{}' is given without '{}': {}", key, other, why),
             fmt::format("'{}' together with '{}'", key, other));
    for (const auto& [key, other, why] : kind.conflicts)
      if (node_.find(key) && node_.find(other))
        fail(node_.key_mark(other), fmt::format("'{}' is given beside '{}': {}", other, key, why),
             fmt::format("one of {}, {}", key, other));
  }

  const Node& node_;
  const Shape& shape_;
  std::string_view key_;
};

bool all_of(std::string_view text, bool (*accepts)(char)) {
  return !text.empty() && std::all_of(text.begin(), text.end(), accepts);
}

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

bool is_number(std::string_view text) {
  const auto is_octal = [](char c) { return c >= '0' && c <= '7'; };
  const auto is_hex = [](char c) {
    return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
  };
  if (text.starts_with("0o")) return all_of(text.substr(2), is_octal);
  if (text.starts_with("0x")) return all_of(text.substr(2), is_hex);
  if (text == ".nan" || text == ".NaN" || text == ".NAN") return true;
  if (text.starts_with('-') || text.starts_with('+')) text.remove_prefix(1);
  if (text == ".inf" || text == ".Inf" || text == ".INF") return true;
  const auto exponent = text.find_first_of("eE");
  if (exponent != std::string_view::npos) {
    auto digits = text.substr(exponent + 1);
    if (digits.starts_with('-') || digits.starts_with('+')) digits.remove_prefix(1);
    if (!all_of(digits, is_digit)) return false;
    text = text.substr(0, exponent);
  }
  const auto point = text.find('.');
  const auto whole = text.substr(0, point);
  const auto fraction = point == std::string_view::npos ? "" : text.substr(point + 1);
  if (whole.empty()) return all_of(fraction, is_digit);
  return all_of(whole, is_digit) && (fraction.empty() || all_of(fraction, is_digit));
}

}  // namespace

Plain classify(std::string_view plain) {
  for (const std::string_view word : {"", "~", "null", "Null", "NULL"})
    if (plain == word) return Plain::null;
  for (const std::string_view word : {"true", "True", "TRUE", "false", "False", "FALSE"})
    if (plain == word) return Plain::flag;
  return is_number(plain) ? Plain::number : Plain::text;
}

std::string shown(const Node& node) {
  switch (node.kind) {
    case Node::Kind::null:
      return "nothing";
    case Node::Kind::list:
      return node.items.empty() ? "an empty list" : "a list";
    case Node::Kind::map:
      return "a map";
    case Node::Kind::scalar:
      break;
  }
  const auto text = printable(node.text);
  return node.quoted ? "\"" + text + "\"" : text;
}

void check_shape(const Node& node, const Shape& shape) {
  std::visit(Check(node, shape, "the scenario"), shape.kind);
}

}  // namespace vmtax::scenario
