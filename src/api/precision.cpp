#include "api/precision.h"

#include "base/fail.h"
#include "passes/passes.h"

namespace mxinfer::api {

kernels::Precision choose_precision(const std::string& option) {
  if (option.empty()) return kernels::Precision::float32;
  if (const auto precision = kernels::parse_precision(option)) return *precision;
  std::string known;
  for (const kernels::Precision precision : kernels::kPrecisions)
    known += concat(known.empty() ? "" : " or ", kernels::to_string(precision));
  fail(ErrorCode::invalid_argument, "Options::precision is \"", printable(option), "\"; it can be ", known);
}

GraphAtPrecision::GraphAtPrecision(const graph::Graph& graph, kernels::Precision precision) : own_(graph) {
  if (precision == kernels::Precision::float32) return;
  lowered_ = graph;
  passes::lower_precision(*lowered_, precision);
}

}  // namespace mxinfer::api
