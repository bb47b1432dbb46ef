#include "base/log.hpp"

#include <cstdlib>
#include <memory>

#include <spdlog/sinks/basic_file_sink.h>
#include <spdlog/sinks/stdout_color_sinks.h>
#include <spdlog/spdlog.h>
#include <unistd.h>

#include "base/errors.hpp"

namespace vmtax::log {
namespace {

void (*line_hook)() = nullptr;

spdlog::logger& logger() {
  static const auto instance = [] {
    auto sink = std::make_shared<spdlog::sinks::stderr_color_sink_mt>(
        std::getenv("NO_COLOR") ? spdlog::color_mode::never : spdlog::color_mode::automatic);
    sink->set_pattern("vmtax: %^%v%$");
    sink->set_level(spdlog::level::info);
    auto made = std::make_shared<spdlog::logger>("vmtax", std::move(sink));
    made->set_level(spdlog::level::debug);
    made->flush_on(spdlog::level::debug);
    return made;
  }();
  return *instance;
}

void say(spdlog::level::level_enum level, std::string_view line) {
  if (line_hook && level != spdlog::level::debug) line_hook();
  logger().log(level, "{}", line);
}

}  // namespace

void set_level(Level level) {
  constexpr spdlog::level::level_enum levels[] = {spdlog::level::debug, spdlog::level::info,
                                                  spdlog::level::warn, spdlog::level::err};
  logger().sinks().front()->set_level(levels[static_cast<int>(level)]);
}

void also_to_file(const char* path) {
  try {
    auto sink = std::make_shared<spdlog::sinks::basic_file_sink_mt>(path);
    sink->set_pattern("%Y-%m-%dT%H:%M:%S.%e %l %v");
    logger().sinks().push_back(std::move(sink));
  } catch (const spdlog::spdlog_ex& failure) {
    throw EnvironmentError(std::string{"the log can't be written: "} + failure.what());
  }
}

void debug(std::string_view line) {
  say(spdlog::level::debug, line);
}
void info(std::string_view line) {
  say(spdlog::level::info, line);
}
void warning(std::string_view line) {
  say(spdlog::level::warn, line);
}
void error(std::string_view line) {
  say(spdlog::level::err, line);
}

void before_each_line(void (*hook)()) {
  line_hook = hook;
}

}  // namespace vmtax::log
