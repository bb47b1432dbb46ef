#include <fstream>
#include <thread>

#include <sys/stat.h>

#include "scenario_text.hpp"
#include "support/catch.hpp"
#include "support/temporary_directory.hpp"

namespace vmtax::scenario {
namespace {

namespace fs = std::filesystem;
using test::refusal_of;

std::string refusal_of_file(const fs::path& file) {
  return refusal_of([&] { load(file); });
}

std::string refusal_of_text(const std::string& text) {
  return refusal_of([&] { parse(text, "t.yaml"); });
}

TEST_CASE("what can't be read is the scenario's fault, in one line") {
  const test::TemporaryDirectory directory;
  const auto path = directory.path().string();
  const std::string allowed = "; allowed: a readable YAML file of at most 1MiB";
  CHECK(refusal_of_file(path + "/none.yaml") ==
        path + "/none.yaml:1:1: the scenario can't be read: No such file or directory" + allowed);
  CHECK(refusal_of_file(path) ==
        path + ":1:1: the scenario can't be read: Is a directory" + allowed);
  CHECK(refusal_of_file("/dev/zero") ==
        "/dev/zero:1:1: the scenario is larger than 1MiB" + allowed);
  CHECK(refusal_of_file(path + "/two\nlines") ==
        path + "/two\\x0alines:1:1: the scenario can't be read: No such file or directory" +
            allowed);

  std::ofstream{path + "/empty.yaml"};
  CHECK(refusal_of_file(path + "/empty.yaml").find(":1:1: the scenario is empty") !=
        std::string::npos);
}

TEST_CASE("a scenario may come through a pipe") {
  const test::TemporaryDirectory directory;
  const auto pipe = directory.path() / "pipe";
  REQUIRE(::mkfifo(pipe.c_str(), 0600) == 0);
  std::thread writer([&] {
    std::ofstream to(pipe);
    to << std::ifstream(VMTAX_SOURCE_DIR "/scenarios/quickstart.yaml").rdbuf();
  });
  const auto scenario = load(pipe);
  writer.join();
  CHECK(scenario.name == "quickstart");
}

TEST_CASE("the text is kept as it was read") {
  const fs::path file = VMTAX_SOURCE_DIR "/tests/unit/scenario/good/windows.yaml";
  const auto scenario = load(file);
  CHECK(scenario.text.size() == fs::file_size(file));
  CHECK(scenario.text.substr(0, 3) == "\xef\xbb\xbf");
  CHECK(scenario.name == "byte order mark and carriage returns");
}

TEST_CASE("the limit of size is exact") {
  std::string text(1 << 20, '#');
  CHECK(refusal_of_text(text).find("the scenario is empty") != std::string::npos);
  text += '#';
  CHECK(refusal_of_text(text).find("larger than 1MiB") != std::string::npos);
}

TEST_CASE("nesting ends in a message however deep it is") {
  for (const std::string token : {"[", "{", "- ", "? ", "{a: ", "[[{b: ["}) {
    std::string text;
    while (text.size() < 900'000) text += token;
    CAPTURE(token);
    const auto message = refusal_of_text(text);
    CHECK(message.find("; allowed: ") != std::string::npos);
    CHECK(message.find('\n') == std::string::npos);
  }
}

// What a broken editor, transfer or hand leaves of a good scenario is refused or is still one:
// never anything but a ScenarioError of one line.
TEST_CASE("a scenario cut or changed anywhere gives one line at most") {
  std::string text;
  {
    std::ifstream stream(VMTAX_SOURCE_DIR "/tests/unit/scenario/good/every-key.yaml");
    text.assign(std::istreambuf_iterator<char>(stream), {});
  }
  std::size_t refused = 0;
  const auto try_it = [&](const std::string& broken) {
    const auto message = refusal_of_text(broken);
    if (message.empty()) return;
    ++refused;
    if (message.find('\n') != std::string::npos || !message.starts_with("t.yaml:")) FAIL(message);
  };
  for (std::size_t at = 0; at < text.size(); at += 3) {
    try_it(text.substr(0, at));
    for (const char c : {'"', ':', '[', '}', '\n', '\r', '\t', '\0', '\xff', '&', '-', ' '}) {
      std::string changed = text;
      changed[at] = c;
      try_it(changed);
    }
  }
  CHECK(refused > text.size() / 3);
}

}  // namespace
}  // namespace vmtax::scenario
