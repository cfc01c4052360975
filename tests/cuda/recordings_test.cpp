// Recordings of plans: what runs on the device between two steps of the CPU is replayed, from one call to the
// next with other inputs.
#include <gtest/gtest.h>

#include "cuda/support.h"
#include "runtime/executor.h"

namespace mxinfer::test {
namespace {

constexpr std::int64_t kCount = 3;

/// exp(det(|x|)) + det(|x|), of which the determinants are the CPU's.
graph::Graph with_determinants() {
  GraphBuilder b;
  const graph::Value x = b.input("data");
  const graph::Value det = b.op("_linalg_det", {}, {b.op("abs", {}, {x})}, "determinant");
  b.head(b.op("elemwise_add", {}, {b.op("exp", {}, {det}), det}));
  return b.graph();
}

graph::Graph on_the_device_alone() {
  GraphBuilder b;
  const graph::Value x = b.input("data");
  b.head(b.op("softmax", {}, {b.op("abs", {}, {x})}));
  return b.graph();
}

/// Runs a plan for the GPU five times, each time with other inputs, and compares with the CPU. `replays`: how
/// many recordings a call replays, from the second on.
void expect_replayed(const graph::Graph& graph, int replays) {
  const std::vector<ops::TensorType> types{{DType::float32, {kCount, 3, 3}}};
  plan::PlanOptions on_cpu = cuda_plan_options();
  on_cpu.device = nullptr;
  on_cpu.backend = nullptr;
  plan::WeightStore weights;
  const auto expected = plan::make_plan(graph, types, on_cpu, weights);
  const auto actual = plan::make_plan(graph, types, cuda_plan_options(), weights);
  runtime::Executor executor(actual);
  ThreadArena arena(actual->threads);
  Tensor output(actual->outputs[0].dtype, actual->outputs[0].shape);
  for (int call = 0; call < 5; ++call) {
    const Tensor input = random_tensor({kCount, 3, 3}, 11 + static_cast<unsigned>(call));
    const void* from[] = {input.raw()};
    void* to[] = {output.raw()};
    const auto before = graph_launches();
    executor.run(from, to, arena);
    if (before) {
      EXPECT_EQ(*graph_launches() - *before, call == 0 ? 0u : static_cast<unsigned>(replays));
    }
    expect_close(run_on(expected, {&input})[0], output, 1e-5, 0);
  }
}

TEST(RecordingsOnCuda, APlanOfTheDeviceAloneIsOne) {
  expect_replayed(on_the_device_alone(), 1);
}

TEST(RecordingsOnCuda, AStepOfTheCpuStandsBetweenTwo) {
  expect_replayed(with_determinants(), 2);
}

}  // namespace
}  // namespace mxinfer::test
