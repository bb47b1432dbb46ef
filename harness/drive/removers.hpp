// The removers of everything that this folder makes, for a run's journal and for `vmtax clean`.
#pragma once

#include "journal/journal.hpp"

namespace vmtax::drive {

journal::Removers removers();

}  // namespace vmtax::drive
