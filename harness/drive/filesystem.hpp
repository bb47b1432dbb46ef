// The remover of a mounted file system.
#pragma once

#include <nlohmann/json_fwd.hpp>

namespace vmtax::drive {

/// Unmounts `partition` from `mountpoint`, never lazily, and sees it gone from every mount
/// namespace. EnvironmentError naming who holds it, or when something else is mounted there.
void remove_filesystem(const nlohmann::json& detail);

}  // namespace vmtax::drive
