#include <memory>

#include <libudev.h>

#include "drive/serial.hpp"

namespace vmtax::drive {

std::string serial_from_udev(const std::string& disk) {
  const std::unique_ptr<udev, decltype(&udev_unref)> context{udev_new(), &udev_unref};
  if (!context) return {};
  const std::unique_ptr<udev_device, decltype(&udev_device_unref)> device{
      udev_device_new_from_subsystem_sysname(context.get(), "block", disk.c_str()),
      &udev_device_unref};
  if (!device) return {};
  const char* serial = udev_device_get_property_value(device.get(), "ID_SERIAL_SHORT");
  return serial ? serial : "";
}

}  // namespace vmtax::drive
