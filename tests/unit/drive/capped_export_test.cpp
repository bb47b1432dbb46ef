#include "drive/capped_export.hpp"

#include <nlohmann/json.hpp>

#include "base/errors.hpp"
#include "support/catch.hpp"

using namespace vmtax;
using namespace vmtax::drive;
using nlohmann::json;

TEST_CASE("the server caps what is asked and nothing else") {
  const auto words = server_arguments({"/d, odd", 1500, Bytes{0}});
  REQUIRE(words.size() == 12);
  CHECK(words[0] == "qemu-storage-daemon");
  const auto group = json::parse(words[2]);
  CHECK(group.at("x-iops-total") == 1500);
  CHECK_FALSE(group.contains("x-bps-total"));
  // JSON, because a comma in a path would end the option of the plain form.
  CHECK(json::parse(words[4]).at("filename") == "/d, odd/disk.img");
  CHECK(json::parse(words[4]).at("cache").at("direct") == true);
  CHECK(json::parse(words[6]).at("throttle-group") == group.at("id"));
  CHECK(json::parse(words[10]).at("node-name") == json::parse(words[6]).at("node-name"));

  const auto bandwidth = json::parse(server_arguments({"/d", 0, mib(100)})[2]);
  CHECK(bandwidth.at("x-bps-total") == 104857600);
  CHECK_FALSE(bandwidth.contains("x-iops-total"));
}

TEST_CASE("a folder whose socket would have too long a name is refused") {
  CHECK_THROWS_WITH(start_export({"/tmp/" + std::string(100, 'x'), 1500, Bytes{0}}),
                    Catch::Contains("too long for a socket"));
}
