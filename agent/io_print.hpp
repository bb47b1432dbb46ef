// What `vmtax-agent io` prints.
#pragma once

#include <string>

#include "protocol/io_job.hpp"
#include "protocol/io_result.hpp"

namespace vmtax::agent {

/// ios, bytes, elapsed_ns, iops, bytes_per_second, {clat,slat,lat}_ns
/// {mean,min,max,p50,p90,p99,p99_9, p99_99}, cpu {user_ns,system_ns}, errors, and what the job was.
std::string json_of_result(const protocol::IoJob& job, const protocol::IoResult& result);

/// {"errors": 1, "failure": {"reason", "errno", "offset"}}
std::string json_of_failure(const protocol::IoFailure& failure);

/// One line for a person.
std::string line_of_result(const protocol::IoJob& job, const protocol::IoResult& result);

}  // namespace vmtax::agent
