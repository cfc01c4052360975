// Where the time of a network goes.
#include <gtest/gtest.h>
#include <mxinfer/error.h>
#include <mxinfer/tools/step_times.h>

namespace mxinfer {
namespace {

TEST(StepTimes, HasATimeForEachStepThatRuns) {
  const auto model = Model::load(std::string(MXINFER_SOURCE_DIR) + "/models/digits/digits");
  const Tensor image(DType::float32, {2, 1, 32, 32});
  const std::vector<TensorView> inputs = {image};
  Options options;
  options.threads = 1;
  const StepTimes times = time_steps(model, options, Span<const TensorView>(inputs), 0.01);
  ASSERT_EQ(times.steps.size(), times.median_ms.size());
  EXPECT_GE(times.calls, 1u);
  EXPECT_EQ(times.threads, 1);
  double flops = 0;
  for (std::size_t i = 0; i < times.steps.size(); ++i) {
    EXPECT_GT(times.median_ms[i], 0) << times.steps[i].node;
    EXPECT_NE(times.steps[i].kernel, "alias");
    flops += times.steps[i].flops;
  }
  EXPECT_GT(flops, 1e6);
}

}  // namespace
}  // namespace mxinfer
