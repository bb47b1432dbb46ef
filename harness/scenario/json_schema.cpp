// JSON Schema out of the table of shapes. What it can't say: duplicate keys, whole bytes, bounds of
// sizes and times, and rules between sections.
#include <nlohmann/json.hpp>

#include "scenario/scenario.hpp"
#include "scenario/shape.hpp"

namespace vmtax::scenario {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* number_pattern = "^([0-9]+\\.?[0-9]*|\\.[0-9]+)";
// Neither control characters nor line separators.
constexpr const char* single_line = "^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]+$";

Json to_json(const Shape& shape);

Json needs(std::string_view key) {
  Json object = Json::object();
  object["required"] = Json::array({key});
  return object;
}

Json enumeration(const Json& values) {
  Json object = Json::object();
  object["enum"] = values;
  return object;
}

// A value, or each item of a list, is one of these words.
Json only_in(const std::vector<std::string_view>& words) {
  Json values = Json::array();
  for (const auto word : words) {
    if (word == "true" || word == "false")
      values.push_back(word == "true");
    else if (word == "1")
      values.push_back(1);
    else
      values.push_back(word);
  }
  const Json one = enumeration(values);
  return {{"anyOf", Json::array({one, {{"type", "array"}, {"items", one}}})}};
}

Json to_json(const Rule& rule) {
  Json then = rule.required ? needs(rule.other) : Json::object();
  then["properties"][std::string{rule.other}] =
      rule.allowed.empty() ? Json(false) : only_in(rule.allowed);
  Json when = needs(rule.key);
  when["properties"][std::string{rule.key}] = only_in(rule.values);
  // With `exclude` the combination in question may have been taken out.
  when["not"] = needs("exclude");
  return {{"$comment", rule.why}, {"if", when}, {"then", then}};
}

struct ToJson {
  Json operator()(const Whole& kind) const {
    if (!kind.power_of_two)
      return {{"type", "integer"}, {"minimum", kind.least}, {"maximum", kind.most}};
    Json powers = Json::array();
    for (auto power = kind.least; power <= kind.most; power *= 2) powers.push_back(power);
    return enumeration(powers);
  }
  Json operator()(const Size&) const {
    return {{"type", "string"},
            {"pattern", std::string{number_pattern} + "(B|KiB|MiB|GiB|TiB|kB|MB|GB|TB)$"}};
  }
  Json operator()(const Duration&) const {
    return {{"type", "string"}, {"pattern", std::string{number_pattern} + "(ns|us|ms|s|m|h)$"}};
  }
  Json operator()(const Flag&) const {
    Json flag = Json::object();
    flag["type"] = "boolean";
    return flag;
  }
  Json operator()(const Word& kind) const { return enumeration(kind.words); }
  Json operator()(const Text& kind) const {
    Json text{
        {"type", "string"}, {"minLength", 1}, {"maxLength", kind.most}, {"pattern", single_line}};
    if (!kind.pattern.empty()) text["allOf"] = Json::array({Json{{"pattern", kind.pattern}}});
    return text;
  }
  Json operator()(const ListOf& kind) const {
    Json list{{"type", "array"}, {"items", to_json(*kind.item)}, {"minItems", 1}};
    if (kind.unique) list["uniqueItems"] = true;
    if (!kind.or_one) return list;
    Json either = Json::object();
    either["anyOf"] = Json::array({to_json(*kind.item), list});
    return either;
  }
  Json operator()(const Section& kind) const {
    Json properties = Json::object();
    Json required = Json::array();
    for (const auto& field : kind.fields) {
      Json property = {{"description", field.about}};
      property.update(to_json(*field.shape));
      if (!field.fallback.empty()) property["default"] = Json::parse(field.fallback);
      properties[std::string{field.key}] = property;
      if (field.required) required.push_back(field.key);
    }
    Json section{{"type", "object"}, {"properties", properties}, {"additionalProperties", false}};
    if (!required.empty()) section["required"] = required;
    if (kind.least_keys > 0) section["minProperties"] = kind.least_keys;
    add_rules(section, kind);
    return section;
  }
  static void add_rules(Json& section, const Section& kind) {
    Json one = Json::array();
    for (const auto key : kind.exactly_one) one.push_back(needs(key));
    if (!one.empty()) section["oneOf"] = one;
    for (const auto& [key, other, why] : kind.needs)
      section["dependentRequired"][std::string{key}].push_back(other);
    Json rules = Json::array();
    for (const auto& [key, other, why] : kind.conflicts)
      rules.push_back({{"$comment", why}, {"not", {{"required", Json::array({key, other})}}}});
    for (const auto& rule : kind.rules) rules.push_back(to_json(rule));
    if (!rules.empty()) section["allOf"] = rules;
  }
};

Json to_json(const Shape& shape) {
  return std::visit(ToJson{}, shape.kind);
}

}  // namespace

std::string json_schema() {
  Json schema{
      {"$schema", "https://json-schema.org/draft/2020-12/schema"},
      {"title", "vmtax scenario"},
      {"description",
       "What vmtax compares, on which drives, under which workloads. YAML 1.2: on and off are "
       "words, only true and false are truth values."}};
  schema.update(to_json(scenario_shape()));
  return schema.dump(2) + "\n";
}

}  // namespace vmtax::scenario
