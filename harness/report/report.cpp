#include "report/report.hpp"

#include <algorithm>
#include <cstdlib>
#include <iterator>

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

struct Form {
  Format format;
  std::string_view name;
  std::string_view file;
  std::string (*rendered)(const Model&);
};
constexpr Form forms[] = {{Format::html, "html", "report.html", to_html},
                          {Format::markdown, "markdown", "report.md", to_markdown},
                          {Format::csv, "csv", "samples.csv", to_csv},
                          {Format::json, "json", "report.json", to_json_text}};
constexpr int default_columns = 100;

const Form& form_of(Format format) {
  return *std::find_if(std::begin(forms), std::end(forms),
                       [&](const Form& form) { return form.format == format; });
}

Model model_of(const store::Store& store) {
  return make_model(analysis::analyse(analysis::read_study(store)));
}

}  // namespace

std::string_view to_text(Format format) {
  return form_of(format).name;
}

std::optional<Format> parse_format(std::string_view text) {
  for (const Form& form : forms) {
    if (form.name == text) return form.format;
  }
  return std::nullopt;
}

std::filesystem::path file_name(Format format) {
  return form_of(format).file;
}

void write_reports(const std::filesystem::path& run_dir, const std::vector<Format>& formats,
                   const std::filesystem::path& out_dir) {
  // Made first, so that a bad path fails before the work.
  make_directories(out_dir);
  const Model model = model_of(store::Store::open_read_only(run_dir));
  for (const Format format : formats)
    write_atomically(out_dir / file_name(format), form_of(format).rendered(model));
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
