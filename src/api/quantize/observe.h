// The float32 network on the samples: the ranges of its values, and the results that others are compared
// with.
//
//   Observed observed = observe(runs, graph, values_to_observe(graph, layers), compared);
#pragma once

#include <cstddef>
#include <map>
#include <set>
#include <vector>

#include "api/quantize/compared_values.h"
#include "api/quantize/sample_runs.h"
#include "compose/quantize/placement.h"
#include "compose/quantize/threshold.h"
#include "compose/quantize/value_statistics.h"
#include "graph/graph.h"

namespace mxinfer::api {

struct Observed {
  std::map<graph::Value, ValueStatistics> statistics;
  /// The compared values by sample; empty if they are too large to keep.
  std::vector<std::vector<Tensor>> results;
};

/// Throws Error(invalid_argument) for a value that is not finite or not float32, with its name and the
/// sample.
Observed observe(SampleRuns& runs, const graph::Graph& graph, const std::set<graph::Value>& values,
                 const std::vector<ComparedValue>& compared);

/// The ranges of all values by one rule.
std::map<graph::Value, ValueRange> ranges_of(const Observed& observed, const ThresholdRule& rule);

}  // namespace mxinfer::api
