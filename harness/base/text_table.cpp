#include "base/text_table.hpp"

#include <algorithm>
#include <numeric>

namespace vmtax {
namespace {

constexpr std::size_t indent_width = 2;
constexpr std::size_t gap = 2;
constexpr std::size_t last_resort = 4;  // characters of a name, where nothing is left to drop

bool continues(char c) {
  return (static_cast<unsigned char>(c) & 0xc0) == 0x80;
}

using Rows = std::vector<std::vector<TableCell>>;

std::vector<std::size_t> natural_widths(const std::vector<Column>& columns, const Rows& rows) {
  std::vector<std::size_t> widths;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    std::size_t width = width_of(columns[i].name);
    for (const auto& row : rows) width = std::max(width, width_of(row[i].text));
    widths.push_back(width);
  }
  return widths;
}

std::size_t total(const std::vector<std::size_t>& widths) {
  const std::size_t sum = std::accumulate(widths.begin(), widths.end(), std::size_t{0});
  return indent_width + sum + (widths.empty() ? 0 : gap * (widths.size() - 1));
}

/// Takes from the widest column that may still give; `at_least` in place of its own limit if given.
void shrink(std::vector<std::size_t>& widths, const std::vector<Column>& columns, std::size_t width,
            std::size_t at_least = 0) {
  while (total(widths) > width) {
    std::size_t widest = widths.size();
    for (std::size_t i = 0; i < widths.size(); ++i) {
      if (columns[i].least == 0 || widths[i] <= (at_least ? at_least : columns[i].least)) continue;
      if (widest == widths.size() || widths[i] > widths[widest]) widest = i;
    }
    if (widest == widths.size()) return;
    --widths[widest];
  }
}

bool drop_one(std::vector<Column>& columns, Rows& rows) {
  const auto last =
      std::max_element(columns.begin(), columns.end(),
                       [](const Column& a, const Column& b) { return a.drop < b.drop; });
  if (last == columns.end() || last->drop == 0) return false;
  const auto index = last - columns.begin();
  columns.erase(last);
  for (auto& row : rows) row.erase(row.begin() + index);
  return true;
}

std::string padded(const std::string& text, std::size_t width, bool right) {
  const std::string space(width - std::min(width, width_of(text)), ' ');
  return right ? space + text : text + space;
}

std::string table_line(const std::vector<Column>& columns, const std::vector<TableCell>& cells,
                       const std::vector<std::size_t>& widths, bool colour) {
  std::string line(indent_width, ' ');
  for (std::size_t i = 0; i < columns.size(); ++i) {
    if (i > 0) line.append(gap, ' ');
    const std::string text =
        padded(shortened(cells[i].text, widths[i]), widths[i], columns[i].right);
    line += styled(text, cells[i].style, colour);
  }
  line.erase(line.find_last_not_of(' ') + 1);
  return line + "\n";
}

}  // namespace

std::size_t width_of(std::string_view text) {
  return text.size() - static_cast<std::size_t>(std::count_if(text.begin(), text.end(), continues));
}

std::string shortened(std::string_view text, std::size_t width) {
  if (width_of(text) <= width) return std::string(text);
  if (width == 0) return "";
  std::size_t end = 0;
  for (std::size_t taken = 0; end < text.size(); ++end) {
    if (continues(text[end])) continue;
    if (taken == width - 1) break;
    ++taken;
  }
  return std::string(text.substr(0, end)) + "…";
}

std::string styled(const std::string& text, const std::string& style, bool colour) {
  if (!colour || style.empty()) return text;
  return "\x1b[" + style + "m" + text + "\x1b[0m";
}

std::string render_table(std::vector<Column> columns, Rows rows, const TableLook& look) {
  std::vector<std::size_t> widths = natural_widths(columns, rows);
  shrink(widths, columns, look.width);
  while (total(widths) > look.width && drop_one(columns, rows)) {
    widths = natural_widths(columns, rows);
    shrink(widths, columns, look.width);
  }
  shrink(widths, columns, look.width, last_resort);
  std::vector<TableCell> head, rule;
  for (const Column& column : columns) head.push_back({column.name, "1"});
  for (const std::size_t width : widths) rule.push_back({std::string(width, '-')});
  std::string text = table_line(columns, head, widths, look.colour);
  if (look.rule) text += table_line(columns, rule, widths, look.colour);
  for (const auto& row : rows) text += table_line(columns, row, widths, look.colour);
  return text;
}

std::string wrapped(std::string_view text, std::size_t width, std::size_t indent,
                    std::string_view head) {
  std::string result, line(head);
  bool fresh = head.empty();  // nothing but indentation in the line so far
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    const std::string_view word = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (!fresh && width_of(line) + 1 + width_of(word) > width) {
      result += line + "\n";
      line.assign(indent, ' ');
      fresh = true;
    }
    if (!fresh) line += ' ';
    line += shortened(word, width - std::min(width - 1, width_of(line)));
    fresh = false;
  }
  return result + line + "\n";
}

}  // namespace vmtax
