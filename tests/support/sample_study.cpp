#include <cmath>

#include <nlohmann/json.hpp>

#include "support/study_builder.hpp"

namespace vmtax::test {
namespace {

// The same wobble in every arm, so that ratios vary by less than rates do.
constexpr double wobble[] = {1.00, 1.06, 0.95};
constexpr double ratio_wobble[] = {1.00, 0.97, 1.02};

struct Speed {
  double bare, backing, pass, raw, cached, qcow2;
};

void add_cell(StudyBuilder& builder, const std::string& workload, std::uint32_t depth, Bytes block,
              const Speed& speed) {
  for (std::uint32_t round = 0; round < 3; ++round) {
    const auto shape = [&](double iops, double noise) {
      const double rate = iops * wobble[round] * noise;
      const auto latency = static_cast<std::uint64_t>(1e9 * depth / rate);
      return Shape{.iops = static_cast<std::uint64_t>(std::llround(rate)),
                   .lat_ns = latency * 9 / 10,
                   .tail_ns = latency * 5,
                   .block_size = block};
    };
    builder.add_bare(round, shape(speed.bare, 1), depth, workload);
    builder.add_backing("ext4/raw", round, shape(speed.backing, 1), depth, workload);
    builder.add_guest("pass", round, shape(speed.pass, ratio_wobble[round]), depth, workload);
    builder.add_guest("raw", round, shape(speed.raw, ratio_wobble[round]), depth, workload);
    auto& cached =
        builder.add_guest("raw-writeback", round, shape(speed.cached, 1), depth, workload);
    if (workload == "seq-read" && round == 1)
      cached.outcome = protocol::IoFailure{"the guest's agent answers: not within 30s", 0, {}};
    if (workload == "rand-write" && depth == 32 && round == 2) continue;
    builder.add_guest("qcow2", round, shape(speed.qcow2, ratio_wobble[round]), depth, workload);
  }
}

}  // namespace

StudyBuilder sample_study(bool hostile_names) {
  StudyBuilder builder;
  auto& run = builder.run;
  run.name = "sample";
  run.accelerator = "tcg";
  run.facts["guest"]["kernel"]["release"] = "6.1.0-40-cloud-amd64";
  run.drives[0].stand_in = true;
  run.workloads = {{"rand-read", "randread", kib(4), "io_uring", true, {1, 32}},
                   {"rand-write", "randwrite", kib(4), "io_uring", true, {1, 32}},
                   {"seq-read", "read", kib(256), "io_uring", true, {8}}};
  builder.add_configuration("raw", "raw");
  builder.add_configuration("raw-writeback", "raw", "writeback");
  builder.add_configuration("qcow2", "qcow2");
  add_cell(builder, "rand-read", 1, kib(4), {2000, 1900, 900, 850, 1500, 800});
  add_cell(builder, "rand-read", 32, kib(4), {6000, 5600, 1500, 1450, 1800, 1300});
  add_cell(builder, "rand-write", 1, kib(4), {1800, 1700, 800, 780, 1950, 700});
  add_cell(builder, "rand-write", 32, kib(4), {5000, 4700, 1400, 1350, 1700, 1100});
  add_cell(builder, "seq-read", 8, kib(256), {1200, 1150, 1230, 1000, 1100, 950});
  if (hostile_names) {
    const std::string hostile = "</script><img src=x onerror=alert(1)>\"'&|\u2028\u202e*_`[x](y)";
    for (auto& c : run.configurations) {
      if (c.name == "raw") c.name = hostile;
    }
    for (auto& sample : builder.samples) {
      if (sample.configuration == "raw") sample.configuration = hostile;
    }
    run.name = hostile + std::string(200, 'x');
    run.facts["host"]["model"] = hostile;
  }
  return builder;
}

}  // namespace vmtax::test
