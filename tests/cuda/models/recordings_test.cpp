// Recordings of plans: what runs on the device between two steps of the CPU is replayed, from one call to the
// next with other inputs.
#include <gtest/gtest.h>

#include <cmath>

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

// In the first call, before anything is recorded, and in the second, between the two.
TEST(RecordingsOnCuda, AnErrorOfTheCpuLosesNothing) {
  GraphBuilder b;
  const graph::Value factor = b.op("_linalg_potrf", {}, {b.op("abs", {}, {b.input("data")})});
  b.head(b.op("exp", {}, {factor}));
  const Tensor good = tensor_of<float>({1, 2, 2}, {4, 1, 1, 3}),
               bad = tensor_of<float>({1, 2, 2}, {1, 2, 2, 1});
  const std::vector<ops::TensorType> types{{DType::float32, {1, 2, 2}}};
  for (const std::vector<const Tensor*>& calls :
       {std::vector<const Tensor*>{&bad, &good, &good, &good}, {&good, &bad, &good, &good}}) {
    plan::WeightStore weights;
    runtime::Executor executor(plan::make_plan(b.graph(), types, cuda_plan_options(), weights));
    ThreadArena arena(executor.plan().threads);
    for (const Tensor* input : calls) {
      Tensor output(DType::float32, {1, 2, 2});
      const void* from[] = {input->raw()};
      void* to[] = {output.raw()};
      if (input == &bad) {
        EXPECT_THROW(executor.run(from, to, arena), Error);
        continue;
      }
      executor.run(from, to, arena);
      EXPECT_NEAR(output.data<float>()[0], std::exp(2.0f), 1e-4f);
      EXPECT_NEAR(output.data<float>()[2], std::exp(0.5f), 1e-4f);
      EXPECT_NEAR(output.data<float>()[3], std::exp(std::sqrt(2.75f)), 1e-4f);
    }
  }
}

}  // namespace
}  // namespace mxinfer::test
