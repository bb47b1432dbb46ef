// The scenario's words for enumerated values: one table each for reading, printing and the schema.
#pragma once

#include <array>
#include <string_view>
#include <utility>
#include <vector>

#include "protocol/io_job.hpp"
#include "scenario/scenario.hpp"

namespace vmtax::scenario {

template <typename E, std::size_t N>
using Words = std::array<std::pair<E, std::string_view>, N>;

inline constexpr Words<Backing, 3> backing_words{
    {{Backing::passthrough, "passthrough"}, {Backing::raw, "raw"}, {Backing::qcow2, "qcow2"}}};
inline constexpr Words<Filesystem, 2> filesystem_words{
    {{Filesystem::ext4, "ext4"}, {Filesystem::xfs, "xfs"}}};
inline constexpr Words<Bus, 3> bus_words{
    {{Bus::virtio, "virtio"}, {Bus::scsi, "scsi"}, {Bus::sata, "sata"}}};
inline constexpr Words<CacheMode, 5> cache_words{{{CacheMode::none, "none"},
                                                  {CacheMode::writeback, "writeback"},
                                                  {CacheMode::writethrough, "writethrough"},
                                                  {CacheMode::directsync, "directsync"},
                                                  {CacheMode::unsafe, "unsafe"}}};
inline constexpr Words<IoMode, 3> io_words{
    {{IoMode::native, "native"}, {IoMode::threads, "threads"}, {IoMode::io_uring, "io_uring"}}};
inline constexpr Words<Discard, 2> discard_words{
    {{Discard::ignore, "ignore"}, {Discard::unmap, "unmap"}}};
inline constexpr Words<DetectZeroes, 3> detect_zeroes_words{
    {{DetectZeroes::off, "off"}, {DetectZeroes::on, "on"}, {DetectZeroes::unmap, "unmap"}}};
inline constexpr Words<Preallocation, 4> preallocation_words{{{Preallocation::off, "off"},
                                                              {Preallocation::metadata, "metadata"},
                                                              {Preallocation::falloc, "falloc"},
                                                              {Preallocation::full, "full"}}};
inline constexpr Words<Accelerator, 3> accelerator_words{
    {{Accelerator::automatic, "auto"}, {Accelerator::kvm, "kvm"}, {Accelerator::tcg, "tcg"}}};
inline constexpr Words<VisitKind, 2> visit_words{
    {{VisitKind::workload, "workload"}, {VisitKind::all, "all"}}};
inline constexpr Words<ReportFormat, 4> format_words{{{ReportFormat::html, "html"},
                                                      {ReportFormat::markdown, "markdown"},
                                                      {ReportFormat::csv, "csv"},
                                                      {ReportFormat::json, "json"}}};
inline constexpr Words<protocol::Pattern, 4> pattern_words{
    {{protocol::Pattern::read, "read"},
     {protocol::Pattern::write, "write"},
     {protocol::Pattern::randread, "randread"},
     {protocol::Pattern::randwrite, "randwrite"}}};
inline constexpr Words<protocol::Engine, 2> engine_words{
    {{protocol::Engine::io_uring, "io_uring"}, {protocol::Engine::psync, "psync"}}};

template <typename E, std::size_t N>
std::vector<std::string_view> all_words(const Words<E, N>& words) {
  std::vector<std::string_view> all;
  for (const auto& [value, word] : words) all.push_back(word);
  return all;
}

template <typename E, std::size_t N>
constexpr std::string_view word_of(const Words<E, N>& words, E value) {
  for (const auto& [known, word] : words)
    if (known == value) return word;
  return "unknown";
}

/// `word` is one of the table: the shape has been checked.
template <typename E, std::size_t N>
constexpr E value_of(const Words<E, N>& words, std::string_view word) {
  for (const auto& [value, known] : words)
    if (known == word) return value;
  return words.front().first;
}

}  // namespace vmtax::scenario
