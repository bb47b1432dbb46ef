#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "scenario/build.hpp"
#include "scenario/combination.hpp"
#include "scenario/fault.hpp"
#include "scenario/iotune.hpp"
#include "scenario/shape_check.hpp"
#include "scenario/values.hpp"

namespace vmtax::scenario {
namespace {

constexpr std::size_t most_configurations = 1000;

std::vector<Combination> combinations_of(const Node& entry) {
  std::vector<Combination> all{{&configuration_section(), entry.mark, {}}};
  for (const auto knob : configuration_knobs()) {
    const Node* given = entry.find(knob);
    if (!given) continue;
    const auto choices = items_of(*given);
    if (all.size() * choices.size() > most_configurations)
      fail(entry.mark, "the lists of this configuration multiply to too many combinations",
           fmt::format("at most {}", most_configurations));
    std::vector<Combination> multiplied;
    for (const auto& combination : all)
      for (const Node* choice : choices) {
        multiplied.push_back(combination);
        multiplied.back().values[knob] = choice;
      }
    all = std::move(multiplied);
  }
  return all;
}

bool matches(const Combination& combination, const Node& exclusion) {
  return std::all_of(exclusion.entries.begin(), exclusion.entries.end(), [&](const Entry& entry) {
    const Node* value = combination.find(entry.key);
    const auto unwanted = items_of(entry.value);
    return value && std::any_of(unwanted.begin(), unwanted.end(),
                                [&](const Node* node) { return node->text == value->text; });
  });
}

void remove_excluded(std::vector<Combination>& combinations, const Node& entry) {
  const Node* exclusions = entry.find("exclude");
  if (!exclusions) return;
  for (const auto& exclusion : exclusions->items) {
    const auto removed =
        std::erase_if(combinations, [&](const Combination& c) { return matches(c, exclusion); });
    if (removed == 0)
      fail(exclusion.mark, "this exclusion removes no combination",
           "keys and values that are in this configuration's lists and not yet excluded");
  }
  if (combinations.empty())
    fail(exclusions->mark, "the exclusions leave no combination", "at least one combination");
}

// backing[-filesystem] or the given name, then each knob that varies within the entry. Cache, io
// and bus are known by their value alone.
std::string name_of(const Combination& combination, const Node& entry) {
  const Node* given = entry.find("name");
  std::string name = given ? given->text : combination.find("backing")->text;
  for (const auto knob : configuration_knobs()) {
    const Node* value = combination.find(knob);
    if (!value) continue;
    const bool base = !given && (knob == "backing" || knob == "filesystem");
    if (base && knob == "backing") continue;
    if (!base && items_of(*entry.find(knob)).size() == 1) continue;
    const bool plain = knob == "backing" || knob == "filesystem" || knob == "bus" ||
                       knob == "cache" || knob == "io";
    name += plain ? "-" + value->text : fmt::format("-{}={}", knob, value->text);
  }
  return name;
}

void check_numbers(const Combination& combination, const Guest& guest) {
  if (const Node* queues = combination.find("queues"); queues && whole_of(*queues) > guest.vcpus)
    fail(queues->mark,
         fmt::format("queues: {} for {} vcpus: a guest uses one queue per processor at most",
                     queues->text, guest.vcpus),
         fmt::format("a whole number from 1 to {}, or more guest.vcpus", guest.vcpus));
  const Node* extended = combination.find("extended_l2");
  const Node* cluster = combination.find("cluster_size");
  if (extended && flag_of(*extended) && cluster && size_of(*cluster) < kib(16))
    fail(cluster->mark, fmt::format("cluster_size: {} is too small for extended_l2", cluster->text),
         "16KiB or more with extended_l2: true (QEMU's rule)");
}

Configuration build(const Combination& combination, const Node& entry) {
  Configuration made;
  made.mark = entry.mark;
  const auto with = [&](std::string_view knob, auto&& read) {
    if (const Node* node = combination.find(knob)) read(*node);
  };
  made.backing = word_value(*combination.find("backing"), backing_words);
  with("filesystem", [&](auto& n) { made.filesystem = word_value(n, filesystem_words); });
  with("bus", [&](auto& n) { made.bus = word_value(n, bus_words); });
  with("cache", [&](auto& n) { made.cache = word_value(n, cache_words); });
  with("io", [&](auto& n) { made.io = word_value(n, io_words); });
  with("iothread", [&](auto& n) { made.iothread = flag_of(n); });
  with("queues", [&](auto& n) { made.queues = static_cast<std::uint32_t>(whole_of(n)); });
  with("queue_size", [&](auto& n) { made.queue_size = static_cast<std::uint32_t>(whole_of(n)); });
  with("discard", [&](auto& n) { made.discard = word_value(n, discard_words); });
  with("detect_zeroes", [&](auto& n) { made.detect_zeroes = word_value(n, detect_zeroes_words); });
  with("preallocation",
       [&](auto& n) { made.image.preallocation = word_value(n, preallocation_words); });
  with("cluster_size", [&](auto& n) { made.image.cluster_size = size_of(n); });
  with("extended_l2", [&](auto& n) { made.image.extended_l2 = flag_of(n); });
  with("lazy_refcounts", [&](auto& n) { made.image.lazy_refcounts = flag_of(n); });
  with("l2_cache_size", [&](auto& n) { made.l2_cache_size = size_of(n); });
  if (const Node* iotune = entry.find("iotune")) made.iotune = build_iotune(*iotune);
  return made;
}

std::vector<Configuration> expand(const Node& entry, const Guest& guest) {
  auto combinations = combinations_of(entry);
  const bool several = combinations.size() > 1;
  remove_excluded(combinations, entry);
  std::vector<Configuration> made;
  for (const auto& combination : combinations) {
    const auto name = name_of(combination, entry);
    check_rules(combination, several ? fmt::format(" (in '{}')", printable(name)) : "");
    check_numbers(combination, guest);
    made.push_back(build(combination, entry));
    made.back().name = name;
  }
  return made;
}

}  // namespace

std::vector<Configuration> build_configurations(const Node& list, const Guest& guest) {
  std::vector<Configuration> configurations;
  std::set<std::string> names;
  for (const auto& entry : list.items) {
    for (auto& configuration : expand(entry, guest)) {
      if (!names.insert(configuration.name).second) {
        const Node* given = entry.find("name");
        fail(given ? given->mark : entry.mark,
             fmt::format("configuration name '{}' is there twice", printable(configuration.name)),
             "a name of its own for each configuration (set it with name:)");
      }
      configurations.push_back(std::move(configuration));
    }
    if (configurations.size() > most_configurations)
      fail(entry.mark, "too many configurations", fmt::format("at most {}", most_configurations));
  }
  return configurations;
}

}  // namespace vmtax::scenario
