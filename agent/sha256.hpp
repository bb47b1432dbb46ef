// The SHA-256 by which both ends know that they run the same agent.
#pragma once

#include <string>

namespace vmtax::agent {

/// Of a file's bytes, in hex; empty when it can't be read.
std::string sha256_of_file(const std::string& path);

}  // namespace vmtax::agent
