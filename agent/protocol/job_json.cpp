#include <limits>

#include <nlohmann/json.hpp>

#include "protocol/io_json.hpp"
#include "protocol/json_fields.hpp"

namespace vmtax::protocol {

using nlohmann::json;

namespace {

constexpr std::size_t extent_limit = 65536;

std::uint32_t narrow(const Fields& fields, const char* name) {
  return static_cast<std::uint32_t>(fields.number(name, std::numeric_limits<std::uint32_t>::max()));
}

void read_load(const Fields& fields, IoJob& job) {
  job.jobs = narrow(fields, "jobs");
  job.submit_singly = fields.boolean("submit_singly");
  job.sqpoll = fields.boolean("sqpoll");
  job.iopoll = fields.boolean("iopoll");
  job.rate.iops = narrow(fields, "rate");
  const auto arrivals = fields.text("arrivals");
  if (arrivals != "constant" && arrivals != "poisson")
    fields.fail("arrivals", "is none of constant, poisson");
  job.rate.arrivals = arrivals == "poisson" ? Arrivals::poisson : Arrivals::constant;
}

void read_places(const Fields& fields, IoJob& job) {
  job.read_percent = narrow(fields, "read_percent");
  const auto distribution = parse_distribution(fields.text("distribution"));
  if (!distribution) fields.fail("distribution", "is not " + std::string{distribution_syntax});
  job.distribution = *distribution;
  job.random_map = fields.boolean("random_map");
  if (!fields.has("extents")) return;
  constexpr std::uint64_t limit = 1ULL << 62;
  for (const auto& extent : fields.list("extents", extent_limit)) {
    if (!extent.is_array() || extent.size() != 2)
      fields.fail("extents", "has an item of no two numbers");
    job.extents.push_back({Bytes{fields.number_of(extent[0], "extent offset", limit)},
                           Bytes{fields.number_of(extent[1], "extent length", limit)}});
  }
}

void read_writing(const Fields& fields, IoJob& job) {
  job.flushes.every = narrow(fields, "flush_every");
  job.flushes.data_only = fields.boolean("flush_data_only");
  job.flushes.at_end = fields.boolean("flush_at_end");
  job.dsync = fields.boolean("dsync");
  job.content.compress_percent = narrow(fields, "compress_percent");
  job.content.dedupe_percent = narrow(fields, "dedupe_percent");
  job.verify.on = fields.boolean("verify");
  job.verify.generation = fields.number("generation");
}

}  // namespace

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
              {"runtime_ns", job.runtime.count()},
              {"jobs", job.jobs},
              {"read_percent", job.read_percent},
              {"distribution", to_text(job.distribution)},
              {"random_map", job.random_map},
              {"flush_every", job.flushes.every},
              {"flush_data_only", job.flushes.data_only},
              {"flush_at_end", job.flushes.at_end},
              {"dsync", job.dsync},
              {"rate", job.rate.iops},
              {"arrivals", job.rate.arrivals == Arrivals::poisson ? "poisson" : "constant"},
              {"submit_singly", job.submit_singly},
              {"compress_percent", job.content.compress_percent},
              {"dedupe_percent", job.content.dedupe_percent},
              {"verify", job.verify.on},
              {"generation", job.verify.generation},
              {"sqpoll", job.sqpoll},
              {"iopoll", job.iopoll}};
  if (job.amount) object["amount"] = job.amount->value;
  if (!job.extents.empty()) {
    auto& extents = object["extents"] = json::array();
    for (const auto& extent : job.extents)
      extents.push_back({extent.offset.value, extent.length.value});
  }
  return object;
}

IoJob job_from_json(const json& object) {
  const Fields fields{object, "job"};
  fields.allow_only({"target",
                     "offset",
                     "span",
                     "pattern",
                     "engine",
                     "block_size",
                     "iodepth",
                     "direct",
                     "seed",
                     "ramp_ns",
                     "runtime_ns",
                     "amount",
                     "jobs",
                     "read_percent",
                     "distribution",
                     "random_map",
                     "extents",
                     "flush_every",
                     "flush_data_only",
                     "flush_at_end",
                     "dsync",
                     "rate",
                     "arrivals",
                     "submit_singly",
                     "compress_percent",
                     "dedupe_percent",
                     "verify",
                     "generation",
                     "sqpoll",
                     "iopoll"});
  IoJob job;
  job.target = target_from_json(fields.member("target"));
  job.offset = fields.bytes("offset");
  job.span = fields.bytes("span");
  const auto pattern = parse_pattern(fields.text("pattern"));
  if (!pattern) fields.fail("pattern", "is none of " + pattern_names());
  job.pattern = *pattern;
  const auto engine = parse_engine(fields.text("engine"));
  if (!engine) fields.fail("engine", "is none of " + engine_names());
  job.engine = *engine;
  job.block_size = fields.bytes("block_size");
  job.iodepth = narrow(fields, "iodepth");
  job.direct = fields.boolean("direct");
  job.seed = fields.number("seed");
  job.ramp = fields.duration("ramp_ns");
  job.runtime = fields.duration("runtime_ns");
  if (fields.has("amount")) job.amount = fields.bytes("amount");
  read_load(fields, job);
  read_places(fields, job);
  read_writing(fields, job);
  return job;
}

}  // namespace vmtax::protocol
