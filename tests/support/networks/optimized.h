// Holds a graph against what all passes make of it.
//
//   b.head(test::convolution(b, b.input("data"), 3, 20, 3));
//   test::expect_optimized(b, data, {"_mxinfer_convolution_nhwc", "transpose"});
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "passes/passes.h"
#include "pipeline/pipeline.h"
#include "support/networks/build_graph.h"
#include "support/run_op.h"

namespace mxinfer::test {

/// A square convolution with bias that keeps the size of a plane.
inline graph::Value convolution(GraphBuilder& b, graph::Value x, std::int64_t channels, std::int64_t filters,
                                std::int64_t kernel, std::int64_t groups = 1) {
  const std::string k = std::to_string(kernel), p = std::to_string(kernel / 2);
  return b.op("Convolution",
              {{"kernel", "(" + k + ", " + k + ")"},
               {"pad", "(" + p + ", " + p + ")"},
               {"num_filter", std::to_string(filters)},
               {"num_group", std::to_string(groups)}},
              {x, b.parameter("w", random_tensor({filters, channels / groups, kernel, kernel}, 5)),
               b.parameter("b", random_tensor({filters}, 6))});
}

/// Expects operators `ops` of the optimised graph, and on every target the outputs of the graph as it is.
inline void expect_optimized(GraphBuilder& b, const Tensor& data, const std::vector<std::string>& ops,
                             double tolerance = 1e-5) {
  graph::Graph optimized = b.graph();
  pipeline::optimise(optimized, {.folds_constants = false});
  graph::verify(optimized);
  EXPECT_EQ(op_names(optimized), ops);
  for (const auto target : targets()) {
    const auto before = run_graph(b.graph(), {&data}, {target}),
               after = run_graph(optimized, {&data}, {target});
    ASSERT_EQ(before.size(), after.size());
    for (std::size_t i = 0; i < before.size(); ++i)
      EXPECT_LE(relative_difference(after[i], before[i]), tolerance) << kernels::to_string(target);
  }
}

}  // namespace mxinfer::test
