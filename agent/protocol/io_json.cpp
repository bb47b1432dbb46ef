#include "protocol/io_json.hpp"

#include <limits>

#include <nlohmann/json.hpp>

#include "protocol/json_fields.hpp"

namespace vmtax::protocol {

using nlohmann::json;

json to_json(const Target& target) {
  return target.serial.empty() ? json{{"path", target.path}} : json{{"serial", target.serial}};
}

Target target_from_json(const json& object) {
  const Fields fields{object, "target"};
  fields.allow_only({"path", "serial"});
  Target target;
  if (fields.has("path")) target.path = fields.text("path");
  if (fields.has("serial")) target.serial = fields.text("serial");
  return target;
}

json to_json(const IoJob& job) {
  json object{{"target", to_json(job.target)},
              {"offset", job.offset.value},
              {"span", job.span.value},
              {"pattern", to_text(job.pattern)},
              {"engine", to_text(job.engine)},
              {"block_size", job.block_size.value},
              {"iodepth", job.iodepth},
              {"direct", job.direct},
              {"seed", job.seed},
              {"ramp_ns", job.ramp.count()},
              {"runtime_ns", job.runtime.count()}};
  if (job.amount) object["amount"] = job.amount->value;
  return object;
}

IoJob job_from_json(const json& object) {
  const Fields fields{object, "job"};
  fields.allow_only({"target", "offset", "span", "pattern", "engine", "block_size", "iodepth",
                     "direct", "seed", "ramp_ns", "runtime_ns", "amount"});
  IoJob job;
  job.target = target_from_json(fields.member("target"));
  job.offset = fields.bytes("offset");
  job.span = fields.bytes("span");
  const auto pattern = parse_pattern(fields.text("pattern"));
  if (!pattern) fields.fail("pattern", "is none of read, write, randread, randwrite");
  job.pattern = *pattern;
  const auto engine = parse_engine(fields.text("engine"));
  if (!engine) fields.fail("engine", "is none of io_uring, psync");
  job.engine = *engine;
  job.block_size = fields.bytes("block_size");
  job.iodepth = static_cast<std::uint32_t>(
      fields.number("iodepth", std::numeric_limits<std::uint32_t>::max()));
  job.direct = fields.boolean("direct");
  job.seed = fields.number("seed");
  job.ramp = fields.duration("ramp_ns");
  job.runtime = fields.duration("runtime_ns");
  if (fields.has("amount")) job.amount = fields.bytes("amount");
  return job;
}

json to_json(const Histogram& histogram) {
  json buckets = json::array();
  for (const auto& [index, count] : histogram.sparse()) buckets.push_back({index, count});
  return {{"count", histogram.count()},   {"overflow", histogram.overflow()},
          {"sum_ns", histogram.sum_ns()}, {"min_ns", histogram.min_ns()},
          {"max_ns", histogram.max_ns()}, {"buckets", std::move(buckets)}};
}

Histogram histogram_from_json(const json& object) {
  const Fields fields{object, "histogram"};
  fields.allow_only({"count", "overflow", "sum_ns", "min_ns", "max_ns", "buckets"});
  std::vector<std::pair<std::uint32_t, std::uint64_t>> sparse;
  for (const auto& entry : fields.list("buckets", Histogram::bucket_count)) {
    if (!entry.is_array() || entry.size() != 2)
      fields.fail("buckets", "has an item of no two numbers");
    sparse.emplace_back(static_cast<std::uint32_t>(fields.number_of(entry[0], "bucket index",
                                                                    Histogram::bucket_count - 1)),
                        fields.number_of(entry[1], "bucket count", ~0ULL));
  }
  Histogram histogram;
  if (!Histogram::restore(sparse, fields.number("overflow"), fields.number("sum_ns"),
                          fields.number("min_ns"), fields.number("max_ns"), histogram) ||
      histogram.count() != fields.number("count"))
    fields.fail("", "has counts that don't add up");
  return histogram;
}

json to_json(const IoResult& result) {
  return {{"ios", result.ios},
          {"bytes", result.bytes.value},
          {"elapsed_ns", result.elapsed.count()},
          {"ramp_elapsed_ns", result.ramp_elapsed.count()},
          {"job_elapsed_ns", result.job_elapsed.count()},
          {"lat", to_json(result.lat)},
          {"slat", to_json(result.slat)},
          {"clat", to_json(result.clat)},
          {"cpu_user_ns", result.cpu.user.count()},
          {"cpu_system_ns", result.cpu.system.count()},
          {"direct", result.direct},
          {"target_path", result.target_path},
          {"target_size", result.target_size.value}};
}

IoResult result_from_json(const json& object) {
  const Fields fields{object, "result"};
  fields.allow_only({"ios", "bytes", "elapsed_ns", "ramp_elapsed_ns", "job_elapsed_ns", "lat", "slat", "clat",
                     "cpu_user_ns", "cpu_system_ns", "direct", "target_path", "target_size"});
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
  return result;
}

json to_json(const IoOutcome& outcome) {
  if (const auto* result = std::get_if<IoResult>(&outcome)) return {{"result", to_json(*result)}};
  const auto& failure = std::get<IoFailure>(outcome);
  json object{{"reason", failure.reason}, {"errno", failure.error_number}};
  if (failure.offset) object["offset"] = failure.offset->value;
  return {{"failure", std::move(object)}};
}

IoOutcome outcome_from_json(const json& object) {
  const Fields fields{object, "outcome"};
  fields.allow_only({"result", "failure"});
  if (fields.has("result") == fields.has("failure"))
    fields.fail("", "is neither one result nor one failure");
  if (fields.has("result")) return result_from_json(fields.member("result"));
  const Fields inner{fields.member("failure"), "failure"};
  inner.allow_only({"reason", "errno", "offset"});
  IoFailure failure;
  failure.reason = inner.text("reason");
  failure.error_number = static_cast<int>(inner.number("errno", 4095));
  if (inner.has("offset")) failure.offset = inner.bytes("offset");
  return failure;
}

}  // namespace vmtax::protocol
