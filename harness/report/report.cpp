#include "report/report.hpp"

#include <cstdlib>

#include <sys/ioctl.h>
#include <unistd.h>

#include "base/files.hpp"
#include "report/csv.hpp"
#include "report/html.hpp"
#include "report/json.hpp"
#include "report/markdown.hpp"
#include "report/model.hpp"
#include "report/terminal.hpp"
#include "store/store.hpp"

namespace vmtax::report {
namespace {

constexpr Format all_formats[] = {Format::html, Format::markdown, Format::csv, Format::json};
constexpr int default_columns = 100;

Model model_of(const store::Store& store) {
  return make_model(analysis::analyse(analysis::read_study(store)));
}

std::string rendered(const Model& model, Format format) {
  switch (format) {
    case Format::html:
      return to_html(model);
    case Format::markdown:
      return to_markdown(model);
    case Format::csv:
      return to_csv(model);
    case Format::json:
      break;
  }
  return to_json_text(model);
}

}  // namespace

std::string_view to_text(Format format) {
  switch (format) {
    case Format::html:
      return "html";
    case Format::markdown:
      return "markdown";
    case Format::csv:
      return "csv";
    case Format::json:
      break;
  }
  return "json";
}

std::optional<Format> parse_format(std::string_view text) {
  for (const Format format : all_formats) {
    if (to_text(format) == text) return format;
  }
  return std::nullopt;
}

std::filesystem::path file_name(Format format) {
  switch (format) {
    case Format::html:
      return "report.html";
    case Format::markdown:
      return "report.md";
    case Format::csv:
      return "samples.csv";
    case Format::json:
      break;
  }
  return "report.json";
}

void write_reports(const std::filesystem::path& run_dir, const std::vector<Format>& formats,
                   const std::filesystem::path& out_dir) {
  // Made first, so that a bad path fails before the work.
  make_directories(out_dir);
  const Model model = model_of(store::Store::open_read_only(run_dir));
  for (const Format format : formats)
    write_atomically(out_dir / file_name(format), rendered(model, format));
}

std::string terminal_summary(const store::Store& store, int columns, bool colour) {
  return to_terminal(model_of(store), columns, colour);
}

std::size_t failed_cells(const store::Store& store) {
  return analysis::failed_cells(analysis::analyse(analysis::read_study(store)));
}

bool wants_colour(int fd) {
  const char* refused = std::getenv("NO_COLOR");
  const char* terminal = std::getenv("TERM");
  if (refused && *refused) return false;
  return ::isatty(fd) == 1 && !(terminal && std::string_view(terminal) == "dumb");
}

int columns_of(int fd) {
  winsize size{};
  if (::ioctl(fd, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) return size.ws_col;
  return default_columns;
}

}  // namespace vmtax::report
