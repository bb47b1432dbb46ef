#include "report/csv.hpp"

#include <vector>

#include <fmt/format.h>

#include "report/escape.hpp"

namespace vmtax::report {
namespace {

constexpr const char* header =
    "run,drive,configuration,footprint,workload,pattern,block_size,engine,direct_asked,"
    "iodepth,round,arm,visit,position,seed,started_unix_ns,host_elapsed_ns,resident_before,"
    "status,reason,ios,bytes,elapsed_ns,ramp_elapsed_ns,job_elapsed_ns,iops,bytes_per_second,"
    "lat_mean_ns,lat_p50_ns,lat_p99_ns,lat_max_ns,slat_mean_ns,clat_mean_ns,cpu_user_ns,"
    "cpu_system_ns,cpu_ns_per_io,direct\r\n";
constexpr std::size_t figure_columns = 17;

std::vector<std::string> figure_fields(const analysis::Figures& f) {
  const auto text = [](auto value) { return fmt::format("{}", value); };
  return {text(f.ios),
          text(f.bytes.value),
          text(f.elapsed.count()),
          text(f.ramp_elapsed.count()),
          text(f.job_elapsed.count()),
          text(f.iops),
          text(f.bytes_per_second),
          text(f.lat_mean_ns),
          text(f.lat_p50_ns),
          text(f.lat_p99_ns),
          text(f.lat_max_ns),
          text(f.slat_mean_ns),
          text(f.clat_mean_ns),
          text(f.cpu_user.count()),
          text(f.cpu_system.count()),
          text(f.cpu_ns_per_io),
          text(f.direct)};
}

/// "ok", "failed", or "interrupted" for what an unfinished block left: it takes no part in any
/// ratio.
std::string status_of(const analysis::Sample& sample) {
  if (!sample.figures()) return "failed";
  return sample.block_finished ? "ok" : "interrupted";
}

std::string row(const store::RunRecord& run, const store::WorkloadRecord& workload,
                const analysis::Sample& s) {
  const auto* failure = std::get_if<analysis::Failure>(&s.outcome);
  std::vector<std::string> fields{run.id,
                                  s.drive,
                                  s.configuration,
                                  s.footprint,
                                  s.workload,
                                  workload.pattern,
                                  std::to_string(workload.block_size.value),
                                  workload.engine,
                                  workload.direct ? "true" : "false",
                                  std::to_string(s.iodepth),
                                  std::to_string(s.round + 1),
                                  std::string(to_text(s.arm)),
                                  std::to_string(s.visit + 1),
                                  std::to_string(s.position + 1),
                                  std::to_string(s.seed),
                                  std::to_string(s.started_unix_ns),
                                  std::to_string(s.host_elapsed.count()),
                                  std::to_string(s.resident_before.value),
                                  status_of(s),
                                  failure ? failure->reason : ""};
  const auto* figures = s.figures();
  const auto more = figures ? figure_fields(*figures) : std::vector<std::string>(figure_columns);
  fields.insert(fields.end(), more.begin(), more.end());
  std::string line;
  for (const auto& field : fields) line += (line.empty() ? "" : ",") + csv(field);
  return line + "\r\n";
}

}  // namespace

std::string to_csv(const Model& model) {
  std::string text = header;
  const auto& study = model.analysis.study;
  for (const auto& sample : study.samples)
    text += row(study.run, study.workload(sample.workload), sample);
  return text;
}

}  // namespace vmtax::report
