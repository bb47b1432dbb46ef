// The shape of a scenario as data: which keys there are and what each may hold. One table of it is
// read by both the check and the JSON Schema, so that the two can't drift apart.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "protocol/units.hpp"

namespace vmtax::scenario {

struct Shape;

/// A word or value that exists but isn't to be had here and now: refused with its reason.
struct Refusal {
  std::string_view word{};
  std::string_view why{};
};

/// A count, written in decimal digits without quotes.
struct Whole {
  std::uint64_t least = 0;
  std::uint64_t most = 0;
  bool power_of_two = false;
};

/// Bytes with their unit.
struct Size {
  Bytes least{};
  Bytes most{};
  Bytes multiple{1};
  bool power_of_two = false;
};

/// A time with its unit.
struct Duration {
  Nanoseconds least{0};
  Nanoseconds most{0};
  Nanoseconds multiple{1};
};

/// true or false.
struct Flag {};

/// One of a few words.
struct Word {
  std::vector<std::string_view> words{};
  std::vector<Refusal> refused{};
};

/// Text without control characters. `pattern` says the same as `accepts`, for the schema.
struct Text {
  std::string_view allowed{};  ///< completes "allowed: "
  std::size_t most = 4096;     ///< characters
  std::string_view pattern{};
  bool (*accepts)(std::string_view) = nullptr;
};

/// Not empty. `or_one`: the item alone may stand for a list of one. `unique`: no scalar twice.
struct ListOf {
  std::shared_ptr<const Shape> item{};
  bool or_one = false;
  bool unique = false;
};

struct Field {
  std::string_view key{};
  std::shared_ptr<const Shape> shape{};
  std::string_view about{};  ///< for the schema
  bool required = false;
  std::string_view fallback{};  ///< the default as JSON text; empty: none or not fixed
};

/// With `key` holding one of `values`, `other` must hold one of `allowed`, or must be absent when
/// `allowed` is empty; `required`: it must also be there.
struct Rule {
  std::string_view key{};
  std::vector<std::string_view> values{};
  std::string_view other{};
  std::vector<std::string_view> allowed{};
  bool required = false;
  std::string_view why{};     ///< one clause
  std::string_view remedy{};  ///< completes "allowed: "
};

/// Two keys of one map: `key` only with `other`, or never with it.
struct Pair {
  std::string_view key{};
  std::string_view other{};
  std::string_view why{};
};

/// A map with these keys and no others.
struct Section {
  std::string_view what{};  ///< "a drive", for messages
  std::vector<Field> fields{};
  std::vector<Refusal> refused{};               ///< keys
  std::vector<std::string_view> exactly_one{};  ///< of these keys
  std::vector<Pair> needs{};
  std::vector<Pair> conflicts{};
  std::size_t least_keys = 0;
  std::vector<Rule> rules{};  ///< in the schema always; in the loader where the section is read

  std::vector<std::string_view> keys() const;
};

struct Shape {
  std::variant<Whole, Size, Duration, Flag, Word, Text, ListOf, Section> kind;
};

/// The whole file.
const Shape& scenario_shape();

/// Its sections that carry rules, for the loader.
const Section& configuration_section();
const Section& workload_section();

/// The keys of a configuration that may be lists and multiply, in the order of a name's parts.
const std::vector<std::string_view>& configuration_knobs();

/// "a whole number from 1 to 128": completes "allowed: ".
std::string allowed_text(const Shape& shape);

}  // namespace vmtax::scenario
