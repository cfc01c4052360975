// Small graphs that MXNet saved and ran (tests/oracle/record_graphs.py): control flow, shapes that depend on
// data, unrolled cells, sparse arrays, names and spellings that other programs write.
#include "support/networks/golden_graphs.h"

#include <gtest/gtest.h>
#include <mxinfer/mxinfer.h>

#include "support/files/golden_npz.h"
#include "support/run_op.h"

namespace mxinfer {
namespace {

class GoldenGraph : public ::testing::TestWithParam<std::string> {};

TEST_P(GoldenGraph, GivesMxnetsNumbers) {
  const auto model = Model::load((test::golden_graphs_folder() / GetParam()).string());
  const test::Golden golden = test::read_golden(test::golden_graphs_folder() / (GetParam() + ".npz"));
  for (const auto target : test::targets()) {
    for (const int threads : {1, 2}) {
      SCOPED_TRACE(kernels::to_string(target));
      Options options;
      options.target = parse_target(kernels::to_string(target));
      options.threads = threads;
      const Predictor predictor(model, options);
      test::expect_golden(predictor, golden, 1e-5);
      test::expect_golden(predictor, golden, 1e-5);  // nothing is left over from a run
    }
  }
}

std::string graph_name(const ::testing::TestParamInfo<std::string>& graph) {
  return graph.param;
}

INSTANTIATE_TEST_SUITE_P(Recorded, GoldenGraph, ::testing::ValuesIn(test::golden_graphs()), graph_name);

}  // namespace
}  // namespace mxinfer
