// Many threads on one predictor whose graph has a loop, a branch, or is cut where sizes depend on data.
#include <gtest/gtest.h>
#include <mxinfer/mxinfer.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <thread>
#include <vector>

#include "support/files/golden_npz.h"
#include "support/run_op.h"

namespace mxinfer {
namespace {

constexpr int kGraphThreads = 8;
constexpr int kGraphCalls = 20;

class ThreadsOnAGraph : public ::testing::TestWithParam<const char*> {};

TEST_P(ThreadsOnAGraph, GetMxnetsNumbersEach) {
  const auto prefix = std::filesystem::path(MXINFER_SOURCE_DIR) / "tests" / "golden" / "graphs" / GetParam();
  const test::Golden golden = test::read_golden(prefix.string() + ".npz");
  Options options;
  options.threads = 2;
  const Predictor predictor(Model::load(prefix.string()), options);
  std::vector<TensorView> inputs;
  for (const DataDesc& desc : predictor.model().signature().inputs)
    inputs.push_back(golden.inputs.at(desc.name).view());

  std::vector<double> worst(kGraphThreads, 0.0);
  std::vector<std::thread> threads;
  for (int t = 0; t < kGraphThreads; ++t) {
    threads.emplace_back([&, t] {
      double& own = worst[static_cast<std::size_t>(t)];
      for (int call = 0; call < kGraphCalls; ++call) {
        const auto outputs = predictor.predict(Span<const TensorView>(inputs));
        for (std::size_t o = 0; o < outputs.size(); ++o)
          own = std::max(own, test::relative_difference(outputs[o], golden.outputs[o]));
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const double difference : worst) EXPECT_LE(difference, 1e-5);
}

INSTANTIATE_TEST_SUITE_P(Recorded, ThreadsOnAGraph,
                         ::testing::Values("foreach_cell", "while_to_the_end", "cond_in_while", "mask_rows",
                                           "mask_twice"));

}  // namespace
}  // namespace mxinfer
