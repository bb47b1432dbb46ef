// Why an engine can't be had on this machine, as a person can act on it: the sysctl, the limit or
// the filter that forbids it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

namespace vmtax::kernel {

/// `proc` is another folder in tests.
std::string explain_io_uring_error(int number, const std::filesystem::path& proc = "/proc");
std::string explain_libaio_error(int number, std::uint32_t slots,
                                 const std::filesystem::path& proc = "/proc");

}  // namespace vmtax::kernel
