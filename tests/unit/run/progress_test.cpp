#include "run/progress.hpp"

#include <cstdio>

#include "support/catch.hpp"

using namespace vmtax;
using namespace std::chrono_literals;
using Catch::Matchers::Contains;

namespace {

// What a progress wrote into a file in memory.
template <typename Action>
std::string written(bool terminal, std::size_t columns, Action action) {
  char* text = nullptr;
  std::size_t size = 0;
  std::FILE* out = ::open_memstream(&text, &size);
  {
    run::Progress progress(out, terminal, columns);
    action(progress);
  }
  std::fclose(out);
  std::string result(text, size);
  std::free(text);
  return result;
}

}  // namespace

TEST_CASE("durations for people") {
  CHECK(run::rough_duration(45s) == "45s");
  CHECK(run::rough_duration(750s) == "12m30s");
  CHECK(run::rough_duration(3h + 5min) == "3h05m");
}

TEST_CASE("without a terminal a visit is a plain line") {
  const auto text = written(false, 80, [](run::Progress& progress) {
    progress.begin(10, 0);
    progress.visit("round 1/3  disk bare bare");
    progress.cell("rand-read depth 1", 1s);
    for (int i = 0; i < 5; ++i) progress.sample_done();
    progress.cell("rand-read depth 32", 60s);
    progress.visit("round 1/3  disk guest raw");
  });
  CHECK(text == "  0 %  round 1/3  disk bare bare\n 50 %, 1m00s left  round 1/3  disk guest raw\n");
}

TEST_CASE("what an earlier part measured does not make the rest look faster") {
  const auto text = written(false, 80, [](run::Progress& progress) {
    progress.begin(100, 90);
    progress.visit("a");
    for (int i = 0; i < 5; ++i) progress.sample_done();
    progress.cell("c", 50s);
    progress.visit("b");
  });
  CHECK_THAT(text, Contains(" 95 %, 50s left  b"));
}

TEST_CASE("on a terminal the line is rewritten, no wider than it, and cleared at the end") {
  const auto text = written(true, 30, [](run::Progress& progress) {
    progress.begin(10, 0);
    progress.visit(std::string(100, 'x'));
  });
  CHECK_THAT(text, Contains("\r\033[K"));
  CHECK(text.find('\n') == std::string::npos);
  CHECK(text.size() <= 3 + 1 + 29 + 4);
  CHECK(text.ends_with("\r\033[K"));
}
