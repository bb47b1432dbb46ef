// The serial number by which the owner of a drive consents to its being written.
#pragma once

#include <string>

#include "drive/roots.hpp"

namespace vmtax::drive {

/// The serial of a whole disk, without padding: NVMe, virtio and MMC from sysfs, SCSI and ATA from
/// the unit serial number page, else as udev knows it (USB bridges). Empty where there is none.
std::string serial_of(const std::string& disk, const Roots& roots = {});

/// What udev's database says (ID_SERIAL_SHORT); empty where it says nothing or there is no udev.
std::string serial_from_udev(const std::string& disk);

}  // namespace vmtax::drive
