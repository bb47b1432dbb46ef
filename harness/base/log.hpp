// Talk to the person at the terminal: standard error, one line each, through spdlog. Results never
// go here.
#pragma once

#include <string_view>

namespace vmtax::log {

enum class Level { debug, info, warning, error };

/// Lines below `level` are dropped. Colours only on a terminal without NO_COLOR.
void set_level(Level level);

/// Everything is also appended to this file, at level debug. EnvironmentError when it can't be
/// made.
void also_to_file(const char* path);

void debug(std::string_view line);
void info(std::string_view line);
void warning(std::string_view line);
void error(std::string_view line);

/// Called before a line is printed to a terminal, so that a progress line can clear itself.
void before_each_line(void (*hook)());

}  // namespace vmtax::log
