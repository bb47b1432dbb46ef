// The report for programs.
//
// Ratios are fractions (a loss of 0.6 is 60 %), times nanoseconds, rates per second, sizes bytes.
// A number that is not there is null: an interval of one round, a ratio that `withheld` speaks of.
// Keys are only ever added; another meaning is another version.
//
// format, version   "vmtax-report", json_version
// run               id, name, began_unix_ns, finished, accelerator, seed, rounds, visit,
//                   runtime_ns, ramp_ns, arm_means, confidence, host{…}, guest{…}, qemu, libvirt,
//                   agent_sha256, drives[], configurations[], workloads[] (as store/records.hpp),
//                   time{wall_ns, measuring_ns, …}, scenario_text
// cells[]           drive, configuration, workload, pattern, block_size, iodepth, rounds_asked,
//                   rounds_obtained,
//                   arms{bare, backing, guest}{iops, bytes_per_second, lat_mean_ns, lat_p50_ns,
//                     lat_p99_ns, clat_mean_ns, cpu_ns_per_io, samples}; an arm may be null: the
//                     host measures no backing for passthrough and qcow2,
//                   loss{iops, bytes_per_second}, inflation{lat_mean, lat_p99}, shares{total,
//                     virtualization, storage_layer, format}: each {estimate, low, high, n};
//                     shares.format_partner is the raw configuration that format was set against,
//                   findings[] (ids), withheld{finding, reason} or null
// findings[]        id, severity (invalid | caution | note), scope (run | cell), title, means,
//                   remedy, occurrences[]{evidence, cells[]}
// failures[]        drive, arm, place, workload, iodepth, round (from 1), kind, reason
#pragma once

#include <string>

#include "report/model.hpp"

namespace vmtax::report {

inline constexpr int json_version = 1;

std::string to_json_text(const Model& model);

}  // namespace vmtax::report
