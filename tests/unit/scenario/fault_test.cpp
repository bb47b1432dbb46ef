#include "scenario/fault.hpp"

#include "scenario/shape_check.hpp"
#include "scenario/source.hpp"
#include "support/catch.hpp"

namespace vmtax::scenario {
namespace {

TEST_CASE("a value in a message is short and printable") {
  CHECK(printable("plain 'ä' 名前") == "plain 'ä' 名前");
  CHECK(printable("a\nb\tc\x1b[0m") == "a\\u{a}b\\u{9}c\\u{1b}[0m");
  CHECK(printable("left\u202eright") == "left\\u{202e}right");
  CHECK(printable("bad \xff byte") == "bad \\xff byte");
  CHECK(printable(std::string(60, 'x')) == std::string(60, 'x'));
  CHECK(printable(std::string(61, 'x')) == std::string(60, 'x') + "…");
}

TEST_CASE("the nearest known word is suggested, and none when none is near") {
  const std::vector<std::string_view> keys{"filesystem", "cache", "cluster_size", "total_iops_sec"};
  CHECK(suggestion("filesytem", keys) == " (did you mean 'filesystem'?)");
  CHECK(suggestion("Cache", keys) == " (did you mean 'cache'?)");
  CHECK(suggestion("cluster-size", keys) == " (did you mean 'cluster_size'?)");
  CHECK(suggestion("total_iops", keys) == " (did you mean 'total_iops_sec'?)");
  CHECK(suggestion("colour", keys) == "");
  CHECK(suggestion("", keys) == "");
  CHECK(suggestion("x", {}) == "");
}

TEST_CASE("UTF-8 is decoded as the standard has it") {
  CHECK(decode_utf8("a").code == U'a');
  CHECK(decode_utf8("é").code == U'é');
  CHECK(decode_utf8("€x").length == 3);
  CHECK(decode_utf8("\xf0\x9f\x98\x80").code == 0x1f600);
  for (const std::string bad : {"\x80", "\xc0\x80", "\xc3", "\xe0\x80\x80", "\xed\xa0\x80",
                                "\xf0\x80\x80\x80", "\xf4\x90\x80\x80", "\xff"})
    CHECK(decode_utf8(bad).length == 0);
  CHECK(count_characters("ä€x") == 3);
}

TEST_CASE("plain values are classified by YAML 1.2's core schema") {
  for (const auto* text : {"~", "null", "NULL"}) CHECK(classify(text) == Plain::null);
  for (const auto* text : {"true", "False", "TRUE"}) CHECK(classify(text) == Plain::flag);
  for (const auto* text : {"0", "-12", "+3", "1.5", ".5", "1.", "1e9", "5E100", "0x1F", "0o17",
                           ".inf", "-.INF", ".nan"})
    CHECK(classify(text) == Plain::number);
  for (const auto* text :
       {"off", "yes", "n", "4KiB", "1.2.3", "0x", "e5", "-", ".", "1e", "0xg", "10:30", "tRue"})
    CHECK(classify(text) == Plain::text);
}

}  // namespace
}  // namespace vmtax::scenario
