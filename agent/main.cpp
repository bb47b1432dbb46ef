// vmtax-agent: the I/O kernel, the same file on the host and in a guest.

#include <cstdio>

#include <CLI/CLI.hpp>
#include <unistd.h>

#include "agent/io_command.hpp"
#include "agent/serve.hpp"
#include "guest/init.hpp"
#include "kernel/failures.hpp"
#include "protocol/io_job.hpp"
#include "protocol/version.hpp"

namespace {

using namespace vmtax;

void add_places(CLI::App& io, agent::IoArguments& arguments) {
  io.add_option("--read-percent", arguments.read_percent, "of rw and randrw")
      ->capture_default_str();
  io.add_option("--distribution", arguments.distribution,
                std::string{protocol::distribution_syntax} + ", of random patterns")
      ->capture_default_str();
  io.add_flag("--random-map", arguments.random_map,
              "random patterns visit each block once per pass");
  io.add_option("--extent", arguments.extents,
                "OFFSET:LENGTH, repeated: the extents of the target as one linear space");
}

void add_writing(CLI::App& io, agent::IoArguments& arguments) {
  io.add_option("--fsync", arguments.fsync, "one after so many writes");
  io.add_option("--fdatasync", arguments.fdatasync, "one after so many writes");
  io.add_flag("--dsync", arguments.dsync, "O_DSYNC: every write is durable by itself");
  io.add_flag("--final-flush", arguments.final_flush, "one after the last I/O, timed by itself");
  io.add_option("--compress", arguments.compress, "percent of each block that is zeros");
  io.add_option("--dedupe", arguments.dedupe, "percent of the writes that are one same block");
  io.add_flag("--verify", arguments.verify,
              "headers and checksums: write and read back, or check what was written");
  io.add_option("--generation", arguments.generation, "in those headers")->capture_default_str();
}

void add_load(CLI::App& io, agent::IoArguments& arguments) {
  io.add_option("--jobs", arguments.jobs, "threads, each with its own ring and slice of the span")
      ->capture_default_str();
  io.add_option("--rate", arguments.rate, "open loop: I/Os started per second, of all jobs");
  io.add_flag("--poisson", arguments.poisson, "its arrivals are random, not even");
  io.add_flag("--submit-singly", arguments.submit_singly,
              "a system call for each I/O, not for all that were reaped together");
  io.add_flag("--sqpoll", arguments.sqpoll, "io_uring: a kernel thread polls for submissions");
  io.add_flag("--iopoll", arguments.iopoll, "io_uring: completions are polled at the device");
}

void add_io(CLI::App& app, agent::IoArguments& arguments) {
  auto* io = app.add_subcommand("io", "run one job and print its result");
  auto* target = io->add_option("--target", arguments.target, "block device or file");
  io->add_option("--serial", arguments.serial, "instead: the disk with this serial")
      ->excludes(target);
  io->add_option("--pattern", arguments.pattern, protocol::pattern_names())->capture_default_str();
  io->add_option("--engine", arguments.engine, protocol::engine_names())->capture_default_str();
  io->add_option("--block-size", arguments.block_size, "of each I/O")->capture_default_str();
  io->add_option("--iodepth", arguments.iodepth, "I/Os in flight of each job")
      ->capture_default_str();
  io->add_option("--runtime", arguments.runtime, "of the measured phase: 5s");
  io->add_option("--ramp", arguments.ramp, "before it, not counted: 2s");
  io->add_option("--amount", arguments.amount, "instead of a runtime: end after so many bytes");
  io->add_option("--offset", arguments.offset, "where the span begins in the target");
  io->add_option("--span", arguments.span, "bytes that are touched (to the end of the target)");
  io->add_option("--seed", arguments.seed, "of offsets and data")->capture_default_str();
  io->add_flag("--buffered", arguments.buffered, "through the page cache, without O_DIRECT");
  io->add_flag("--json", arguments.json, "print JSON");
  add_places(*io, arguments);
  add_writing(*io, arguments);
  add_load(*io, arguments);
}

int serve_command(const std::string& port_name) {
  auto port = port_name.empty() ? agent::Port::standard_io()
                                : agent::Port::named(port_name, std::chrono::seconds{30});
  agent::serve(port, {});
  return 0;
}

int run(int argc, char** argv) {
  CLI::App app{"The agent of vmtax: runs I/O jobs and measures them"};
  app.set_version_flag("--version", std::string{protocol::agent_version});
  app.require_subcommand(1);
  agent::IoArguments io_arguments;
  add_io(app, io_arguments);
  std::string port_name;
  auto* serve = app.add_subcommand("serve", "speak the protocol");
  serve->add_option("--port", port_name,
                    "a virtio-serial port instead of standard input and output");
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  }
  return serve->parsed() ? serve_command(port_name) : agent::io_command(io_arguments);
}

}  // namespace

int main(int argc, char** argv) {
  if (::getpid() == 1) guest::run_as_init();
  try {
    return run(argc, argv);
  } catch (const kernel::Refused& refused) {
    std::fprintf(stderr, "vmtax-agent: %s\n", refused.what());
    return 3;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "vmtax-agent: %s\n", error.what());
    return 1;
  }
}
