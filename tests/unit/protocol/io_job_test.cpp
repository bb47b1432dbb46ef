#include "protocol/io_job.hpp"

#include "support/catch.hpp"

using namespace vmtax;
using namespace vmtax::protocol;
using namespace std::chrono_literals;
using Catch::Contains;

namespace {

IoJob good_job() {
  IoJob job;
  job.target.path = "/dev/x";
  job.iodepth = 32;
  job.runtime = 5s;
  return job;
}

template <class Change>
std::string why_after(Change change) {
  auto job = good_job();
  change(job);
  return why_invalid(job).value_or("");
}

}  // namespace

TEST_CASE("names of patterns and engines are read back") {
  for (const auto pattern : {Pattern::read, Pattern::write, Pattern::randread, Pattern::randwrite})
    CHECK(parse_pattern(to_text(pattern)) == pattern);
  for (const auto engine : {Engine::io_uring, Engine::psync})
    CHECK(parse_engine(to_text(engine)) == engine);
  CHECK_FALSE(parse_pattern("Read"));
  CHECK_FALSE(parse_engine(""));
}

TEST_CASE("a good job is valid") {
  CHECK_FALSE(why_invalid(good_job()));
  CHECK(why_after([](IoJob& job) {
          job.runtime = 0s;
          job.amount = kib(4) * 100;
        }) == "");
}

TEST_CASE("a bad job's reason names the value and what is allowed") {
  CHECK_THAT(why_after([](IoJob& job) { job.target = {}; }), Contains("path or a serial"));
  CHECK_THAT(why_after([](IoJob& job) { job.target.serial = "s"; }), Contains("path or a serial"));
  CHECK_THAT(why_after([](IoJob& job) { job.block_size = Bytes{1000}; }),
             Contains("1kB") && Contains("512B"));
  CHECK_THAT(why_after([](IoJob& job) { job.block_size = Bytes{0}; }), Contains("0B"));
  CHECK_THAT(why_after([](IoJob& job) { job.block_size = gib(1); }), Contains("64MiB"));
  CHECK_THAT(why_after([](IoJob& job) { job.offset = Bytes{100}; }), Contains("offset 100B"));
  CHECK_THAT(why_after([](IoJob& job) { job.iodepth = 0; }), Contains("iodepth 0"));
  CHECK_THAT(why_after([](IoJob& job) { job.iodepth = 1 << 20; }), Contains("16384"));
  CHECK_THAT(why_after([](IoJob& job) {
               job.block_size = mib(64);
               job.iodepth = 64;
             }),
             Contains("buffers of more than 1GiB"));
  CHECK_THAT(why_after([](IoJob& job) { job.engine = Engine::psync; }),
             Contains("iodepth 32") && Contains("psync") && Contains("io_uring"));
  CHECK_THAT(why_after([](IoJob& job) { job.span = Bytes{512}; }),
             Contains("smaller than one block"));
  CHECK_THAT(why_after([](IoJob& job) { job.span = Bytes{~0ULL}; }), Contains("above"));
  CHECK_THAT(why_after([](IoJob& job) { job.runtime = 0s; }), Contains("runtime"));
  CHECK_THAT(why_after([](IoJob& job) { job.runtime = -5s; }), Contains("runtime"));
  CHECK_THAT(why_after([](IoJob& job) { job.ramp = 24h * 365; }), Contains("ramp"));
  CHECK_THAT(why_after([](IoJob& job) { job.amount = mib(1); }), Contains("combined"));
}

TEST_CASE("an amount that ends inside a block is only for one sequential pass") {
  const auto with_amount = [](Pattern pattern, Bytes span, Bytes amount) {
    return why_after([&](IoJob& job) {
      job.pattern = pattern;
      job.runtime = 0s;
      job.span = span;
      job.amount = amount;
    });
  };
  CHECK(with_amount(Pattern::write, mib(1), mib(1) - Bytes{512}) == "");
  CHECK_THAT(with_amount(Pattern::randwrite, mib(1), mib(1) - Bytes{512}), Contains("random"));
  CHECK_THAT(with_amount(Pattern::write, mib(1), mib(1) + Bytes{512}), Contains("one pass"));
  CHECK_THAT(with_amount(Pattern::write, mib(1), Bytes{5000}), Contains("multiple of 512B"));
}
