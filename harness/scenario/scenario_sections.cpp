#include "scenario/section_parts.hpp"

namespace vmtax::scenario {
namespace {

constexpr Nanoseconds ms{1'000'000};
constexpr Nanoseconds hour{3'600'000'000'000};

bool is_absolute(std::string_view text) {
  return text.starts_with('/');
}
bool is_under_dev(std::string_view text) {
  return text.starts_with("/dev/") && text.size() > 5;
}
bool is_kernel(std::string_view text) {
  return text == "auto" || is_absolute(text);
}

bool is_connection(std::string_view text) {
  if (text == "embed") return true;
  if (!text.starts_with("qemu")) return false;
  text.remove_prefix(4);
  if (text.starts_with('+')) {
    const auto end = text.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789", 1);
    if (end == 1 || end == std::string_view::npos) return false;
    text.remove_prefix(end);
  }
  return text.starts_with("://");
}

Section throttle_section() {
  return {.what = "a throttle",
          .fields = {{"iops", shape_of(Whole{1, 10'000'000}), "I/O requests per second."},
                     {"bandwidth", shape_of(Size{mib(1), gib(1024)}),
                      "Bytes per second, as a size: 50MB is 50 MB per second."}},
          .least_keys = 1};
}

Section stand_in_section() {
  const Text directory{"an absolute path of a directory", 4096, "^/", is_absolute};
  return {.what = "a stand-in",
          .fields = {{"directory", shape_of(directory),
                      "Where the file is made; its file system must accept O_DIRECT.", true},
                     {"size", shape_of(Size{mib(16), gib(64 << 10), mib(1)}),
                      "Of the drive; the file is allocated in full.", true},
                     {"throttle", shape_of(throttle_section()),
                      "A cap that host and guest meet alike: a slow drive on purpose."}}};
}

}  // namespace

std::shared_ptr<const Shape> name_shape() {
  return shape_of(
      Text{"text on one line, of at most 200 characters (in quotes where YAML would read "
           "a number or a truth value)",
           200});
}

Section drive_section() {
  const Text path{"an absolute path under /dev, e.g. /dev/disk/by-id/...", 4096, "^/dev/.",
                  is_under_dev};
  return {
      .what = "a drive",
      .fields = {{"name", name_shape(), "How reports call it.", true},
                 {"path", shape_of(path), "A block device by a name that stays the same."},
                 {"stand_in", shape_of(stand_in_section()),
                  "A drive that vmtax makes: a file behind a loop device with direct I/O."},
                 {"erase",
                  shape_of(Text{"the drive's own serial as text, in quotes where it has "
                                "digits only",
                                200}),
                  "Consent to destroy all data on the drive: its own serial. Without it nothing is "
                  "ever written to it."},
                 {"span", shape_of(Size{mib(1), gib(64 << 10), mib(1)}),
                  "How many bytes of each configuration's disk are touched; by default as many as "
                  "fit every configuration."}},
      .refused = {{"pool", not_yet}, {"array", not_yet}, {"cache_device", not_yet}},
      .exactly_one = {"path", "stand_in"},
      .needs = {{"erase", "path", "a stand-in is vmtax's own and needs no consent"}}};
}

Section guest_section() {
  const Text kernel{"auto, or the absolute path of a kernel image", 4096, "^(auto$|/)", is_kernel};
  const Text connection{"embed, or a libvirt URI such as qemu:///system", 4096,
                        "^(embed$|qemu(\\+[a-z0-9]+)?://)", is_connection};
  return {.what = "the guest",
          .fields = {{"image", shape_of(Word{{"micro"}, {{"debian", not_yet}}}),
                      "What boots: micro is the agent alone.", false, "\"micro\""},
                     {"kernel", shape_of(kernel), "auto: one that this host has or can get.", false,
                      "\"auto\""},
                     {"accelerator", one_word(accelerator_words),
                      "auto: KVM where it works, else TCG.", false, "\"auto\""},
                     {"vcpus", shape_of(Whole{1, 128}), "Virtual processors.", false, "1"},
                     {"memory", shape_of(Size{mib(192), gib(1024), mib(1)}), "Of the guest.", false,
                      "\"512MiB\""},
                     {"connection", shape_of(connection),
                      "embed: a libvirt of vmtax's own, without a daemon.", false, "\"embed\""}}};
}

Section measure_section() {
  const Duration runtime{10 * ms, 24 * hour};
  const Duration ramp{Nanoseconds{0}, hour};
  const Duration budget{1000 * ms, 720 * hour};
  return {
      .what = "measure",
      .fields = {
          {"runtime", shape_of(runtime), "Of each sample.", false, "\"30s\""},
          {"ramp", shape_of(ramp), "I/O before each sample that isn't counted.", false, "\"5s\""},
          {"rounds", shape_of(Whole{1, 1000}), "How often every arm is visited.", false, "5"},
          {"visit", one_word(visit_words),
           "What one visit of an arm runs: one workload's depths, or all workloads (fewer "
           "boots).",
           false, "\"workload\""},
          {"seed", shape_of(Whole{0, (1ULL << 53) - 1}),
           "Of every random choice; the same seed gives the same plan.", false, "1"},
          {"budget", shape_of(budget), "No new block begins after this much time."}}};
}

Section report_section() {
  return {
      .what = "report",
      .fields = {{"formats", unique_list_of(one_word(format_words)), "Which reports are written.",
                  false, "[\"html\", \"markdown\", \"csv\", \"json\"]"}}};
}

const Shape& scenario_shape() {
  static const auto shape = shape_of(Section{
      .what = "the scenario",
      .fields = {
          {"version", shape_of(Whole{1, 1}), "Of the scenario's format.", true},
          {"name", name_shape(), "Of the study.", true},
          {"drives", list_of(shape_of(drive_section())), "What is under test.", true},
          {"guest", shape_of(guest_section()), "The virtual machine."},
          {"configurations", list_of(shape_of(configuration_section())),
           "The ways of giving a guest its disk that are compared. Lists multiply.", true},
          {"workloads", list_of(shape_of(workload_section())), "What the I/O kernel does.", true},
          {"measure", shape_of(measure_section()), "How long and how often."},
          {"report", shape_of(report_section()), "What is written at the end."}}});
  return *shape;
}

}  // namespace vmtax::scenario
