#include <algorithm>
#include <string_view>

#include <nlohmann/json.hpp>
#include <sys/stat.h>

#include "base/errors.hpp"
#include "base/process.hpp"
#include "drive/ownership.hpp"
#include "drive/regions.hpp"
#include "drive/room.hpp"

namespace vmtax::drive {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using namespace std::chrono_literals;

std::string on_off(bool value) {
  return value ? "on" : "off";
}

std::string options_of(const ImageSpec& spec) {
  std::string options =
      "preallocation=" + (spec.preallocation.empty() ? "off" : spec.preallocation);
  if (spec.format != "qcow2") return options;
  options += ",compat=1.1";
  if (spec.cluster_size) options += ",cluster_size=" + std::to_string(spec.cluster_size->value);
  if (spec.extended_l2) options += ",extended_l2=" + on_off(*spec.extended_l2);
  if (spec.lazy_refcounts) options += ",lazy_refcounts=" + on_off(*spec.lazy_refcounts);
  return options;
}

json info_of(const fs::path& path, const std::string& format) {
  std::vector<std::string> command{"qemu-img", "info", "-U", "--output=json"};
  if (!format.empty()) command.insert(command.end(), {"-f", format});
  command.push_back(path.string());
  const auto info = json::parse(run_checked(command, 30s), nullptr, false);
  if (!info.is_object() || !info.contains("virtual-size"))
    throw EnvironmentError("qemu-img says nothing about '" + path.string() + "'");
  return info;
}

Bytes allocated(const json& info) {
  return Bytes{info.value("actual-size", std::uint64_t{0})};
}

// What the image will take when every byte of it was written, with its own metadata.
Bytes when_full(const ImageSpec& spec) {
  const auto text = run_checked({"qemu-img", "measure", "--output=json", "-O", spec.format, "-o",
                                 options_of(spec), "--size", std::to_string(spec.size.value)},
                                30s);
  const auto measured = json::parse(text, nullptr, false);
  return Bytes{measured.is_object() ? measured.value("fully-allocated", spec.size.value)
                                    : spec.size.value};
}

// What the other images in this folder may still grow by.
Bytes promised_in(const fs::path& directory) {
  Bytes promised;
  for (const auto& file : fs::directory_iterator(directory)) {
    if (!file.is_regular_file()) continue;
    const auto info = info_of(file.path(), "");
    const Bytes full{info.at("virtual-size").get<std::uint64_t>()};
    if (full > allocated(info)) promised = promised + (full - allocated(info));
  }
  return promised;
}

void expect(const ImageSpec& spec, const char* option, const json& asked, const json& found) {
  if (asked == found) return;
  throw EnvironmentError("image '" + spec.path.string() + "': " + option + " was asked to be " +
                         asked.dump() + " and reads back as " + found.dump() +
                         ": this QEMU can't do it, take another value");
}

void read_back(const ImageSpec& spec) {
  const auto info = info_of(spec.path, spec.format);
  expect(spec, "format", spec.format, info.value("format", ""));
  expect(spec, "size", spec.size.value, info.at("virtual-size"));
  if (spec.format == "qcow2") {
    const json data = info.value("format-specific", json::object()).value("data", json::object());
    if (spec.cluster_size)
      expect(spec, "cluster_size", spec.cluster_size->value, info.value("cluster-size", json{}));
    if (spec.extended_l2)
      expect(spec, "extended_l2", *spec.extended_l2, data.value("extended-l2", json{}));
    if (spec.lazy_refcounts)
      expect(spec, "lazy_refcounts", *spec.lazy_refcounts, data.value("lazy-refcounts", json{}));
  }
  // QEMU does not store how an image was preallocated: its effect is looked at.
  if (spec.preallocation == "falloc" || spec.preallocation == "full")
    expect(spec, "preallocation in full", true, allocated(info) >= spec.size);
  if (spec.preallocation == "metadata")
    expect(spec, "preallocation of metadata", true, fs::file_size(spec.path) >= spec.size.value);
}

}  // namespace

void make_image(const ImageSpec& spec, journal::Journal& journal) {
  const auto directory = spec.path.parent_path();
  check_room(directory, when_full(spec) + promised_in(directory),
             "the image '" + spec.path.filename().string() + "' when full");
  will_make_file(spec.path, journal);
  run_checked({"qemu-img", "create", "-q", "-f", spec.format, "-o", options_of(spec),
               spec.path.string(), std::to_string(spec.size.value)},
              60min);
  read_back(spec);
}

json image_facts(const fs::path& path, const std::string& format) {
  const auto info = info_of(path, format);
  return {{"virtual_size", info.at("virtual-size").get<std::uint64_t>()},
          {"allocated", allocated(info).value}};
}

}  // namespace vmtax::drive
