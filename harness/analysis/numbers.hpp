// How a number is printed: once, here, so that every form of the report and every finding shows the
// same digits. Texts are UTF-8.
#pragma once

#include <cstdint>
#include <string>

#include "analysis/ratio.hpp"
#include "protocol/units.hpp"

namespace vmtax::analysis {

std::string percent(double fraction);             ///< 0.6184 -> "61.8 %", never "-0.0 %"
std::string percent(const Estimate& estimate);    ///< "61.8 % [60.1, 63.4]", or without interval
std::string percent_interval(const Estimate& e);  ///< "[60.1, 63.4]"; empty without interval
std::string factor(double ratio);                 ///< 2.514 -> "2.51x"
std::string factor(const Estimate& estimate);     ///< "2.51x [2.40, 2.63]"
std::string io_rate(double iops);  ///< "12,345 IOPS", below 100 one digit: "83.2 IOPS"
std::string byte_rate(
    double bytes_per_second);  ///< in MB/s of 1,000,000 bytes: "184.3 MB/s", "1,397 MB/s"
std::string latency(double nanoseconds);      ///< three digits: "85.3 µs", "1.23 ms"
std::string wall_time(Nanoseconds duration);  ///< "7 min 12 s", "4.2 s"
std::string size(Bytes bytes);                ///< for reading: "1.50 GiB", "64.0 KiB", "512 B"

}  // namespace vmtax::analysis
