// Runs one operator that draws random numbers, as a model runs it with a seed.
//
//   const auto drawn = test::run_seeded("_random_normal", {{"shape", "(3,)"}}, {}, {.seed = 7});
#pragma once

#include <mxinfer/tensor.h>

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "ops/random/random_draws.h"
#include "support/networks/build_graph.h"
#include "support/run_op.h"

namespace mxinfer::test {

struct SeededOptions {
  std::uint64_t seed = 1;
  int threads = 1;
  std::int32_t outputs = 1;
};

inline std::vector<Tensor> run_seeded(const std::string& op, const std::map<std::string, std::string>& attrs,
                                      const std::vector<const Tensor*>& inputs,
                                      const SeededOptions& seeded = {}) {
  GraphBuilder b;
  std::vector<graph::Value> values;
  for (std::size_t i = 0; i < inputs.size(); ++i) values.push_back(b.input("in" + std::to_string(i)));
  graph::Value value = b.op(op, attrs, values);
  for (value.index = 0; value.index < seeded.outputs; ++value.index) b.head(value);
  for (auto& node : b.graph().nodes) {
    if (node.op != nullptr)
      node.attrs.set(ops::kRandomKey, static_cast<std::int64_t>(ops::combine_keys(seeded.seed, 0)));
  }
  RunGraphOptions options;
  options.threads = seeded.threads;
  return run_graph(b.graph(), inputs, options);
}

}  // namespace mxinfer::test
