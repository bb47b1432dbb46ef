#include <cmath>

#include <nlohmann/json.hpp>

#include "protocol/io_json.hpp"
#include "protocol/json_fields.hpp"

namespace vmtax::protocol {

using nlohmann::json;

namespace {

json to_json(const Latencies& latencies) {
  return {{"lat", to_json(latencies.lat)},
          {"slat", to_json(latencies.slat)},
          {"clat", to_json(latencies.clat)}};
}

Latencies latencies_from_json(const json& object) {
  const Fields fields{object, "latencies"};
  fields.allow_only({"lat", "slat", "clat"});
  Latencies latencies{histogram_from_json(fields.member("lat")),
                      histogram_from_json(fields.member("slat")),
                      histogram_from_json(fields.member("clat"))};
  if (latencies.slat.count() != latencies.lat.count() ||
      latencies.clat.count() != latencies.lat.count())
    fields.fail("", "have different counts");
  return latencies;
}

// One row per window: ios, bytes, sum and maximum of lat.
json to_json(const Series& series) {
  json rows = json::array();
  for (const auto& window : series.windows())
    rows.push_back({window.ios, window.bytes, window.lat_sum_ns, window.lat_max_ns});
  return {{"window_ns", series.window_ns()}, {"windows", std::move(rows)}};
}

Series series_from_json(const json& object) {
  const Fields fields{object, "series"};
  fields.allow_only({"window_ns", "windows"});
  std::vector<Series::Window> windows;
  for (const auto& row : fields.list("windows", Series::capacity)) {
    if (!row.is_array() || row.size() != 4) fields.fail("windows", "has a row of no four numbers");
    const auto cell = [&](std::size_t i) { return fields.number_of(row[i], "window", ~0ULL); };
    windows.push_back({cell(0), cell(1), cell(2), cell(3)});
  }
  Series series;
  if (!Series::restore(fields.number("window_ns"), std::move(windows), series))
    fields.fail("window_ns", "is no 100 ms times a power of two");
  return series;
}

ClockFacts clock_from_json(const Fields& fields) {
  const auto& cost = fields.member("clock_read_ns");
  if (!cost.is_number() || !std::isfinite(cost.get<double>()) || cost.get<double>() < 0)
    fields.fail("clock_read_ns", "is no duration");
  return {cost.get<double>(), fields.text("clocksource")};
}

// Results of protocol version 1 lie in stores that are still read: they have none of these.
void read_additions(const Fields& fields, IoResult& result) {
  if (fields.has("reads")) result.reads = latencies_from_json(fields.member("reads"));
  if (fields.has("writes")) result.writes = latencies_from_json(fields.member("writes"));
  if (result.reads.has_value() != result.writes.has_value())
    fields.fail("reads", "and writes come together");
  if (result.reads && result.reads->lat.count() + result.writes->lat.count() != result.ios)
    fields.fail("reads", "and writes don't add up to the ios");
  if (fields.has("flushes")) result.flushes = histogram_from_json(fields.member("flushes"));
  if (fields.has("final_flush_ns")) result.final_flush = fields.duration("final_flush_ns");
  if (fields.has("series")) result.series = series_from_json(fields.member("series"));
  if (fields.has("unstarted")) result.unstarted = fields.number("unstarted");
  if (fields.has("voluntary_switches"))
    result.context_switches = {fields.number("voluntary_switches"),
                               fields.number("involuntary_switches")};
  if (fields.has("clock_read_ns")) result.clock = clock_from_json(fields);
}

}  // namespace

json to_json(const IoResult& result) {
  json object{{"ios", result.ios},
              {"bytes", result.bytes.value},
              {"elapsed_ns", result.elapsed.count()},
              {"ramp_elapsed_ns", result.ramp_elapsed.count()},
              {"job_elapsed_ns", result.job_elapsed.count()},
              {"lat", to_json(result.lat)},
              {"slat", to_json(result.slat)},
              {"clat", to_json(result.clat)},
              {"flushes", to_json(result.flushes)},
              {"final_flush_ns", result.final_flush.count()},
              {"series", to_json(result.series)},
              {"unstarted", result.unstarted},
              {"voluntary_switches", result.context_switches.voluntary},
              {"involuntary_switches", result.context_switches.involuntary},
              {"clock_read_ns", result.clock.read_ns},
              {"clocksource", result.clock.source},
              {"cpu_user_ns", result.cpu.user.count()},
              {"cpu_system_ns", result.cpu.system.count()},
              {"direct", result.direct},
              {"target_path", result.target_path},
              {"target_size", result.target_size.value}};
  if (result.reads) object["reads"] = to_json(*result.reads);
  if (result.writes) object["writes"] = to_json(*result.writes);
  return object;
}

IoResult result_from_json(const json& object) {
  const Fields fields{object, "result"};
  fields.allow_only({"ios",
                     "bytes",
                     "elapsed_ns",
                     "ramp_elapsed_ns",
                     "job_elapsed_ns",
                     "lat",
                     "slat",
                     "clat",
                     "reads",
                     "writes",
                     "flushes",
                     "final_flush_ns",
                     "series",
                     "unstarted",
                     "voluntary_switches",
                     "involuntary_switches",
                     "clock_read_ns",
                     "clocksource",
                     "cpu_user_ns",
                     "cpu_system_ns",
                     "direct",
                     "target_path",
                     "target_size"});
  IoResult result;
  result.ios = fields.number("ios");
  result.bytes = fields.bytes("bytes");
  result.elapsed = fields.duration("elapsed_ns");
  result.ramp_elapsed = fields.duration("ramp_elapsed_ns");
  result.job_elapsed = fields.duration("job_elapsed_ns");
  result.lat = histogram_from_json(fields.member("lat"));
  result.slat = histogram_from_json(fields.member("slat"));
  result.clat = histogram_from_json(fields.member("clat"));
  if (result.lat.count() != result.ios || result.slat.count() != result.ios ||
      result.clat.count() != result.ios)
    fields.fail("ios", "differs from the number of latencies");
  result.cpu = {fields.duration("cpu_user_ns"), fields.duration("cpu_system_ns")};
  result.direct = fields.boolean("direct");
  result.target_path = fields.text("target_path");
  result.target_size = fields.bytes("target_size");
  read_additions(fields, result);
  return result;
}

}  // namespace vmtax::protocol
