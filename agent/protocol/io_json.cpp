#include "protocol/io_json.hpp"

#include <nlohmann/json.hpp>

#include "protocol/json_fields.hpp"

namespace vmtax::protocol {

using nlohmann::json;

json to_json(const Histogram& histogram) {
  json buckets = json::array();
  for (const auto& [index, count] : histogram.sparse()) buckets.push_back({index, count});
  return {{"count", histogram.count()},   {"overflow", histogram.overflow()},
          {"sum_ns", histogram.sum_ns()}, {"min_ns", histogram.min_ns()},
          {"max_ns", histogram.max_ns()}, {"buckets", std::move(buckets)}};
}

Histogram histogram_from_json(const json& object) {
  const Fields fields{object, "histogram"};
  fields.allow_only({"count", "overflow", "sum_ns", "min_ns", "max_ns", "buckets"});
  std::vector<std::pair<std::uint32_t, std::uint64_t>> sparse;
  for (const auto& entry : fields.list("buckets", Histogram::bucket_count)) {
    if (!entry.is_array() || entry.size() != 2)
      fields.fail("buckets", "has an item of no two numbers");
    sparse.emplace_back(static_cast<std::uint32_t>(fields.number_of(entry[0], "bucket index",
                                                                    Histogram::bucket_count - 1)),
                        fields.number_of(entry[1], "bucket count", ~0ULL));
  }
  Histogram histogram;
  if (!Histogram::restore(sparse, fields.number("overflow"), fields.number("sum_ns"),
                          fields.number("min_ns"), fields.number("max_ns"), histogram) ||
      histogram.count() != fields.number("count"))
    fields.fail("", "has counts that don't add up");
  return histogram;
}

json to_json(const IoOutcome& outcome) {
  if (const auto* result = std::get_if<IoResult>(&outcome)) return {{"result", to_json(*result)}};
  const auto& failure = std::get<IoFailure>(outcome);
  json object{{"reason", failure.reason}, {"errno", failure.error_number}};
  if (failure.offset) object["offset"] = failure.offset->value;
  return {{"failure", std::move(object)}};
}

IoOutcome outcome_from_json(const json& object) {
  const Fields fields{object, "outcome"};
  fields.allow_only({"result", "failure"});
  if (fields.has("result") == fields.has("failure"))
    fields.fail("", "is neither one result nor one failure");
  if (fields.has("result")) return result_from_json(fields.member("result"));
  const Fields inner{fields.member("failure"), "failure"};
  inner.allow_only({"reason", "errno", "offset"});
  IoFailure failure;
  failure.reason = inner.text("reason");
  failure.error_number = static_cast<int>(inner.number("errno", 4095));
  if (inner.has("offset")) failure.offset = inner.bytes("offset");
  return failure;
}

}  // namespace vmtax::protocol
