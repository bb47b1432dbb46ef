#include "drive/guard.hpp"

#include "support/catch.hpp"

using namespace vmtax;
using namespace vmtax::drive;
using Catch::Contains;

namespace {

DeviceFacts facts(const std::string& serial) {
  DeviceFacts facts;
  facts.device = "/dev/sdzz";
  facts.serial = serial;
  return facts;
}

}  // namespace

TEST_CASE("consent is the drive's own serial, to the letter") {
  GuardedDrive drive;
  drive.erase = "PHMB7423";
  CHECK_FALSE(missing_consent(drive, facts("PHMB7423")));
  CHECK_THAT(*missing_consent(drive, facts("PHMB7424")),
             Contains("for another drive") && Contains("PHMB7424"));
  CHECK(missing_consent(drive, facts("phmb7423")));
  CHECK(missing_consent(drive, facts("PHMB74231")));
}

TEST_CASE("without consent the fix is named") {
  CHECK_THAT(*missing_consent({}, facts("S1")), Contains("add `erase: S1`"));
}

TEST_CASE("a drive without a serial can't be consented to, not even by an empty one") {
  GuardedDrive drive;
  drive.erase = "";
  CHECK_THAT(*missing_consent(drive, facts("")), Contains("has no serial") && Contains("stand_in"));
}

TEST_CASE("a drive that is absent is one reason and no crash") {
  GuardedDrive drive;
  drive.path = "/dev/disk/by-id/none-such";
  const auto reasons = reasons_against_writing(drive);
  REQUIRE(reasons.size() == 1);
  CHECK_THAT(reasons[0], Contains("does not exist"));
  CHECK_THROWS_WITH(check_guard(drive), Contains("must not be written"));
}
