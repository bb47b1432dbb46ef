#include "scenario/yaml_tree.hpp"

#include "scenario_text.hpp"
#include "support/catch.hpp"

namespace vmtax::scenario {
namespace {

Node tree(const std::string& text) {
  return parse_yaml(text, "t.yaml");
}

std::string refusal_of(const std::string& text) {
  return test::refusal_of([&] { tree(text); });
}

TEST_CASE("marks count lines and characters from 1") {
  const auto root = tree("# comment\né: ü\nlist:\n  - a\n  - {k: v}\n");
  CHECK(root.kind == Node::Kind::map);
  CHECK(root.mark.line == 2);
  CHECK(root.key_mark("é").column == 1);
  CHECK(root.find("é")->mark.column == 4);
  const auto& list = *root.find("list");
  CHECK(list.items[0].mark.line == 4);
  CHECK(list.items[0].mark.column == 5);
  CHECK(list.items[1].find("k")->mark.line == 5);
  CHECK(list.items[1].find("k")->mark.column == 9);
}

TEST_CASE("a byte order mark and carriage returns don't move the marks") {
  const auto root = tree(
      "\xef\xbb\xbf"
      "a: 1\r\nb: 2\r\n");
  CHECK(root.key_mark("a").column == 1);
  CHECK(root.find("b")->mark.line == 2);
  CHECK(root.find("b")->text == "2");
}

TEST_CASE("quotes and block scalars make text") {
  const auto root = tree("a: 4\nb: \"4\"\nc: '4'\nd: |-\n  4\ne: >-\n  4\n");
  CHECK_FALSE(root.find("a")->quoted);
  for (const auto* key : {"b", "c", "d", "e"}) {
    CHECK(root.find(key)->quoted);
    CHECK(root.find(key)->text == "4");
  }
}

TEST_CASE("an absent value stands where its key does") {
  const auto root = tree("a:\nb: ~\nc: null\n");
  CHECK(root.find("a")->kind == Node::Kind::null);
  CHECK(root.find("a")->mark.line == 1);
  CHECK(root.find("a")->mark.column == 1);
  CHECK(root.find("b")->mark.column == 4);
  CHECK(root.find("c")->mark.line == 3);
}

TEST_CASE("keys are compared by their text, quoted or not") {
  CHECK(refusal_of("a: 1\n\"a\": 2\n")
            .starts_with("t.yaml:2:1: key 'a' is given twice, first in line 1; allowed: "));
  CHECK(refusal_of("x: {a: 1, b: {a: 1}}\n") == "");
}

TEST_CASE("of YAML only maps, lists and scalars are taken") {
  CHECK(refusal_of("a: &x 1\n").starts_with("t.yaml:1:4: anchor &x is not supported"));
  CHECK(refusal_of("a: !!str 1\n").find("tag tag:yaml.org,2002:str is not supported") !=
        std::string::npos);
  CHECK(refusal_of("a: !mine {}\n").find("tag !mine is not supported") != std::string::npos);
  CHECK(refusal_of("? [a]\n: 1\n").find("a map or list as a key") != std::string::npos);
  CHECK(refusal_of("~: 1\n").find("a key is empty") != std::string::npos);
  CHECK(refusal_of("a: 1\n---\nb: 1\n").starts_with("t.yaml:2:1: a second document"));
  CHECK(refusal_of("- a\nb: c\n").find("a second document") != std::string::npos);
  CHECK(refusal_of("---\na: 1\n...\n") == "");
  CHECK(refusal_of("%YAML 1.2\n---\na: 1\n") == "");
}

TEST_CASE("a quote that is never closed is found") {
  CHECK(refusal_of("a: \"x\n").starts_with("t.yaml:1:4: not valid YAML: a quote is not closed"));
  CHECK(refusal_of("a: 'it''s\n").starts_with("t.yaml:1:4: not valid YAML: a quote is not closed"));
  CHECK(refusal_of("a: 'it''s'\nb: \"\\\"\"\n") == "");
}

}  // namespace
}  // namespace vmtax::scenario
