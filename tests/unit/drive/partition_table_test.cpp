#include "drive/partition_table.hpp"

#include <set>

#include "drive/gpt.hpp"
#include "support/catch.hpp"

using namespace vmtax;
using namespace vmtax::drive;

TEST_CASE("sfdisk is given sectors of the device") {
  const std::vector<Slice> slices{{"bare", mib(1), mib(300)}, {"xfs", mib(301), mib(400)}};
  CHECK(sfdisk_script("0A1B", slices, Bytes{512}) ==
        "label: gpt\nlabel-id: 0A1B\nunit: sectors\n"
        "start=2048, size=614400, type=0FC63DAF-8483-4772-8E79-3D69D8477DE4, name=\"vmtax-bare\"\n"
        "start=616448, size=819200, type=0FC63DAF-8483-4772-8E79-3D69D8477DE4, "
        "name=\"vmtax-xfs\"\n");
  CHECK_THAT(sfdisk_script("0A1B", slices, Bytes{4096}), Catch::Contains("start=256, size=76800,"));
}

TEST_CASE("a GUID has its first three groups little-endian") {
  // The Linux file system type as it lies in a table, and as it is written.
  const std::string bytes{"\xAF\x3D\xC6\x0F\x83\x84\x72\x47\x8E\x79\x3D\x69\xD8\x47\x7D\xE4", 16};
  CHECK(guid_text(bytes) == "0FC63DAF-8483-4772-8E79-3D69D8477DE4");
}

TEST_CASE("GUIDs are version 4 and differ") {
  std::set<std::string> seen;
  for (int i = 0; i < 100; ++i) {
    const auto guid = new_guid();
    REQUIRE(guid.size() == 36);
    CHECK(guid[14] == '4');
    CHECK(std::string{"89AB"}.find(guid[19]) != std::string::npos);
    seen.insert(guid);
  }
  CHECK(seen.size() == 100);
}

TEST_CASE("a header tells its GUID and where its entries are") {
  std::string sector(512, '\0');
  sector.replace(0, 8, "EFI PART");
  sector[56] = 0x11;
  sector[72] = 2;
  sector[80] = static_cast<char>(128);
  sector[84] = static_cast<char>(128);
  const auto header = parse_gpt_header(sector, Bytes{4096});
  REQUIRE(header);
  CHECK(header->guid == "00000011-0000-0000-0000-000000000000");
  CHECK(header->entries_offset == kib(8));
  CHECK(header->entries_size == kib(16));
  CHECK_FALSE(parse_gpt_header(std::string(512, '\0'), Bytes{512}));
  CHECK_FALSE(parse_gpt_header("EFI PART", Bytes{512}));
}

TEST_CASE("entries tell where the partitions are and what they are called") {
  std::string entries(3 * 128, '\0');
  char* second = entries.data() + 128;
  second[0] = 1;
  second[33] = 0x08;  // first sector 2048
  second[40] = static_cast<char>(0xFF);
  second[41] = 0x0F;  // last sector 4095
  for (std::size_t i = 0; i < 6; ++i) second[56 + 2 * i] = "vmtax-"[i];
  const auto found = parse_gpt_entries(entries, Bytes{128}, Bytes{512});
  REQUIRE(found.size() == 1);
  CHECK(found[0].number == 2);
  CHECK(found[0].offset == mib(1));
  CHECK(found[0].size == mib(1));
  CHECK(found[0].name == "vmtax-");
  CHECK(parse_gpt_entries(entries, Bytes{0}, Bytes{512}).empty());
  CHECK(parse_gpt_entries("", Bytes{128}, Bytes{512}).empty());
}

TEST_CASE("only a protective MBR counts as part of a GPT") {
  std::string sector(512, '\0');
  CHECK_FALSE(is_protective_mbr(sector));
  sector[510] = 0x55;
  sector[511] = static_cast<char>(0xAA);
  sector[450] = static_cast<char>(0x83);
  CHECK_FALSE(is_protective_mbr(sector));
  sector[450] = static_cast<char>(0xEE);
  CHECK(is_protective_mbr(sector));
  CHECK_FALSE(is_protective_mbr(""));
}
