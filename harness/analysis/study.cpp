#include "analysis/study.hpp"

#include <algorithm>
#include <stdexcept>

#include "store/store.hpp"

namespace vmtax::analysis {
namespace {

Figures figures_of(const protocol::IoResult& result) {
  Figures f;
  f.ios = result.ios;
  f.bytes = result.bytes;
  f.elapsed = result.elapsed;
  f.ramp_elapsed = result.ramp_elapsed;
  f.job_elapsed = result.job_elapsed;
  f.iops = result.iops();
  f.bytes_per_second = result.bytes_per_second();
  f.lat_mean_ns = result.lat.mean_ns();
  f.lat_p50_ns = result.lat.quantile_ns(0.50);
  f.lat_p99_ns = result.lat.quantile_ns(0.99);
  f.lat_max_ns = static_cast<double>(result.lat.max_ns());
  f.slat_mean_ns = result.slat.mean_ns();
  f.clat_mean_ns = result.clat.mean_ns();
  f.cpu_user = result.cpu.user;
  f.cpu_system = result.cpu.system;
  f.cpu_ns_per_io = static_cast<double>((result.cpu.user + result.cpu.system).count()) /
                    static_cast<double>(result.ios);
  f.direct = result.direct;
  return f;
}

std::variant<Figures, Failure> outcome_of(const protocol::IoOutcome& outcome) {
  if (const auto* failure = std::get_if<protocol::IoFailure>(&outcome))
    return Failure{failure->reason.empty() ? "failed without a reason" : failure->reason};
  const auto& result = std::get<protocol::IoResult>(outcome);
  if (result.ios == 0 || result.bytes.value == 0)
    return Failure{"no I/O completed in the measured phase"};
  if (result.elapsed.count() <= 0) return Failure{"the measured phase took no time"};
  const Figures figures = figures_of(result);
  if (!(figures.lat_mean_ns > 0) || !(figures.lat_p99_ns > 0))
    return Failure{"the result holds no latencies"};
  return figures;
}

template <typename Record>
const Record& named(const std::vector<Record>& records, const std::string& name) {
  const auto found = std::find_if(records.begin(), records.end(),
                                  [&](const Record& record) { return record.name == name; });
  if (found == records.end()) throw std::out_of_range("no record \"" + name + "\"");
  return *found;
}

}  // namespace

const store::DriveRecord& Study::drive(const std::string& name) const {
  return named(run.drives, name);
}

const store::WorkloadRecord& Study::workload(const std::string& name) const {
  return named(run.workloads, name);
}

Sample reduce(const store::SampleRecord& record) {
  return Sample{record.drive,
                record.workload,
                record.iodepth,
                record.round,
                record.arm,
                record.footprint,
                record.configuration,
                record.visit,
                record.position,
                record.seed,
                record.started_unix_ns,
                record.host_elapsed,
                record.resident_before,
                record.evidence,
                record.block_finished,
                outcome_of(record.outcome)};
}

std::optional<std::int64_t> began_unix_ns(const Study& study) {
  std::optional<std::int64_t> first;
  for (const Sample& sample : study.samples)
    first = std::min(first.value_or(sample.started_unix_ns), sample.started_unix_ns);
  return first;
}

Study read_study(const store::Store& store) {
  Study study;
  study.run = store.run();
  store.for_each_sample(
      [&](store::SampleRecord&& record) { study.samples.push_back(reduce(record)); });
  study.time = store.time();
  study.finished = store.finished();
  return study;
}

}  // namespace vmtax::analysis
