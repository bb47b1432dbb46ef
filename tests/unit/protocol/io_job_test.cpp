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
  for (const auto pattern :
       {Pattern::read, Pattern::write, Pattern::rw, Pattern::trim, Pattern::randread,
        Pattern::randwrite, Pattern::randrw, Pattern::randtrim})
    CHECK(parse_pattern(to_text(pattern)) == pattern);
  for (const auto engine : {Engine::io_uring, Engine::libaio, Engine::psync, Engine::null})
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
             Contains("iodepth 32") && Contains("psync") && Contains("libaio"));
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

TEST_CASE("what the patterns do") {
  CHECK((reads(Pattern::randrw) && writes(Pattern::randrw) && mixes(Pattern::rw)));
  CHECK_FALSE(reads(Pattern::trim));
  CHECK(writes(Pattern::randtrim));  // it loses data
  for (const auto pattern : {Pattern::read, Pattern::write, Pattern::rw, Pattern::trim})
    CHECK_FALSE(is_random(pattern));
  for (const auto pattern :
       {Pattern::randread, Pattern::randwrite, Pattern::randrw, Pattern::randtrim})
    CHECK(is_random(pattern));
}

TEST_CASE("distributions are read back, and others refused") {
  for (const char* text : {"uniform", "zipf:1.2", "zipf:0.99", "zipf:1.125", "hot:90/10"})
    CHECK(to_text(parse_distribution(text).value()) == text);
  CHECK(parse_distribution("zipf:2")->thousandths == 2000);
  for (const char* text : {"", "zipf", "zipf:", "zipf:x", "zipf:1.2345", "zipf:-1", "hot:90",
                           "hot:9O/10", "Uniform", "zipf:1.", "hot:90/10/1"})
    CHECK_FALSE(parse_distribution(text));
}

TEST_CASE("impossible combinations are refused by their reason") {
  const auto psync = [](IoJob& job) {
    job.engine = Engine::psync;
    job.iodepth = 1;
  };
  CHECK(why_after([&](IoJob& job) {
          psync(job);
          job.jobs = 32;
        }) == "");
  CHECK(why_after([](IoJob& job) {
          job.engine = Engine::null;
          job.target = {};
        }) == "");
  CHECK_THAT(why_after([](IoJob& job) { job.jobs = 0; }), Contains("jobs 0"));
  CHECK_THAT(why_after([](IoJob& job) { job.jobs = 257; }), Contains("256"));
  CHECK_THAT(why_after([](IoJob& job) {
               job.jobs = 64;
               job.block_size = mib(1);
             }),
             Contains("times jobs 64"));
  CHECK_THAT(why_after([](IoJob& job) {
               job.pattern = Pattern::randrw;
               job.read_percent = 100;
             }),
             Contains("read_percent 100"));
  CHECK_THAT(why_after([](IoJob& job) { job.pattern = Pattern::trim; }), Contains("psync"));
  CHECK_THAT(why_after([](IoJob& job) {
               job.pattern = Pattern::read;
               job.random_map = true;
             }),
             Contains("random_map"));
  CHECK_THAT(why_after([](IoJob& job) {
               job.random_map = true;
               job.distribution = *parse_distribution("zipf:1.2");
             }),
             Contains("only uniform"));
  CHECK_THAT(why_after([](IoJob& job) { job.distribution = *parse_distribution("zipf:9"); }),
             Contains("from 0.1 to 3"));
  CHECK_THAT(why_after([](IoJob& job) { job.distribution = *parse_distribution("hot:90/0"); }),
             Contains("1 to 99"));
  CHECK_THAT(why_after([](IoJob& job) { job.flushes.every = 1; }), Contains("writes nothing"));
  CHECK_THAT(why_after([](IoJob& job) { job.dsync = true; }), Contains("writes nothing"));
  CHECK_THAT(why_after([](IoJob& job) { job.content.compress_percent = 5; }),
             Contains("writes nothing"));
  CHECK_THAT(why_after([](IoJob& job) {
               job.pattern = Pattern::randwrite;
               job.verify.on = true;
             }),
             Contains("random_map"));
  CHECK_THAT(why_after([&](IoJob& job) {
               psync(job);
               job.sqpoll = true;
             }),
             Contains("options of io_uring"));
  CHECK_THAT(why_after([](IoJob& job) {
               job.iopoll = true;
               job.direct = false;
             }),
             Contains("direct I/O"));
  CHECK_THAT(why_after([](IoJob& job) { job.extents = {{Bytes{100}, kib(4)}}; }), Contains("512B"));
  CHECK_THAT(why_after([](IoJob& job) {
               job.extents = {{mib(1), Bytes{0}}};
             }),
             Contains("no length"));
  CHECK_THAT(why_after([](IoJob& job) {
               job.jobs = 4;
               job.rate.iops = 3;
             }),
             Contains("rate 3"));
  CHECK_THAT(why_after([](IoJob& job) {
               job.jobs = 2;
               job.runtime = 0s;
               job.amount = mib(1);
             }),
             Contains("one job"));
}
