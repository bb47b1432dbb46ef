// Text from outside (names in a scenario, serials, kernel messages) made harmless for each form.
#pragma once

#include <string>
#include <string_view>

namespace vmtax::report {

/// Control characters, line and paragraph separators and bidirectional overrides as visible escapes
/// ("\u{202E}"), broken UTF-8 as U+FFFD. For everything that people read.
std::string visible(std::string_view text);

/// visible(), with & < > " ' as entities: for text and quoted attributes of HTML.
std::string html(std::string_view text);

/// The same for preformatted text of several lines: newlines and tabs stay.
std::string html_lines(std::string_view text);

/// visible(), with the characters that Markdown gives a meaning inside a table cell escaped.
std::string markdown(std::string_view text);

/// A field of RFC 4180; quoted only where needed. Bytes are kept.
std::string csv(std::string_view text);

/// JSON text (ASCII only) that may stand inside <script>: <, > and & as \u escapes.
std::string script_json(std::string json);

}  // namespace vmtax::report
