// Reads CSV (RFC 4180) independently of the code that writes it.
#pragma once

#include <map>
#include <stdexcept>
#include <string>
#include <vector>

namespace vmtax::test {

using CsvRows = std::vector<std::map<std::string, std::string>>;

inline std::vector<std::vector<std::string>> csv_records(const std::string& text) {
  std::vector<std::vector<std::string>> records(1, {""});
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    std::string& field = records.back().back();
    if (quoted && text[i] == '"' && i + 1 < text.size() && text[i + 1] == '"') {
      field += text[i++];
    } else if (text[i] == '"') {
      quoted = !quoted;
    } else if (!quoted && text[i] == ',') {
      records.back().emplace_back();
    } else if (!quoted && text.compare(i, 2, "\r\n") == 0) {
      ++i;
      records.push_back({""});
    } else {
      field += text[i];
    }
  }
  records.pop_back();
  return records;
}

inline CsvRows read_csv(const std::string& text) {
  const auto records = csv_records(text);
  CsvRows rows;
  for (std::size_t i = 1; i < records.size(); ++i) {
    if (records[i].size() != records[0].size())
      throw std::runtime_error("row " + std::to_string(i) + " has another number of fields");
    auto& row = rows.emplace_back();
    for (std::size_t c = 0; c < records[i].size(); ++c) row[records[0][c]] = records[i][c];
  }
  return rows;
}

}  // namespace vmtax::test
