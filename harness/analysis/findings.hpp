// Findings: what the reader must know to read a number. One catalogue of rules; each rule is a row
// of data and a check, so that a new finding is a new row.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/cell.hpp"

namespace vmtax::analysis {

enum class Severity {
  invalid,  ///< the number is wrong or means something else: withheld
  caution,  ///< the number is right under a condition that the reader may not share
  note,
};
std::string_view to_text(Severity severity);

/// What a check saw, with figures. Equal observations of several cells become one.
struct Observation {
  std::string evidence;
  std::optional<Severity> severity;  ///< where it differs from the rule's
};

struct CellContext {
  const Study& study;
  const PairedCell& paired;
  const Cell& cell;
};

/// Which ratios of a cell a finding makes meaningless.
enum class Withholds {
  nothing,
  guest_against_host,  ///< host arms among themselves, and guests among themselves, still compare
  everything,
};

struct Rule {
  std::string_view id;
  Severity severity;
  std::string_view title;
  std::string_view means;                    ///< for the number
  std::string_view remedy;                   ///< what to do
  Withholds withholds = Withholds::nothing;  ///< everything, always, with `invalid`
  std::optional<Observation> (*of_run)(const Study&) = nullptr;  ///< one of the two is set
  std::optional<Observation> (*of_cell)(const CellContext&) = nullptr;
};

/// In the order in which findings of one severity are listed. Ids are unique and never reused.
std::span<const Rule> catalogue();

struct Occurrence {
  std::string evidence;
  std::vector<CellKey> cells;  ///< empty: the whole run
};

struct Finding {
  const Rule* rule = nullptr;
  Severity severity = Severity::note;
  std::vector<Occurrence> occurrences;
};

/// Applies the catalogue: the findings by severity, and in each cell its ids and whether its ratios
/// are withheld. `paired` and `cells` belong together by index.
std::vector<Finding> find(const Study& study, const std::vector<PairedCell>& paired,
                          std::vector<Cell>& cells);

}  // namespace vmtax::analysis
