// Reads back what a job with verification touched and checks every block.
#pragma once

#include <cstdint>

#include "kernel/loop_control.hpp"
#include "kernel/open_target.hpp"

namespace vmtax::kernel {

/// `touched` I/Os were done in all. Throws Broken that counts the bad blocks and names the first
/// ones, with the first one's offset.
void verify_blocks(const protocol::IoJob& job, const OpenTarget& target, std::uint64_t touched,
                   LoopControl& control);

}  // namespace vmtax::kernel
