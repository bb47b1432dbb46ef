#include <vector>

#include "scenario_text.hpp"
#include "support/catch.hpp"

namespace vmtax::scenario {
namespace {

using test::with_configuration;

std::vector<std::string> names_of(const Scenario& scenario) {
  std::vector<std::string> names;
  for (const auto& configuration : scenario.configurations) names.push_back(configuration.name);
  return names;
}

using Names = std::vector<std::string>;

TEST_CASE("a configuration is named after backing, file system and what varies") {
  CHECK(names_of(with_configuration("{backing: passthrough, cache: none}")) ==
        Names{"passthrough"});
  CHECK(
      names_of(with_configuration("{backing: raw, filesystem: ext4, cache: [none, writeback]}")) ==
      Names{"raw-ext4-none", "raw-ext4-writeback"});
  CHECK(names_of(with_configuration("{backing: raw, filesystem: [ext4, xfs], bus: scsi}")) ==
        Names{"raw-ext4", "raw-xfs"});
  CHECK(names_of(with_configuration("{backing: passthrough, iothread: [true, false]}")) ==
        Names{"passthrough-iothread=true", "passthrough-iothread=false"});
}

TEST_CASE("a given name takes the place of backing and file system") {
  CHECK(names_of(with_configuration("{name: mine, backing: passthrough}")) == Names{"mine"});
  CHECK(names_of(with_configuration("{name: mine, backing: raw, filesystem: [ext4, xfs]}")) ==
        Names{"mine-ext4", "mine-xfs"});
}

TEST_CASE("lists multiply with the last knob fastest") {
  const auto scenario = with_configuration(
      "{io: [threads, io_uring], backing: raw, cache: [none, unsafe], filesystem: ext4}");
  REQUIRE(names_of(scenario) == Names{"raw-ext4-none-threads", "raw-ext4-none-io_uring",
                                      "raw-ext4-unsafe-threads", "raw-ext4-unsafe-io_uring"});
  CHECK(scenario.configurations[1].cache == CacheMode::none);
  CHECK(scenario.configurations[1].io == IoMode::io_uring);
  CHECK(scenario.configurations[2].cache == CacheMode::unsafe);
  CHECK(scenario.configurations[2].io == IoMode::threads);
}

TEST_CASE("exclusions remove every combination that has all of their values") {
  const auto scenario = with_configuration(
      "{backing: raw, filesystem: [ext4, xfs], cache: [none, writeback, unsafe], "
      "exclude: [{filesystem: xfs, cache: [writeback, unsafe]}, {cache: unsafe}]}");
  CHECK(names_of(scenario) == Names{"raw-ext4-none", "raw-ext4-writeback", "raw-xfs-none"});
}

TEST_CASE("a configuration's defaults are QEMU's and vmtax's own") {
  const auto configuration = with_configuration("{backing: passthrough}").configurations.at(0);
  CHECK(configuration.bus == Bus::virtio);
  CHECK(configuration.cache == CacheMode::none);
  CHECK(configuration.io == IoMode::io_uring);
  CHECK_FALSE(configuration.iothread);
  CHECK_FALSE(configuration.queues);
  CHECK_FALSE(configuration.discard);
  CHECK(configuration.image == ImageOptions{});
  CHECK(configuration.iotune.empty());
  CHECK(configuration.mark.line == 4);
  CHECK(configuration.mark.column == 5);
}

TEST_CASE("every knob arrives") {
  const auto c =
      with_configuration(
          "{backing: qcow2, filesystem: xfs, bus: scsi, cache: directsync, io: native, "
          "iothread: true, queues: 2, discard: unmap, detect_zeroes: unmap, preallocation: "
          "falloc, cluster_size: 1MiB, extended_l2: true, lazy_refcounts: false, "
          "l2_cache_size: 4MiB}",
          "guest: {vcpus: 2}\n")
          .configurations.at(0);
  CHECK(c.backing == Backing::qcow2);
  CHECK(c.filesystem == Filesystem::xfs);
  CHECK(c.bus == Bus::scsi);
  CHECK(c.cache == CacheMode::directsync);
  CHECK(c.io == IoMode::native);
  CHECK(c.iothread);
  CHECK(c.queues == 2U);
  CHECK(c.discard == Discard::unmap);
  CHECK(c.detect_zeroes == DetectZeroes::unmap);
  CHECK(c.image.preallocation == Preallocation::falloc);
  CHECK(c.image.cluster_size == mib(1));
  CHECK(c.image.extended_l2 == true);
  CHECK(c.image.lazy_refcounts == false);
  CHECK(c.l2_cache_size == mib(4));
}

TEST_CASE("iotune is kept in libvirt's units") {
  const auto scenario = with_configuration(
      "{backing: passthrough, iotune: {total_iops_sec: 500, total_iops_sec_max: 900, "
      "total_iops_sec_max_length: 2m, read_bytes_sec: 50MB, size_iops_sec: 4KiB}}");
  CHECK(scenario.configurations.at(0).iotune ==
        std::map<std::string, std::uint64_t>{{"total_iops_sec", 500},
                                             {"total_iops_sec_max", 900},
                                             {"total_iops_sec_max_length", 120},
                                             {"read_bytes_sec", 50'000'000},
                                             {"size_iops_sec", 4096}});
}

}  // namespace
}  // namespace vmtax::scenario
