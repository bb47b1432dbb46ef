// What of a plan and of this machine goes into the store.
#pragma once

#include "plan/plan.hpp"
#include "run/guest_setting.hpp"
#include "run/place.hpp"
#include "run/provision.hpp"
#include "store/records.hpp"

namespace vmtax::run {

/// What a resumed run must share with the first part, and the facts for the reader.
struct MachineFacts {
  nlohmann::json host;        ///< the agent's facts on the host
  nlohmann::json hypervisor;  ///< uri, libvirt, qemu
  std::string agent_sha256;
};

store::RunRecord run_record(const scenario::Scenario& scenario, const plan::Plan& plan,
                            const GuestSetting& setting, const Provisioned& provisioned,
                            const MachineFacts& machine);

/// What differs between the identity that a run began with and today's, one clause each; empty when
/// the run may be resumed.
std::vector<std::string> identity_changes(const store::RunRecord& before,
                                          const store::RunRecord& now);

}  // namespace vmtax::run
