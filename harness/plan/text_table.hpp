// Columns of text for a terminal.
#pragma once

#include <string>
#include <vector>

namespace vmtax::plan {

class TextTable {
 public:
  explicit TextTable(std::vector<std::string> titles);

  /// As many cells as there are titles.
  void add(std::vector<std::string> cells);

  /// Titles, a rule and the rows, two spaces apart and indented by two; columns are as wide as
  /// their longest cell, counted in characters.
  std::string text() const;

 private:
  std::vector<std::vector<std::string>> rows_;
};

}  // namespace vmtax::plan
