#include "analysis/checks.hpp"
#include "analysis/facts.hpp"

namespace vmtax::analysis::checks {

Seen emulation(const Study& study) {
  if (study.run.accelerator != "tcg") return std::nullopt;
  return Observation{"accelerator tcg", {}};
}

Seen nested_virtualization(const Study& study) {
  if (!is_true_fact(study.run.facts, "/host/cpu/hypervisor")) return std::nullopt;
  return Observation{"the host's processor says that it runs under a hypervisor", {}};
}

Seen kernel_differs(const Study& study) {
  const auto host = text_fact(study.run.facts, "/host/kernel/release");
  const auto guest = text_fact(study.run.facts, "/guest/kernel/release");
  if (!host || !guest || *host == *guest) return std::nullopt;
  return Observation{"host " + *host + ", guest " + *guest, {}};
}

Seen run_unfinished(const Study& study) {
  if (study.finished) return std::nullopt;
  return Observation{"the store is not marked as finished", {}};
}

}  // namespace vmtax::analysis::checks
