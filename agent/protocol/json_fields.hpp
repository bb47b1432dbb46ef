// Reads the members of one JSON object strictly: a missing or mistyped member, and one that nobody
// asked for, is a std::invalid_argument that names it. Only for the .cpp files of this folder.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <stdexcept>
#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

#include "protocol/units.hpp"

namespace vmtax::protocol {

class Fields {
 public:
  Fields(const nlohmann::json& json, std::string_view what) : json_(json), what_(what) {
    if (!json.is_object()) fail("", "is no object");
  }

  /// Call when every member has been named: anything else in the object is refused.
  void allow_only(std::initializer_list<std::string_view> names) const {
    for (const auto& [key, value] : json_.items()) {
      bool known = false;
      for (const auto name : names) known = known || key == name;
      if (!known) fail(key, "is unknown");
    }
  }

  bool has(const char* name) const { return json_.contains(name) && !json_[name].is_null(); }

  const nlohmann::json& member(const char* name) const {
    const auto found = json_.find(name);
    if (found == json_.end()) fail(name, "is missing");
    return *found;
  }

  std::uint64_t number(const char* name, std::uint64_t limit = ~0ULL) const {
    return number_of(member(name), name, limit);
  }
  Bytes bytes(const char* name) const { return Bytes{number(name, byte_limit)}; }
  Nanoseconds duration(const char* name) const {
    return Nanoseconds{static_cast<std::int64_t>(number(name, duration_limit))};
  }
  bool boolean(const char* name) const {
    const auto& value = member(name);
    if (!value.is_boolean()) fail(name, "is no boolean");
    return value.get<bool>();
  }
  std::string text(const char* name) const {
    const auto& value = member(name);
    if (!value.is_string()) fail(name, "is no string");
    return value.get<std::string>();
  }
  const nlohmann::json& list(const char* name, std::size_t limit) const {
    const auto& value = member(name);
    if (!value.is_array()) fail(name, "is no list");
    if (value.size() > limit) fail(name, "has more than " + std::to_string(limit) + " items");
    return value;
  }

  std::uint64_t number_of(const nlohmann::json& value, const char* name,
                          std::uint64_t limit) const {
    const bool whole =
        value.is_number_unsigned() || (value.is_number_integer() && value.get<std::int64_t>() >= 0);
    if (!whole) fail(name, "is no whole number");
    const auto number = value.get<std::uint64_t>();
    if (number > limit) fail(name, "is above " + std::to_string(limit));
    return number;
  }

  [[noreturn]] void fail(std::string_view name, const std::string& how) const {
    throw std::invalid_argument(what_ + (name.empty() ? "" : ": " + std::string{name}) + " " + how);
  }

 private:
  static constexpr std::uint64_t byte_limit = 1ULL << 62;
  static constexpr std::uint64_t duration_limit = 1ULL << 62;

  const nlohmann::json& json_;
  std::string what_;
};

}  // namespace vmtax::protocol
