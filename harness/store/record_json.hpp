// The run's records as the JSON that the store keeps and the report repeats, and back.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "store/records.hpp"

namespace vmtax::store {

nlohmann::json to_json(const DriveRecord& drive);
nlohmann::json to_json(const ConfigurationRecord& configuration);
nlohmann::json to_json(const WorkloadRecord& workload);

/// Everything but the facts, which have a column of their own.
nlohmann::json to_json(const RunRecord& run);

/// Throws nlohmann::json::exception when a key is missing or of another type.
RunRecord run_from_json(const nlohmann::json& json);

}  // namespace vmtax::store
