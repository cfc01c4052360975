#include "api/quantize/observe.h"

#include "base/fail.h"
#include "ops/op_def.h"

namespace mxinfer::api {
namespace {

using graph::Graph;
using graph::Value;

constexpr std::size_t kMostResultBytes = std::size_t{512} << 20;
constexpr int kUint8Levels = 255, kInt8Levels = 127;

void add_to(ValueStatistics& statistics, const std::string& name, const Tensor& values) {
  if (values.dtype() != DType::float32) {
    fail(ErrorCode::invalid_argument, "value '", printable(name), "' is ", to_string(values.dtype()),
         "; layers with 8 bits take float32: pass float32 samples");
  }
  if (statistics.add(values.data<float>(), values.elements())) return;
  fail(ErrorCode::invalid_argument, "value '", printable(name),
       "' has an element that is NaN or infinite, so it has no range; leave this sample out, or check how it "
       "is prepared");
}

/// Keeps the results of all samples, or of none.
class ResultKeeper {
 public:
  explicit ResultKeeper(std::vector<std::vector<Tensor>>& results) : results_(results) {}

  void add(const std::vector<Tensor>& values, std::size_t first) {
    for (std::size_t i = first; i < values.size(); ++i) bytes_ += values[i].bytes();
    if (bytes_ > kMostResultBytes) return results_.clear();
    std::vector<Tensor> copies;
    for (std::size_t i = first; i < values.size(); ++i) copies.push_back(values[i].clone());
    results_.push_back(std::move(copies));
  }

 private:
  std::vector<std::vector<Tensor>>& results_;
  std::size_t bytes_ = 0;
};

ValueRange range_of(const ValueStatistics& statistics, const ThresholdRule& rule) {
  ValueRange range;
  range.is_never_negative = statistics.is_never_negative();
  if (range.is_never_negative) range.threshold_uint8 = threshold_of(statistics, rule, kUint8Levels);
  range.threshold_int8 = threshold_of(statistics, rule, kInt8Levels);
  return range;
}

}  // namespace

Observed observe(SampleRuns& runs, const Graph& graph, const std::set<Value>& values,
                 const std::vector<ComparedValue>& compared) {
  Observed observed;
  std::vector<std::string> names;
  for (Value value : values) {
    names.push_back(ops::output_name(graph, value));
    observed.statistics[value];
  }
  for (const ComparedValue& value : compared) names.push_back(value.name);
  ResultKeeper keeper(observed.results);
  runs.each(graph, names, [&](std::size_t, const std::vector<Tensor>& results) {
    std::size_t next = 0;
    for (auto& [value, statistics] : observed.statistics) {
      add_to(statistics, names[next], results.at(next));
      ++next;
    }
    keeper.add(results, next);
  });
  return observed;
}

std::map<Value, ValueRange> ranges_of(const Observed& observed, const ThresholdRule& rule) {
  std::map<Value, ValueRange> ranges;
  for (const auto& [value, statistics] : observed.statistics) ranges[value] = range_of(statistics, rule);
  return ranges;
}

}  // namespace mxinfer::api
