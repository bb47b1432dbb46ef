#include "drive/partition_table.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <random>
#include <sstream>

#include <fcntl.h>
#include <linux/blkpg.h>
#include <linux/fs.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/errors.hpp"
#include "base/fd.hpp"
#include "base/files.hpp"
#include "base/process.hpp"
#include "drive/block_device.hpp"
#include "drive/device_use.hpp"
#include "drive/gpt.hpp"
#include "drive/inspect.hpp"
#include "drive/processes.hpp"
#include "drive/wait_until.hpp"

namespace vmtax::drive {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;

[[noreturn]] void busy(const fs::path& device, const std::string& what, const std::string& why) {
  std::string users;
  for (const auto& user : users_of_disk(whole_disk(kernel_name(device)))) users += "; " + user;
  throw EnvironmentError("the partition table of '" + device.string() + "' can't be " + what +
                         ": " + why + users);
}

// Programs end by themselves and are waited for, a mount does not.
Fd open_exclusively(const fs::path& device, const std::string& what) {
  const Deadline deadline{"'" + device.string() + "' is free", 30s};
  Fd file;
  int error = 0;
  wait_until(deadline, [&] {
    file = Fd{::open(device.c_str(), O_RDWR | O_EXCL | O_CLOEXEC)};
    error = file ? 0 : errno;
    return error != EBUSY || is_mounted(whole_disk(kernel_name(device)));
  });
  if (!file) busy(device, what, std::strerror(error));
  return file;
}

std::string read_at(int file, Bytes offset, Bytes size) {
  std::string bytes(size.value, '\0');
  const auto got = ::pread(file, bytes.data(), bytes.size(), static_cast<off_t>(offset.value));
  bytes.resize(got > 0 ? static_cast<std::size_t>(got) : 0);
  return bytes;
}

void zero(int file, Bytes offset, Bytes size) {
  const std::string zeros(size.value, '\0');
  if (::pwrite(file, zeros.data(), zeros.size(), static_cast<off_t>(offset.value)) !=
      static_cast<ssize_t>(zeros.size()))
    throw EnvironmentError(std::string{"a partition table can't be erased: "} +
                           std::strerror(errno));
}

struct Geometry {
  Bytes size, sector;
  Bytes last_sector() const { return size - sector; }
};

Geometry geometry_of(const std::string& disk) {
  const auto facts = facts_of(disk);
  return {facts.size, facts.logical_sector};
}

// Only what lies in the reserve at either end can have been written by us: a header with other
// places is damaged, and then the header alone is erased.
bool within_reserve(const GptHeader& header, const Geometry& disk) {
  if (header.entries_size > table_reserve || header.entries_offset > disk.size) return false;
  const auto end = header.entries_offset + header.entries_size;
  return end <= table_reserve ||
         (header.entries_offset >= disk.size - table_reserve && end <= disk.size);
}

void erase_copy(int file, Bytes header_offset, const Geometry& disk, const std::string& guid) {
  const auto header = parse_gpt_header(read_at(file, header_offset, disk.sector), disk.sector);
  if (!header || header->guid != guid) return;
  if (within_reserve(*header, disk)) zero(file, header->entries_offset, header->entries_size);
  zero(file, header_offset, disk.sector);
}

// udev opens a device that was just closed, for which the kernel then refuses to read the table.
void reread(const fs::path& device, const std::string& what) {
  const Fd file{::open(device.c_str(), O_RDONLY | O_CLOEXEC)};
  const Deadline deadline{"the kernel reads the table of '" + device.string() + "'", 15s};
  int error = errno;
  if (file)
    wait_until(deadline, [&] {
      error = ::ioctl(file.get(), BLKRRPART) == 0 ? 0 : errno;
      return error != EBUSY;
    });
  if (error) busy(device, what, std::strerror(error));
}

std::vector<GptEntry> read_entries(int file, const Geometry& disk) {
  const auto header = parse_gpt_header(read_at(file, disk.sector, disk.sector), disk.sector);
  if (!header || !within_reserve(*header, disk)) return {};
  return parse_gpt_entries(read_at(file, header->entries_offset, header->entries_size),
                           header->entry_size, disk.sector);
}

// Some kernels are built without any reader of partition tables; they take partitions one by one.
void add_missing_partitions(int file, const std::string& disk, const Geometry& geometry) {
  std::vector<std::uint64_t> known;
  for (const auto& name : partitions_of(disk))
    known.push_back(read_number(sysfs_of(name) / "partition").value_or(0));
  for (const auto& entry : read_entries(file, geometry)) {
    if (std::ranges::find(known, entry.number) != known.end()) continue;
    blkpg_partition partition{};
    partition.start = static_cast<long long>(entry.offset.value);
    partition.length = static_cast<long long>(entry.size.value);
    partition.pno = static_cast<int>(entry.number);
    blkpg_ioctl_arg request{};
    request.op = BLKPG_ADD_PARTITION;
    request.datalen = sizeof partition;
    request.data = &partition;
    if (::ioctl(file, BLKPG, &request) != 0)
      throw EnvironmentError("the kernel refuses partition " + std::to_string(entry.number) +
                             " of " + disk + ": " + std::strerror(errno));
  }
}

// A run that was killed may have left one of its programs behind, which would write after us.
void await_programs(const std::string& disk) {
  const Deadline deadline{"programs of a dead run on " + disk + " end", 60s};
  std::vector<pid_t> pids;
  const bool none = wait_until(deadline, [&] {
    pids.clear();
    for (const auto& name : family_of(disk))
      for (const pid_t pid : processes_naming(node_of(name)))
        if (is_one_of(pid, {"sfdisk", "mkfs.ext4", "mkfs.xfs"})) pids.push_back(pid);
    return pids.empty();
  });
  if (!none) throw EnvironmentError(deadline.missed() + ": " + describe_processes(pids));
}

}  // namespace

std::string new_guid() {
  std::random_device random;
  std::string bytes;
  for (int i = 0; i < 16; ++i) bytes += static_cast<char>(random() & 0xFF);
  bytes[7] = static_cast<char>((bytes[7] & 0x0F) | 0x40);
  bytes[8] = static_cast<char>((bytes[8] & 0x3F) | 0x80);
  return guid_text(bytes);
}

std::string sfdisk_script(const std::string& guid, const std::vector<Slice>& slices, Bytes sector) {
  std::ostringstream script;
  script << "label: gpt\nlabel-id: " << guid << "\nunit: sectors\n";
  for (const auto& slice : slices)
    script << "start=" << slice.offset.value / sector.value
           << ", size=" << slice.size.value / sector.value
           << ", type=0FC63DAF-8483-4772-8E79-3D69D8477DE4, name=\"" << partition_prefix
           << slice.name << "\"\n";
  return std::move(script).str();
}

void write_table(const fs::path& device, const std::string& script) {
  Fd held = open_exclusively(device, "written");
  run_checked({"sfdisk", "--quiet", "--no-reread", "--no-tell-kernel", "--wipe=always",
               "--wipe-partitions=always", device.string()},
              60s, script);
  if (::fsync(held.get()) != 0) busy(device, "written", std::strerror(errno));
  // Some kernels refuse to scan for the exclusive holder, others for anybody else.
  if (::ioctl(held.get(), BLKRRPART) != 0) {
    held.reset();
    reread(device, "read by the kernel");
    held = open_exclusively(device, "read by the kernel");
  }
  add_missing_partitions(held.get(), kernel_name(device), geometry_of(kernel_name(device)));
}

void erase_table(const fs::path& device, const std::string& guid) {
  const auto number = block_number(device);
  const auto name = number ? name_of_number(number_text(*number)) : std::nullopt;
  if (!name) return;
  await_programs(*name);
  const auto guids = table_guids(device);
  if (guids.primary != guid && guids.backup != guid) return;
  {
    const Fd file = open_exclusively(device, "erased");
    const auto disk = geometry_of(*name);
    // The backup last: a table that was erased by half is found again by it.
    if (is_protective_mbr(read_at(file.get(), Bytes{0}, disk.sector)))
      zero(file.get(), Bytes{mbr_entries_offset}, Bytes{mbr_entries_size});
    erase_copy(file.get(), disk.sector, disk, guid);
    erase_copy(file.get(), disk.last_sector(), disk, guid);
    if (::fsync(file.get()) != 0) busy(device, "erased", std::strerror(errno));
  }
  reread(device, "erased");
  if (!partitions_of(*name).empty()) busy(device, "erased", "its partitions stay in the kernel");
}

TableGuids table_guids(const fs::path& device) {
  const auto facts = inspect(device);
  const Fd file{::open(device.c_str(), O_RDONLY | O_CLOEXEC)};
  TableGuids guids;
  if (!file || facts.size < table_reserve) return guids;
  const auto guid_at = [&](Bytes offset) -> std::optional<std::string> {
    const auto bytes = read_at(file.get(), offset, facts.logical_sector);
    const auto header = parse_gpt_header(bytes, facts.logical_sector);
    return header ? std::optional{header->guid} : std::nullopt;
  };
  guids.primary = guid_at(facts.logical_sector);
  guids.backup = guid_at(facts.size - facts.logical_sector);
  return guids;
}

std::string partition_name(const std::string& kernel_name) {
  const auto disk = whole_disk(kernel_name);
  const auto start = read_number(sysfs_of(kernel_name) / "start");
  const Fd file{::open(node_of(disk).c_str(), O_RDONLY | O_CLOEXEC)};
  if (!file || !start || disk == kernel_name) return {};
  for (const auto& entry : read_entries(file.get(), geometry_of(disk)))
    if (entry.offset == Bytes{*start * 512}) return entry.name;
  return {};
}

}  // namespace vmtax::drive
