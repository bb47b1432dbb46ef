#include "base/text_table.hpp"

#include "support/catch.hpp"

using namespace vmtax;

namespace {

const std::vector<Column> columns{{"name", false, 6}, {"n", true}, {"more", false, 0, 1}};
const std::vector<std::vector<TableCell>> rows{{{"a long name"}, {"7"}, {"x"}},
                                               {{"äö"}, {"1,234"}, {"y", "31"}}};

}  // namespace

TEST_CASE("a table is as wide as its cells where there is room") {
  CHECK(render_table(columns, rows, {}) ==
        "  name             n  more\n"
        "  a long name      7  x\n"
        "  äö           1,234  y\n");
}

TEST_CASE("a table has a rule when asked for") {
  CHECK(render_table({{"a"}, {"b"}}, {{{"xyz"}, {"1"}}}, {.rule = true}) ==
        "  a    b\n"
        "  ---  -\n"
        "  xyz  1\n");
}

TEST_CASE("in a narrow table names are shortened first, then columns are dropped") {
  CHECK(render_table(columns, rows, {.width = 21}) ==
        "  name        n  more\n"
        "  a lon…      7  x\n"
        "  äö      1,234  y\n");
  CHECK(render_table(columns, rows, {.width = 18}) ==
        "  name           n\n"
        "  a long n…      7\n"
        "  äö         1,234\n");
}

TEST_CASE("styles are printed only with colours") {
  CHECK(render_table(columns, rows, {.colour = true}).find("\x1b[31my") != std::string::npos);
  CHECK(render_table(columns, rows, {}).find('\x1b') == std::string::npos);
}

TEST_CASE("text is cut and wrapped by characters, not bytes") {
  CHECK(shortened("äöüß", 4) == "äöüß");
  CHECK(shortened("äöüßx", 4) == "äöü…");
  CHECK(wrapped("one two three", 9, 2) == "one two\n  three\n");
  CHECK(wrapped("two three", 9, 2, "one") == "one two\n  three\n");
}
