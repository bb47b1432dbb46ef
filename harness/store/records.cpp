#include "store/records.hpp"

namespace vmtax::store {

std::string_view to_text(Arm arm) {
  switch (arm) {
    case Arm::bare:
      return "bare";
    case Arm::backing:
      return "backing";
    case Arm::guest:
      return "guest";
  }
  return "?";
}

}  // namespace vmtax::store
