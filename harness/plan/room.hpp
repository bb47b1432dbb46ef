// How much fits: what file systems and image formats take for themselves. Bounds from above, so
// that an image of the planned size can always be filled.
#pragma once

#include "protocol/units.hpp"
#include "scenario/scenario.hpp"

namespace vmtax::plan {

/// Below it mkfs refuses, or too little is left to be worth it.
Bytes smallest_region(scenario::Filesystem filesystem);

/// What a file system in a region of this size offers to files; 0 where it can't be made.
Bytes room_in(scenario::Filesystem filesystem, Bytes region);

/// A file of this format whose disk of `span` bytes is written in full.
Bytes image_size(scenario::Backing backing, const scenario::ImageOptions& image, Bytes span);

/// The largest disk that the format can have with these options.
Bytes largest_disk(scenario::Backing backing, const scenario::ImageOptions& image);

}  // namespace vmtax::plan
