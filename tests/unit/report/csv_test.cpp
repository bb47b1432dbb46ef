#include "report/csv.hpp"

#include <nlohmann/json.hpp>

#include "support/catch.hpp"
#include "support/csv_reader.hpp"
#include "support/study_builder.hpp"

using namespace vmtax;

namespace {

test::CsvRows rows_of(const test::StudyBuilder& builder) {
  return test::read_csv(report::to_csv(report::make_model(analysis::analyse(builder.study()))));
}

}  // namespace

TEST_CASE("one row per sample, each with every column") {
  const auto builder = test::sample_study();
  const auto rows = rows_of(builder);
  REQUIRE(rows.size() == builder.samples.size());
  CHECK(rows[0].at("arm") == "bare");
  CHECK(rows[0].at("round") == "1");
  CHECK(rows[0].at("iops") == "2000");
  CHECK(rows[0].at("bytes_per_second") == "8192000");
  CHECK(rows[0].at("cpu_ns_per_io") == "5000");
  CHECK(rows[0].at("visit") == "1");
  CHECK(std::stoll(rows[0].at("job_elapsed_ns")) >= std::stoll(rows[0].at("elapsed_ns")));
  CHECK(rows[0].at("status") == "ok");
  CHECK(rows[0].at("configuration").empty());
  CHECK(rows[2].at("configuration") == "pass");
}

TEST_CASE("a failure is a row with its reason and no number") {
  test::StudyBuilder builder;
  builder.with_clean_pairs();
  builder.samples[1].outcome = protocol::IoFailure{"said \"no\", twice", 0, {}};
  builder.samples[2].block_finished = false;
  const auto rows = rows_of(builder);
  CHECK(rows[1].at("status") == "failed");
  CHECK(rows[1].at("reason") == "said \"no\", twice");
  CHECK(rows[1].at("iops").empty());
  CHECK(rows[1].at("ios").empty());
  CHECK(rows[2].at("status") == "interrupted");
  CHECK(rows[2].at("iops") == "1100");
}
