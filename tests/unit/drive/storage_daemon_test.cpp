#include "drive/storage_daemon.hpp"

#include <nlohmann/json.hpp>

#include "support/catch.hpp"

using namespace vmtax;
using namespace vmtax::drive;
using nlohmann::json;

TEST_CASE("the daemon's command line caps what is asked and nothing else") {
  const auto words = daemon_arguments({"/d/disk.img", "/d/capped, odd", 1500, Bytes{0}});
  REQUIRE(words.size() == 10);
  CHECK(words[0] == "qemu-storage-daemon");
  const auto group = json::parse(words[2]);
  CHECK(group.at("x-iops-total") == 1500);
  CHECK_FALSE(group.contains("x-bps-total"));
  CHECK(json::parse(words[4]).at("cache").at("direct") == true);
  CHECK(json::parse(words[6]).at("throttle-group") == group.at("id"));
  // JSON, because a comma in a path would end the option of the plain form.
  CHECK(json::parse(words[8]).at("mountpoint") == "/d/capped, odd");
  CHECK(json::parse(words[8]).at("growable") == false);

  const auto bandwidth = json::parse(daemon_arguments({"/a", "/b", 0, mib(100)})[2]);
  CHECK(bandwidth.at("x-bps-total") == 104857600);
  CHECK_FALSE(bandwidth.contains("x-iops-total"));
}
