// Text for a terminal of limited width: tables of aligned columns, and lines broken between words.
#pragma once

#include <cstddef>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

namespace vmtax {

/// Columns that UTF-8 text takes on a terminal, by code points (names of two-cell width are rare
/// and only shift their row).
std::size_t width_of(std::string_view text);

/// At most `width` code points; what is cut ends in "…".
std::string shortened(std::string_view text, std::size_t width);

struct Column {
  std::string name;
  bool right = false;
  /// It may be shortened, to this width before others are dropped; 0: never.
  std::size_t least = 0;
  int drop = 0;  ///< columns are left out from the highest on; 0: never
};

struct TableCell {
  std::string text;
  std::string style = {};  ///< ANSI parameters such as "31"; empty: none
};

struct TableLook {
  std::size_t width = std::numeric_limits<std::size_t>::max();  ///< of a line, indentation included
  bool colour = false;
  bool rule = false;  ///< a line of dashes below the header
};

/// Header and rows, each line indented by two and ended by a newline, within the width: first the
/// columns that may be shortened are, then columns are dropped. Rows have a cell for each column.
std::string render_table(std::vector<Column> columns, std::vector<std::vector<TableCell>> rows,
                         const TableLook& look);

/// Words broken into lines of at most `width`; the first begins with `head`, further ones with
/// `indent` spaces.
std::string wrapped(std::string_view text, std::size_t width, std::size_t indent,
                    std::string_view head = "");

std::string styled(const std::string& text, const std::string& style, bool colour);

}  // namespace vmtax
