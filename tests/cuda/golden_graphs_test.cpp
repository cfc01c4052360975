// The small graphs that MXNet saved and ran, on the GPU: MXNet's numbers, and what of them runs on the CPU.
#include "support/networks/golden_graphs.h"

#include <gtest/gtest.h>
#include <mxinfer/predictor.h>

#include <set>

#include "cuda/steps_on_cpu.h"
#include "cuda/support.h"
#include "support/files/golden_npz.h"

namespace mxinfer {
namespace {

struct OnCuda {
  explicit OnCuda(const std::string& name)
      : golden(test::read_golden(test::golden_graphs_folder() / (name + ".npz"))),
        predictor(Model::load((test::golden_graphs_folder() / name).string()), options()) {}

  static Options options() {
    Options options;
    options.threads = 1;
    options.device = "cuda:0";
    return options;
  }
  std::set<std::string> operators_on_cpu() const { return test::operators_on_cpu(predictor, golden.inputs); }

  test::Golden golden;
  Predictor predictor;
};

// How often a body runs, or how large a value is, the CPU finds from values that it has to read. Determinants
// are LAPACK's. NumPy's differences and triangles have no kernel.
const std::set<std::string>& left_to_the_cpu() {
  static const std::set<std::string> names{"_cond",           "_foreach",           "_linalg_det",
                                           "_linalg_slogdet", "_linalg_sumlogdiag", "_mxinfer_boolean_mask",
                                           "_mxinfer_delete", "_mxinfer_nonzero",   "_mxinfer_unique",
                                           "_npi_diff",       "_npi_tril",          "_while_loop"};
  return names;
}

class GoldenGraphOnCuda : public testing::TestWithParam<std::string> {};

TEST_P(GoldenGraphOnCuda, GivesMxnetsNumbers) {
  const OnCuda graph(GetParam());
  test::for_each_schedule([&] {
    // The third run replays what the second one recorded.
    for (int run = 0; run < 3; ++run) test::expect_golden(graph.predictor, graph.golden, 1e-5);
  });
}

TEST_P(GoldenGraphOnCuda, LeavesToTheCpuWhatTheListSays) {
  for (const std::string& name : OnCuda(GetParam()).operators_on_cpu())
    EXPECT_EQ(left_to_the_cpu().count(name), 1u) << name;
}

INSTANTIATE_TEST_SUITE_P(Recorded, GoldenGraphOnCuda, testing::ValuesIn(test::golden_graphs()),
                         [](const auto& graph) { return graph.param; });

// The list above has nothing that a GPU computes by now.
TEST(GoldenGraphsOnCuda, LeaveToTheCpuWhatTheListSays) {
  std::set<std::string> found;
  for (const std::string& name : test::golden_graphs()) found.merge(OnCuda(name).operators_on_cpu());
  EXPECT_EQ(found, left_to_the_cpu());
}

}  // namespace
}  // namespace mxinfer
