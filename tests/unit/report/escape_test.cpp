#include "report/escape.hpp"

#include "support/catch.hpp"

using namespace vmtax::report;

TEST_CASE("what deceives the eye is made visible") {
  CHECK(visible("plain äöü €") == "plain äöü €");
  CHECK(visible("a\nb\x1b[31m") == "a\\u{000A}b\\u{001B}[31m");
  CHECK(visible("user\u202efdp.exe") == "user\\u{202E}fdp.exe");
  CHECK(visible("line\u2028separator\u2029") == "line\\u{2028}separator\\u{2029}");
  CHECK(visible("\u009b31m") == "\\u{009B}31m");
}

TEST_CASE("broken UTF-8 becomes the replacement character") {
  CHECK(visible("a\xff"
                "b") == "a\ufffdb");
  CHECK(visible("cut \xe2\x82") == "cut \ufffd\ufffd");
  CHECK(visible("\xc0\xaf overlong") == "\ufffd\ufffd overlong");
  CHECK(visible("\xed\xa0\x80 surrogate") == "\ufffd\ufffd\ufffd surrogate");
}

TEST_CASE("HTML text has no markup left") {
  CHECK(html("<b a=\"x\" c='y'>&amp;") == "&lt;b a=&quot;x&quot; c=&#39;y&#39;&gt;&amp;amp;");
  CHECK(html_lines("<a>\n\tb\r\n") == "&lt;a&gt;\n\tb\\u{000D}\n");
}

TEST_CASE("Markdown text stays in its cell and is no markup") {
  CHECK(markdown("a|b") == "a\\|b");
  CHECK(markdown("*x* _y_ `z` [l](u)") == "\\*x\\* \\_y\\_ \\`z\\` \\[l\\](u)");
  CHECK(markdown("<img>") == "&lt;img&gt;");
  CHECK(markdown("two\nlines") == "two\\\\u{000A}lines");
}

TEST_CASE("CSV fields are quoted where needed") {
  CHECK(csv("plain") == "plain");
  CHECK(csv("a,b") == "\"a,b\"");
  CHECK(csv("say \"x\"") == "\"say \"\"x\"\"\"");
  CHECK(csv("two\nlines") == "\"two\nlines\"");
}

TEST_CASE("JSON in a script element can't end it") {
  CHECK(script_json(R"({"a":"</script><!--&"})") ==
        R"({"a":"\u003c/script\u003e\u003c!--\u0026"})");
}
