// What a guest is, as plain data; domain_xml turns it into libvirt's XML.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "protocol/units.hpp"

namespace vmtax::guest {

enum class Accelerator { kvm, tcg };

/// The XML namespace of our tag in a domain's <metadata>; its attribute `run` is the run's id.
inline constexpr const char* tag_namespace = "urn:vmtax:guest";

/// The disk under test. Words are libvirt's own attribute values, checked by the scenario.
struct DiskSpec {
  std::filesystem::path source;
  bool source_is_block_device = false;
  bool read_only = false;  ///< nothing is ever written to it, by the guest or by QEMU
  std::string format;      ///< raw | qcow2: always explicit, QEMU never guesses
  std::string serial;      ///< at most 20 characters; the guest finds the disk by it
  std::string bus;         ///< virtio | scsi | sata
  std::string cache;       ///< none | writeback | writethrough | directsync | unsafe
  std::string io;          ///< native | threads | io_uring
  bool iothread = false;
  std::optional<std::uint32_t> queues;
  std::optional<std::uint32_t> queue_size;
  std::string discard;        ///< ignore | unmap; empty: QEMU's default
  std::string detect_zeroes;  ///< off | on | unmap; empty: QEMU's default
  /// qcow2. libvirt sets the sum of QEMU's L2 and refcount caches; of it the refcount cache takes
  /// four clusters where the L2 cache doesn't cover the whole image.
  std::optional<Bytes> l2_cache_size;
  std::map<std::string, std::uint64_t> iotune;
  Bytes logical_block_size{512};  ///< of the backing
  Bytes physical_block_size{512};
};

struct DomainSpec {
  std::string name;
  std::string run_id;  ///< written into the tag; domains are removed only by it
  Accelerator accelerator = Accelerator::tcg;
  std::filesystem::path emulator;
  std::uint32_t vcpus = 1;
  Bytes memory;
  std::filesystem::path kernel;
  std::filesystem::path initramfs;
  std::string kernel_arguments;
  std::filesystem::path console_log;
  std::string channel = "vmtax.agent.0";
  DiskSpec disk;
};

/// The domain's XML. Pure: equal specs give equal text, compared with whole golden files in tests.
/// Throws std::invalid_argument for a knob that libvirt can't express on the disk's bus; scenarios
/// that ask for one are refused before.
std::string domain_xml(const DomainSpec& spec);

/// Its <disk> element alone, for plan and report.
std::string disk_xml(const DiskSpec& disk);

}  // namespace vmtax::guest
