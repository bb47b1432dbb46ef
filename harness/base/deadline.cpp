#include "base/deadline.hpp"

#include "protocol/units.hpp"

namespace vmtax {

std::string Deadline::missed() const {
  return name_ + ": not within " + format_duration(limit_);
}

}  // namespace vmtax
