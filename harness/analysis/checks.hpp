// The checks of the catalogue, each a free function: what it saw, or nothing.
#pragma once

#include "analysis/findings.hpp"

namespace vmtax::analysis::checks {

using Seen = std::optional<Observation>;

Seen emulation(const Study& study);
Seen nested_virtualization(const Study& study);
Seen kernel_differs(const Study& study);
Seen run_unfinished(const Study& study);

Seen not_direct(const CellContext& context);
Seen host_cache(const CellContext& context);
Seen durability_differs(const CellContext& context);
Seen window_matched(const CellContext& context);
Seen sample_failed(const CellContext& context);
Seen sample_missing(const CellContext& context);
Seen single_round(const CellContext& context);
Seen guest_faster(const CellContext& context);
Seen resident_pages(const CellContext& context);
Seen clock_disagrees(const CellContext& context);

}  // namespace vmtax::analysis::checks
