// vmtax-agent: the I/O kernel, the same file on the host and in a guest.

#include <cstdio>

#include <CLI/CLI.hpp>
#include <unistd.h>

#include "agent/io_command.hpp"
#include "agent/serve.hpp"
#include "guest/init.hpp"
#include "kernel/failures.hpp"
#include "protocol/version.hpp"

namespace {

using namespace vmtax;

void add_io(CLI::App& app, agent::IoArguments& arguments) {
  auto* io = app.add_subcommand("io", "run one job and print its result");
  auto* target = io->add_option("--target", arguments.target, "block device or file");
  io->add_option("--serial", arguments.serial, "instead: the disk with this serial")
      ->excludes(target);
  io->add_option("--pattern", arguments.pattern, "read | write | randread | randwrite")
      ->capture_default_str();
  io->add_option("--engine", arguments.engine, "io_uring | psync")->capture_default_str();
  io->add_option("--block-size", arguments.block_size, "of each I/O")->capture_default_str();
  io->add_option("--iodepth", arguments.iodepth, "I/Os in flight")->capture_default_str();
  io->add_option("--runtime", arguments.runtime, "of the measured phase: 5s");
  io->add_option("--ramp", arguments.ramp, "before it, not counted: 2s");
  io->add_option("--amount", arguments.amount, "instead of a runtime: end after so many bytes");
  io->add_option("--offset", arguments.offset, "where the span begins in the target");
  io->add_option("--span", arguments.span, "bytes that are touched (to the end of the target)");
  io->add_option("--seed", arguments.seed, "of offsets and data")->capture_default_str();
  io->add_flag("--buffered", arguments.buffered, "through the page cache, without O_DIRECT");
  io->add_flag("--json", arguments.json, "print JSON");
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
