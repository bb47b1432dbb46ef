// A whole run: from a scenario to a store with samples, and the host as it was before.
#pragma once

#include <filesystem>

#include "journal/journal.hpp"
#include "plan/plan.hpp"
#include "run/check.hpp"
#include "store/records.hpp"

namespace vmtax::run {

struct CampaignOutcome {
  bool finished = false;  ///< every planned block is done; false: the budget ended it
};

/// Removes what dead runs left, provisions, fills, measures into DIRECTORY (which holds the store,
/// logs and consoles), and removes what it made. A directory with an unfinished run is resumed; a
/// finished one is left as it is. Throws EnvironmentError, and Interrupted with everything removed
/// and the run resumable.
CampaignOutcome run_campaign(const scenario::Scenario& scenario, const plan::Plan& plan,
                             const Means& means, const std::filesystem::path& directory);

/// Every remover there is, for the journal of a run and for `vmtax clean`.
journal::Removers all_removers();
std::filesystem::path journal_directory();

}  // namespace vmtax::run
