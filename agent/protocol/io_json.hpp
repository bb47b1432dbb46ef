// JSON of the protocol's data types: the one form used on the wire, in the store and by `io
// --json`. The from_json side throws std::invalid_argument with one clause about what is wrong; it
// never trusts sizes, counts or enum names.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "protocol/io_job.hpp"
#include "protocol/io_result.hpp"

namespace vmtax::protocol {

nlohmann::json to_json(const Target& target);
Target target_from_json(const nlohmann::json& json);

nlohmann::json to_json(const IoJob& job);
IoJob job_from_json(const nlohmann::json& json);

nlohmann::json to_json(const Histogram& histogram);
Histogram histogram_from_json(const nlohmann::json& json);

/// Lossless: histograms as sparse buckets.
nlohmann::json to_json(const IoResult& result);
IoResult result_from_json(const nlohmann::json& json);

/// {"result": …} or {"failure": …}.
nlohmann::json to_json(const IoOutcome& outcome);
IoOutcome outcome_from_json(const nlohmann::json& json);

}  // namespace vmtax::protocol
