// The run's record as the JSON that the store keeps, and back.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "store/records.hpp"

namespace vmtax::store {

/// Everything but the facts, which have a column of their own.
nlohmann::json to_json(const RunRecord& run);

/// Throws nlohmann::json::exception when a key is missing or of another type.
RunRecord run_from_json(const nlohmann::json& json);

}  // namespace vmtax::store
