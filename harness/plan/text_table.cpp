#include "plan/text_table.hpp"

#include <algorithm>
#include <utility>

namespace vmtax::plan {
namespace {

// Code points: right for most names, and no library for the rest.
std::size_t width(const std::string& text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xc0U) != 0x80;
  }));
}

}  // namespace

TextTable::TextTable(std::vector<std::string> titles) {
  rows_.push_back(std::move(titles));
}

void TextTable::add(std::vector<std::string> cells) {
  rows_.push_back(std::move(cells));
}

std::string TextTable::text() const {
  std::vector<std::size_t> widths(rows_.front().size());
  for (const auto& row : rows_)
    for (std::size_t column = 0; column < row.size(); ++column)
      widths[column] = std::max(widths[column], width(row[column]));

  const auto line = [&](const std::vector<std::string>& cells) {
    std::string text = " ";
    for (std::size_t column = 0; column < cells.size(); ++column)
      text += " " + cells[column] + std::string(widths[column] - width(cells[column]) + 1, ' ');
    text.erase(text.find_last_not_of(' ') + 1);
    return text + "\n";
  };

  std::vector<std::string> rule;
  for (const auto columns : widths) rule.emplace_back(columns, '-');
  std::string text = line(rows_.front()) + line(rule);
  for (std::size_t row = 1; row < rows_.size(); ++row) text += line(rows_[row]);
  return text;
}

}  // namespace vmtax::plan
