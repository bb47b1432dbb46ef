// The analysed run in words and printed numbers: what every form of the report renders, so that
// they agree to the printed digit. Texts are raw: each form escapes them.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analysis/analysis.hpp"

namespace vmtax::report {

/// What stands where there is no number.
inline constexpr const char* absent = "–";
inline constexpr const char* withheld_text = "withheld";

/// One cell. Speeds are IOPS for random patterns and MB/s for sequential ones.
struct CellText {
  const analysis::Cell* cell = nullptr;
  std::string point;  ///< "rand-read depth 32"
  std::string bare, backing, guest;
  std::string loss;           ///< "60.0 %", withheld_text or absent
  std::string loss_interval;  ///< "[58.1, 61.9]" or empty
  std::string inflation_mean, inflation_p99;
  std::string share_total, share_virtualization, share_storage_layer, share_format;
  std::string rounds;  ///< "3/3"
};

struct OccurrenceText {
  std::string evidence;
  std::string where;  ///< "the whole run", "raw: rand-read depth 1", "raw-writeback (5 cells)"
};

struct FindingText {
  std::string id, severity, title, means, remedy;
  std::vector<OccurrenceText> occurrences;
};

/// A fact of both sides, or of the run alone (then `guest` is empty).
struct FactText {
  std::string name, host, guest;
  bool differs = false;
};

struct ChartPoint {
  std::uint32_t iodepth = 1;
  double value = 0;
  std::string text;
};

struct ChartSeries {
  std::string label;
  store::Arm arm = store::Arm::guest;
  bool ram_backed = false;
  std::vector<ChartPoint> points;
};

/// Speed over iodepth of one drive and workload.
struct Chart {
  std::string drive, workload;
  std::string title;  ///< "rand-read: 4KiB randread"
  std::string unit;   ///< "IOPS" or "MB/s"
  std::vector<ChartSeries> series;
};

/// Cells whose ratios are withheld for one reason.
struct WithheldText {
  std::string where, reason;
};

struct MissingText {
  std::string kind, where, reason;
};

struct Model {
  analysis::Analysis analysis;
  std::string title;
  std::string measured;     ///< one line: what was measured
  std::string accelerator;  ///< one line: how guests ran
  bool emulated = false;
  std::string time;  ///< one line: where the wall time went
  std::vector<CellText> cells;
  std::vector<FindingText> findings;
  std::vector<WithheldText> withheld;
  std::vector<MissingText> missing;
  std::vector<FactText> run_facts;   ///< of the run, with an empty guest column
  std::vector<FactText> side_facts;  ///< host against guest
  std::vector<Chart> charts;
  std::vector<std::string> method;  ///< paragraphs in plain words
};

/// `analysis.cells` must stay where they are: the model is not copied.
Model make_model(analysis::Analysis analysis);

bool is_random(const std::string& pattern);
std::string speed(const std::string& pattern, const std::optional<analysis::ArmFigures>& figures);

/// Whether the sign of a cell's loss is known: it has an interval, and 0 lies outside.
bool is_resolved(const analysis::Cell& cell);

/// How many findings of a severity the run has.
std::size_t count(const Model& model, analysis::Severity severity);

}  // namespace vmtax::report
