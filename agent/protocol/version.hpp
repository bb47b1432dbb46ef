// What both ends of the protocol must agree on, and who the agent says it is.
#pragma once

#include <string_view>

namespace vmtax::protocol {

/// Raised whenever a message changes its meaning; another version is refused in the handshake.
inline constexpr int protocol_version = 2;

inline constexpr std::string_view agent_version = "0.1.0";

/// The virtio-serial port on which a guest's agent listens.
inline constexpr std::string_view guest_port = "vmtax.agent.0";

}  // namespace vmtax::protocol
