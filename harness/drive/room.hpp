// Whether there is room for what is about to be made: a full disk stops a guest in the middle.
#pragma once

#include <filesystem>
#include <string>

#include "protocol/units.hpp"

namespace vmtax::drive {

Bytes available_in(const std::filesystem::path& directory);

/// EnvironmentError with needed and available when `directory` has not `needed` bytes left; `what`
/// names what needs them.
void check_room(const std::filesystem::path& directory, Bytes needed, const std::string& what);

}  // namespace vmtax::drive
