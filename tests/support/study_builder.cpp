#include "support/study_builder.hpp"

#include <algorithm>
#include <map>

#include <nlohmann/json.hpp>

namespace vmtax::test {

using store::Arm;

protocol::IoResult result_of(const Shape& shape) {
  protocol::IoResult result;
  result.ios = shape.iops;
  result.bytes = shape.block_size * shape.iops;
  result.elapsed = std::chrono::seconds{1};
  result.ramp_elapsed = std::chrono::milliseconds{500};
  result.job_elapsed = result.elapsed + result.ramp_elapsed;
  for (std::uint64_t i = 0; i < shape.iops; ++i) {
    const std::uint64_t latency = i * 50 < shape.iops ? shape.tail_ns : shape.lat_ns;
    result.lat.add(latency);
    result.slat.add(latency / 10);
    result.clat.add(latency - latency / 10);
  }
  result.cpu = {Nanoseconds{2'000 * shape.iops}, Nanoseconds{3'000 * shape.iops}};
  result.direct = shape.direct;
  result.target_path = "/dev/vmtax-test";
  result.target_size = gib(1);
  return result;
}

StudyBuilder::StudyBuilder() {
  run.id = "a1b2c3";
  run.name = "test study";
  run.scenario_text = "version: 1\nname: test study\n";
  run.seed = 42;
  run.rounds = 3;
  run.visit = "all";
  run.runtime = std::chrono::seconds{1};
  run.ramp = std::chrono::milliseconds{500};
  run.accelerator = "kvm";
  run.identity = {{"agent_sha256", "0123456789abcdef"}};
  run.facts = {{"host",
                {{"kernel", {{"release", "6.1.0-40-amd64"}}},
                 {"cpu", {{"count", 16}, {"hypervisor", false}}},
                 {"steal_ticks", 0}}},
               {"guest",
                {{"kernel", {{"release", "6.1.0-40-amd64"}}},
                 {"cpu", {{"count", 1}, {"hypervisor", true}}},
                 {"steal_ticks", 7}}},
               {"qemu", "7.2.19"},
               {"libvirt", "9.0.0"},
               {"agent_sha256", "0123456789abcdef"}};
  run.drives = {{"nvme", gib(4), gib(1), false, {{"model", "Test NVMe"}, {"rotational", false}}}};
  run.workloads = {{"rand-read", "randread", kib(4), "io_uring", true, {1}}};
  add_configuration("pass", "passthrough", "none", "");
  time.wall = std::chrono::seconds{100};
  time.measuring = std::chrono::seconds{87};
  time.booting = std::chrono::seconds{6};
  time.settling = std::chrono::seconds{1};
  time.preparing = std::chrono::seconds{4};
  time.ending = std::chrono::seconds{2};
}

store::ConfigurationRecord& StudyBuilder::add_configuration(const std::string& name,
                                                            const std::string& backing,
                                                            const std::string& cache,
                                                            const std::string& filesystem) {
  store::ConfigurationRecord c;
  c.drive = "nvme";
  c.name = name;
  c.footprint = backing == "passthrough" ? "bare" : filesystem + "/" + backing;
  c.backing = backing;
  c.filesystem = filesystem;
  c.cache = cache;
  c.bus = "virtio";
  c.io = "io_uring";
  c.host_measures_backing = backing == "raw";
  c.settings = {{"name", name}, {"backing", backing}, {"cache", cache}, {"bus", "virtio"}};
  c.disk_xml = "<disk type='file' device='disk'>\n  <target dev='vda' bus='virtio'/>\n</disk>\n";
  run.configurations.push_back(c);
  return run.configurations.back();
}

store::SampleRecord& StudyBuilder::add(Arm arm, std::uint32_t round, const Shape& shape,
                                       std::uint32_t iodepth, const std::string& workload) {
  store::SampleRecord sample;
  sample.drive = "nvme";
  sample.workload = workload;
  sample.iodepth = iodepth;
  sample.round = round;
  sample.arm = arm;
  sample.seed = ~0ULL - samples.size();
  sample.position = samples.size();
  sample.started_unix_ns = 1'700'000'000'000'000'000 + std::int64_t{round} * 1'000'000'000;
  sample.host_elapsed = std::chrono::milliseconds{1510};
  sample.outcome = result_of(shape);
  samples.push_back(sample);
  return samples.back();
}

store::SampleRecord& StudyBuilder::add_bare(std::uint32_t round, const Shape& shape,
                                            std::uint32_t iodepth, const std::string& workload) {
  auto& sample = add(Arm::bare, round, shape, iodepth, workload);
  sample.footprint = "bare";
  return sample;
}

store::SampleRecord& StudyBuilder::add_backing(const std::string& footprint, std::uint32_t round,
                                               const Shape& shape, std::uint32_t iodepth,
                                               const std::string& workload) {
  auto& sample = add(Arm::backing, round, shape, iodepth, workload);
  sample.footprint = footprint;
  return sample;
}

store::SampleRecord& StudyBuilder::add_guest(const std::string& configuration, std::uint32_t round,
                                             const Shape& shape, std::uint32_t iodepth,
                                             const std::string& workload) {
  auto& sample = add(Arm::guest, round, shape, iodepth, workload);
  sample.configuration = configuration;
  for (const auto& c : run.configurations) {
    if (c.name == configuration) sample.footprint = c.footprint;
  }
  return sample;
}

StudyBuilder& StudyBuilder::with_clean_pairs() {
  const std::vector<std::uint64_t> bare{1000, 1100, 900};
  for (std::uint32_t round = 0; round < 3; ++round) {
    add_bare(round, {.iops = bare[round]});
    add_guest("pass", round,
              {.iops = bare[round] * 4 / 10, .lat_ns = 2'500'000, .tail_ns = 10'000'000});
  }
  return *this;
}

analysis::Study StudyBuilder::study() const {
  analysis::Study study;
  study.run = run;
  for (const auto& sample : samples) study.samples.push_back(analysis::reduce(sample));
  study.time = time;
  study.finished = finished;
  return study;
}

void StudyBuilder::write_to(const std::filesystem::path& directory) const {
  auto store = store::Store::create(directory, run);
  std::map<std::uint32_t, std::vector<const store::SampleRecord*>> rounds;
  for (const auto& sample : samples) rounds[sample.round].push_back(&sample);
  for (const auto& [round, members] : rounds) {
    const auto attempt = store.begin_block({round, "nvme", "", round});
    for (const auto* sample : members) store.add(attempt, *sample);
    store.finish_block(attempt);
  }
  store.add_time(time);
  if (finished) store.finish_run();
}

}  // namespace vmtax::test
