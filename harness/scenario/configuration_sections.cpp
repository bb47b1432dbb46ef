#include <string>

#include "scenario/section_parts.hpp"

namespace vmtax::scenario {
namespace {

constexpr std::string_view needs_newer_libvirt =
    "is not a bus of libvirt's QEMU driver before version 11.5.0 (2025-07), nor yet of vmtax";

std::vector<Refusal> later_backings() {
  std::vector<Refusal> later;
  for (const std::string_view word :
       {"lvm", "vdi", "vmdk", "vhdx", "nvme", "pci", "network", "qed", "vpc"})
    later.push_back({word, not_yet});
  return later;
}

// The names of libvirt's <iotune>: {total,read,write}_{bytes,iops}_sec, each with a burst (_max)
// and its length (_max_length), and size_iops_sec.
Section iotune_section() {
  // Below QEMU's own bound on every rate, 10^15.
  constexpr std::uint64_t most = 900'000'000'000'000;
  constexpr Nanoseconds second{1'000'000'000};
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all;
    for (const std::string of : {"total", "read", "write"})
      for (const std::string unit : {"bytes", "iops"})
        for (const std::string suffix : {"", "_max", "_max_length"})
          all.push_back(of + "_" + unit + "_sec" + suffix);
    return all;
  }();
  Section section{.what = "iotune", .least_keys = 1};
  for (const auto& name : names) {
    if (name.ends_with("_max_length"))
      section.fields.push_back({name, shape_of(Duration{second, 3600 * second, second}),
                                "How long the burst may last."});
    else if (name.find("bytes") != std::string::npos)
      section.fields.push_back({name, shape_of(Size{kib(1), gib(800 << 10)}), "Bytes per second."});
    else
      section.fields.push_back({name, shape_of(Whole{1, most}), "Requests per second."});
  }
  for (const std::string_view base : names) {
    if (base.ends_with("_max_length"))
      section.needs.push_back(
          {base, base.substr(0, base.size() - 7), "a length needs its burst rate"});
    else if (base.ends_with("_max"))
      section.needs.push_back(
          {base, base.substr(0, base.size() - 4), "a burst rate needs its steady rate"});
  }
  for (std::size_t unit = 0; unit < 6; unit += 3)
    for (std::size_t of = 6; of < names.size(); of += 6)
      section.conflicts.push_back(
          {names[unit], names[of + unit], "QEMU takes a total or the directions, not both"});
  section.fields.push_back({"size_iops_sec", shape_of(Size{Bytes{512}, gib(1)}),
                            "A larger request counts as several of this size."});
  return section;
}

// What multiplies, in the order of an automatic name's parts.
std::vector<Field> knob_fields() {
  const std::vector<Refusal> later_filesystems{{"btrfs", not_yet}, {"zfs", not_yet}};
  const std::vector<Refusal> other_buses{
      {"nvme", needs_newer_libvirt}, {"ide", not_yet}, {"usb", not_yet}};
  const auto flag = one_or_more(shape_of(Flag{}));
  return {
      {"backing", one_or_more(one_word(backing_words, later_backings())),
       "What the guest's disk is on the host.", true},
      {"filesystem", one_or_more(one_word(filesystem_words, later_filesystems)),
       "Where an image file lies: needed for raw and qcow2."},
      {"bus", one_or_more(one_word(bus_words, other_buses)), "How the guest sees the disk.", false,
       "\"virtio\""},
      {"cache", one_or_more(one_word(cache_words)), "QEMU's cache mode.", false, "\"none\""},
      {"io", one_or_more(one_word(io_words)), "How QEMU does its I/O.", false, "\"io_uring\""},
      {"iothread", flag, "Whether the disk has an I/O thread of its own.", false, "false"},
      {"queues", one_or_more(shape_of(Whole{1, 128})),
       "Of virtio; by default one per virtual processor, and never more."},
      // QEMU 7.2: a power of two above 2, at most 1024.
      {"queue_size", one_or_more(shape_of(Whole{4, 1024, true})),
       "Of each queue of a virtio disk."},
      {"discard", one_or_more(one_word(discard_words)), "What a guest's trim does."},
      {"detect_zeroes", one_or_more(one_word(detect_zeroes_words)), "What written zeros become."},
      {"preallocation", one_or_more(one_word(preallocation_words)), "How an image file is made.",
       false, "\"off\""},
      {"cluster_size", one_or_more(shape_of(Size{Bytes{512}, mib(2), Bytes{1}, true})),
       "Of qcow2."},
      {"extended_l2", flag, "Subclusters of qcow2."},
      {"lazy_refcounts", flag, "Of qcow2."},
      {"l2_cache_size", one_or_more(shape_of(Size{kib(1), gib(1)})),
       "How much of a qcow2 image's map the running QEMU keeps in memory."}};
}

Section exclude_section() {
  Section section{.what = "an exclusion", .least_keys = 1};
  for (auto field : knob_fields()) {
    field.required = false;
    field.fallback = "";
    section.fields.push_back(field);
  }
  return section;
}

std::vector<Rule> configuration_rules() {
  constexpr std::string_view only_qcow2 = "only a qcow2 image has it";
  std::vector<Rule> rules{
      {"backing",
       {"raw", "qcow2"},
       "filesystem",
       all_words(filesystem_words),
       true,
       "an image file lies on a file system",
       "filesystem: ext4 or xfs"},
      {"backing",
       {"passthrough"},
       "filesystem",
       {},
       false,
       "the guest gets the block device itself",
       "filesystem with backing raw or qcow2; passthrough as an entry of its own"},
      {"backing",
       {"passthrough"},
       "preallocation",
       {},
       false,
       "there is no image file to allocate",
       "preallocation with backing raw or qcow2"},
      {"backing",
       {"raw"},
       "preallocation",
       {"off", "falloc", "full"},
       false,
       "a raw image has no metadata",
       "preallocation off, falloc or full with backing raw"},
      {"io",
       {"native"},
       "cache",
       {"none", "directsync"},
       false,
       "QEMU's native AIO needs O_DIRECT",
       "cache none or directsync with io native"},
      {"bus",
       {"sata"},
       "iothread",
       {"false"},
       false,
       "libvirt gives I/O threads to virtio and scsi only",
       "iothread: true with bus virtio or scsi"},
      {"bus",
       {"sata"},
       "queues",
       {},
       false,
       "SATA has a single queue",
       "queues with bus virtio or scsi"},
      {"bus",
       {"scsi", "sata"},
       "queue_size",
       {},
       false,
       "libvirt sets a queue's size on virtio disks only",
       "queue_size with bus virtio"},
      {"detect_zeroes",
       {"unmap"},
       "discard",
       {"unmap"},
       true,
       "QEMU unmaps zeros only where it may discard",
       "discard: unmap with detect_zeroes: unmap"}};
  for (const std::string_view key :
       {"cluster_size", "extended_l2", "lazy_refcounts", "l2_cache_size"})
    rules.push_back({"backing",
                     {"passthrough", "raw"},
                     key,
                     {},
                     false,
                     only_qcow2,
                     "this key with backing qcow2 alone"});
  return rules;
}

}  // namespace

const std::vector<std::string_view>& configuration_knobs() {
  static const std::vector<std::string_view> knobs = [] {
    std::vector<std::string_view> keys;
    for (const auto& field : knob_fields()) keys.push_back(field.key);
    return keys;
  }();
  return knobs;
}

const Section& configuration_section() {
  static const Section section = [] {
    Section made{.what = "a configuration", .rules = configuration_rules()};
    made.fields.push_back({"name", name_shape(),
                           "By default made of backing, file system and the keys that vary here."});
    for (auto& field : knob_fields()) made.fields.push_back(std::move(field));
    made.fields.push_back(
        {"iotune", shape_of(iotune_section()), "libvirt's <iotune>: limits of QEMU."});
    made.fields.push_back({"exclude", list_of(shape_of(exclude_section())),
                           "Combinations of the lists above that are left out."});
    return made;
  }();
  return section;
}

const Section& workload_section() {
  static const Section section{
      .what = "a workload",
      .fields = {{"name", name_shape(), "How reports call it.", true},
                 {"pattern", one_word(pattern_words), "read and write are sequential.", true},
                 {"block_size", shape_of(Size{Bytes{512}, mib(16), Bytes{512}}), "Of each request.",
                  false, "\"4KiB\""},
                 {"iodepth", one_or_more(shape_of(Whole{1, 4096})), "Requests in flight.", false,
                  "1"},
                 {"engine",
                  one_word(engine_words,
                           {{"libaio", not_yet}, {"null", not_yet}, {"sync", "is called psync"}}),
                  "How the I/O kernel asks.", false, "\"io_uring\""},
                 {"direct", shape_of(Flag{}), "O_DIRECT.", false, "true"}},
      .rules = {{"engine",
                 {"psync"},
                 "iodepth",
                 {"1"},
                 false,
                 "psync has one request in flight",
                 "iodepth 1 with engine psync, or engine io_uring"}}};
  return section;
}

}  // namespace vmtax::scenario
