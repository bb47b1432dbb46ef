#include "base/process.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <utility>

#include <poll.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/errors.hpp"
#include "base/fd.hpp"
#include "base/interrupt.hpp"
#include "base/launched_program.hpp"

namespace vmtax {
namespace {

// Appends what is there. False at end of file.
bool drain(int fd, std::string& into) {
  std::array<char, 65536> buffer;
  const auto got = ::read(fd, buffer.data(), buffer.size());
  if (got < 0) return errno == EINTR || errno == EAGAIN;
  into.append(buffer.data(), static_cast<std::size_t>(got));
  return got > 0;
}

// A file in memory that holds the child's whole input: nothing to pump, no deadlock.
Fd input_file(std::string_view input) {
  Fd file{::memfd_create("input", MFD_CLOEXEC)};
  for (std::size_t done = 0; done < input.size();) {
    const auto put = ::write(file.get(), input.data() + done, input.size() - done);
    if (put < 0)
      throw EnvironmentError(std::string{"no memory for a child's input: "} + std::strerror(errno));
    done += static_cast<std::size_t>(put);
  }
  ::lseek(file.get(), 0, SEEK_SET);
  return file;
}

// The last lines of what a program said, for a message of one line.
std::string tail(const std::string& text) {
  std::string line;
  const std::size_t start = text.size() > 600 ? text.size() - 600 : 0;
  for (const char c : text.substr(start)) line += c == '\n' ? ' ' : c;
  while (!line.empty() && line.back() == ' ') line.pop_back();
  return line;
}

}  // namespace

std::string find_program(const std::string& name) {
  if (name.find('/') != std::string::npos) return ::access(name.c_str(), X_OK) == 0 ? name : "";
  const char* path = std::getenv("PATH");
  std::string places = std::string{path ? path : "/usr/bin:/bin"} + ":/usr/sbin:/sbin";
  for (std::size_t start = 0; start <= places.size();) {
    const auto end = std::min(places.find(':', start), places.size());
    const auto candidate = std::filesystem::path{places.substr(start, end - start)} / name;
    if (end > start && ::access(candidate.c_str(), X_OK) == 0) return candidate.string();
    start = end + 1;
  }
  return {};
}

ProcessOutput run_process(const std::vector<std::string>& argv, std::chrono::milliseconds limit,
                          std::string_view input) {
  const Deadline deadline{"'" + command_line(argv) + "' ends", limit};
  const Fd in = input_file(input);
  Pipe out, err;
  LaunchedProgram child{argv, in.get(), out.write.get(), err.write.get()};
  out.write.reset();
  err.write.reset();
  set_nonblocking(out.read.get());
  set_nonblocking(err.read.get());
  ProcessOutput output;
  std::array<pollfd, 4> watch{{{out.read.get(), POLLIN, 0},
                               {err.read.get(), POLLIN, 0},
                               {child.pidfd(), POLLIN, 0},
                               {interrupt::fd(), POLLIN, 0}}};
  for (bool ended = false; !ended;) {
    interrupt::check();
    if (deadline.passed()) throw EnvironmentError(deadline.missed());
    ::poll(watch.data(), watch.size(), static_cast<int>(deadline.left().count()));
    ended = watch[2].revents != 0;
    if (watch[0].revents && !drain(out.read.get(), output.out)) watch[0].fd = -1;
    if (watch[1].revents && !drain(err.read.get(), output.err)) watch[1].fd = -1;
  }
  // What it wrote before its end is all in the pipes; a daemon it left may keep them open for ever.
  for (auto [pipe, text] : {std::pair{&out, &output.out}, std::pair{&err, &output.err}})
    for (std::size_t before = ~std::size_t{0}; before != text->size();) {
      before = text->size();
      drain(pipe->read.get(), *text);
    }
  child.reap();
  child.fill(output);
  return output;
}

std::string run_checked(const std::vector<std::string>& argv, std::chrono::milliseconds limit,
                        std::string_view input) {
  auto output = run_process(argv, limit, input);
  if (output.ok()) return std::move(output.out);
  const auto how = output.signal ? "was ended by signal " + std::to_string(output.signal)
                                 : "exited with " + std::to_string(output.exit_code);
  throw EnvironmentError("'" + command_line(argv) + "' " + how + ": " +
                         tail(output.err.empty() ? output.out : output.err));
}

}  // namespace vmtax
