#include "agent/io_command.hpp"

#include <algorithm>
#include <cstdio>
#include <stdexcept>

#include <poll.h>
#include <signal.h>

#include "agent/io_print.hpp"
#include "agent/target.hpp"
#include "kernel/failures.hpp"
#include "kernel/watched_job.hpp"

namespace vmtax::agent {
namespace {

using protocol::IoJob;

struct UsageError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

template <class Value>
Value parsed(const char* option, const std::string& text, std::optional<Value> value,
             std::string_view allowed) {
  if (value) return *value;
  throw UsageError{std::string{option} + " " + text + ": allowed is " + std::string{allowed}};
}

Bytes bytes_of(const char* option, const std::string& text) {
  return text.empty() ? Bytes{} : parsed(option, text, parse_bytes(text), bytes_syntax);
}

Nanoseconds duration_of(const char* option, const std::string& text) {
  return text.empty() ? Nanoseconds{} : parsed(option, text, parse_duration(text), duration_syntax);
}

protocol::Extent extent_of(const std::string& text) {
  const auto colon = text.find(':');
  if (colon == std::string::npos)
    throw UsageError{"--extent " + text + ": allowed is OFFSET:LENGTH, as 1MiB:64KiB"};
  return {bytes_of("--extent", text.substr(0, colon)),
          bytes_of("--extent", text.substr(colon + 1))};
}

void put_places(const IoArguments& arguments, IoJob& job) {
  job.read_percent = arguments.read_percent;
  job.distribution =
      parsed("--distribution", arguments.distribution,
             protocol::parse_distribution(arguments.distribution), protocol::distribution_syntax);
  job.random_map = arguments.random_map;
  for (const auto& extent : arguments.extents) job.extents.push_back(extent_of(extent));
}

void put_writing(const IoArguments& arguments, IoJob& job) {
  if (arguments.fsync != 0 && arguments.fdatasync != 0)
    throw UsageError{"--fsync and --fdatasync: allowed is one of them"};
  job.flushes.every = std::max(arguments.fsync, arguments.fdatasync);
  job.flushes.data_only = arguments.fdatasync != 0;
  job.flushes.at_end = arguments.final_flush;
  job.dsync = arguments.dsync;
  job.content = {arguments.compress, arguments.dedupe};
  job.verify = {arguments.verify, arguments.generation};
}

IoJob job_of(const IoArguments& arguments) {
  IoJob job;
  job.target = {arguments.target, arguments.serial};
  job.pattern = parsed("--pattern", arguments.pattern, protocol::parse_pattern(arguments.pattern),
                       protocol::pattern_names());
  job.engine = parsed("--engine", arguments.engine, protocol::parse_engine(arguments.engine),
                      protocol::engine_names());
  job.block_size = bytes_of("--block-size", arguments.block_size);
  job.iodepth = arguments.iodepth;
  job.runtime = duration_of("--runtime", arguments.runtime);
  job.ramp = duration_of("--ramp", arguments.ramp);
  job.offset = bytes_of("--offset", arguments.offset);
  job.span = bytes_of("--span", arguments.span);
  if (!arguments.amount.empty()) job.amount = bytes_of("--amount", arguments.amount);
  job.direct = !arguments.buffered;
  job.seed = arguments.seed;
  put_places(arguments, job);
  put_writing(arguments, job);
  job.jobs = arguments.jobs;
  job.rate = {arguments.rate,
              arguments.poisson ? protocol::Arrivals::poisson : protocol::Arrivals::constant};
  job.submit_singly = arguments.submit_singly;
  job.sqpoll = arguments.sqpoll;
  job.iopoll = arguments.iopoll;
  if (auto why = protocol::why_invalid(job)) throw UsageError{*why};
  return job;
}

int refuse(const char* reason, int exit_code) {
  std::fprintf(stderr, "vmtax-agent: %s\n", reason);
  return exit_code;
}

kernel::JobEnd run_watched(const IoJob& job, const std::string& path) {
  kernel::WatchedJob running{job, path};
  for (;;) {
    if (auto end = running.watch()) return std::move(*end);
    pollfd done{running.done_fd(), POLLIN, 0};
    ::poll(&done, 1, 1000);
  }
}

}  // namespace

int io_command(const IoArguments& arguments) {
  try {
    const IoJob job = job_of(arguments);
    const auto end = run_watched(job, resolve_target(job.target));
    if (const auto* failure = std::get_if<protocol::IoFailure>(&end.outcome)) {
      if (arguments.json) std::puts(json_of_failure(*failure).c_str());
      return refuse(failure->reason.c_str(), end.refused ? 3 : 1);
    }
    const auto& result = std::get<protocol::IoResult>(end.outcome);
    std::puts((arguments.json ? json_of_result(job, result) : line_of_result(job, result)).c_str());
    return 0;
  } catch (const UsageError& error) {
    return refuse(error.what(), 2);
  } catch (const kernel::Refused& refused) {
    return refuse(refused.what(), 3);
  }
}

}  // namespace vmtax::agent
