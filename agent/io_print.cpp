#include "agent/io_print.hpp"

#include <cstdio>

#include <nlohmann/json.hpp>

#include "protocol/io_json.hpp"

namespace vmtax::agent {
namespace {

using nlohmann::json;
using protocol::Histogram;

json summary(const Histogram& latencies) {
  return {{"mean", latencies.mean_ns()},
          {"min", latencies.min_ns()},
          {"max", latencies.max_ns()},
          {"p50", latencies.quantile_ns(0.5)},
          {"p90", latencies.quantile_ns(0.9)},
          {"p99", latencies.quantile_ns(0.99)},
          {"p99_9", latencies.quantile_ns(0.999)},
          {"p99_99", latencies.quantile_ns(0.9999)},
          {"overflow", latencies.overflow()}};
}

json direction(const protocol::Latencies& latencies) {
  return {{"ios", latencies.lat.count()},
          {"clat_ns", summary(latencies.clat)},
          {"slat_ns", summary(latencies.slat)},
          {"lat_ns", summary(latencies.lat)}};
}

json series_of(const protocol::Series& series) {
  json columns{{"window_ns", series.window_ns()}};
  for (const char* name : {"ios", "bytes", "lat_sum_ns", "lat_max_ns"})
    columns[name] = json::array();
  for (const auto& window : series.windows()) {
    columns["ios"].push_back(window.ios);
    columns["bytes"].push_back(window.bytes);
    columns["lat_sum_ns"].push_back(window.lat_sum_ns);
    columns["lat_max_ns"].push_back(window.lat_max_ns);
  }
  return columns;
}

std::string microseconds(double ns) {
  char text[32];
  std::snprintf(text, sizeof text, "%.1f us", ns / 1e3);
  return text;
}

}  // namespace

std::string json_of_result(const protocol::IoJob& job, const protocol::IoResult& result) {
  json document{
      {"ios", result.ios},
      {"bytes", result.bytes.value},
      {"elapsed_ns", result.elapsed.count()},
      {"ramp_elapsed_ns", result.ramp_elapsed.count()},
      {"iops", result.iops()},
      {"bytes_per_second", result.bytes_per_second()},
      {"achieved_depth", result.achieved_depth()},
      {"clat_ns", summary(result.clat)},
      {"slat_ns", summary(result.slat)},
      {"lat_ns", summary(result.lat)},
      {"cpu", {{"user_ns", result.cpu.user.count()}, {"system_ns", result.cpu.system.count()}}},
      {"errors", 0},
      {"direct", result.direct},
      {"target_path", result.target_path},
      {"target_size", result.target_size.value},
      {"flushes", result.flushes.count()},
      {"flush_ns", summary(result.flushes)},
      {"final_flush_ns", result.final_flush.count()},
      {"unstarted", result.unstarted},
      {"context_switches",
       {{"voluntary", result.context_switches.voluntary},
        {"involuntary", result.context_switches.involuntary}}},
      {"clock", {{"read_ns", result.clock.read_ns}, {"source", result.clock.source}}},
      {"series", series_of(result.series)},
      {"job", protocol::to_json(job)}};
  if (result.reads) document["read"] = direction(*result.reads);
  if (result.writes) document["write"] = direction(*result.writes);
  return document.dump(2);
}

std::string json_of_failure(const protocol::IoFailure& failure) {
  json document = protocol::to_json(protocol::IoOutcome{failure});
  document["errors"] = 1;
  return document.dump(2, ' ', false, json::error_handler_t::replace);
}

std::string line_of_result(const protocol::IoJob& job, const protocol::IoResult& result) {
  char numbers[160];
  std::snprintf(numbers, sizeof numbers, "%.0f IOPS, %.1f MB/s in %.2f s", result.iops(),
                result.bytes_per_second() / 1e6,
                std::chrono::duration<double>(result.elapsed).count());
  return std::string{protocol::to_text(job.pattern)} + " " + format_bytes(job.block_size) +
         " depth " + std::to_string(job.iodepth) + ": " + numbers + ", latency mean " +
         microseconds(result.lat.mean_ns()) + " p50 " + microseconds(result.lat.quantile_ns(0.5)) +
         " p99 " + microseconds(result.lat.quantile_ns(0.99)) + " max " +
         microseconds(static_cast<double>(result.lat.max_ns()));
}

}  // namespace vmtax::agent
