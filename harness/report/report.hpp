// A run directory's store, written as a report. Needs no root, no libvirt, and never writes the
// store.
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace vmtax::store {
class Store;
}

namespace vmtax::report {

enum class Format { html, markdown, csv, json };
std::string_view to_text(Format format);
std::optional<Format> parse_format(std::string_view text);

/// report.html, report.md, samples.csv, report.json.
std::filesystem::path file_name(Format format);

/// Writes the formats asked for into `out_dir` (made if needed), each whole or not at all.
/// EnvironmentError: no store, damaged, or not writable.
void write_reports(const std::filesystem::path& run_dir, const std::vector<Format>& formats,
                   const std::filesystem::path& out_dir);

/// What was measured and found, at most `columns` wide (40 at least), ended by a newline.
std::string terminal_summary(const store::Store& store, int columns, bool colour);

/// Cells of which a measurement failed: then the exit code is 1.
std::size_t failed_cells(const store::Store& store);

/// Whether the file descriptor is a terminal that wants colours (no NO_COLOR, TERM not "dumb"), and
/// how wide it is; 100 columns where it is none.
bool wants_colour(int fd);
int columns_of(int fd);

}  // namespace vmtax::report
