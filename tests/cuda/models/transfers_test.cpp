// Inputs on their way to the GPU and outputs on their way back: in pieces, from pinned memory, at two
// threads.
#include <gtest/gtest.h>

#include <cstring>

#include "cuda/support.h"
#include "runtime/executor.h"

namespace mxinfer::test {
namespace {

/// More than two pieces (src/runtime/device_transfers.cpp), and no whole number of them.
const Shape kLarge{1, 3, 700, 777};

/// data + 1, that twice, and data itself.
graph::Graph plus_one() {
  GraphBuilder b;
  const graph::Value data = b.input("data");
  const graph::Value sum = b.op("_plus_scalar", {{"scalar", "1"}}, {data});
  for (const graph::Value head : {sum, sum, data}) b.head(head);
  return b.graph();
}

struct Call {
  explicit Call(int threads) {
    plan::PlanOptions options = cuda_plan_options();
    options.threads = threads;
    plan::WeightStore weights;
    executor.emplace(plan::make_plan(plus_one(), {{DType::float32, kLarge}}, options, weights));
    for (const ops::TensorType& type : executor->plan().outputs) outputs.emplace_back(type.dtype, type.shape);
  }
  void run(const void* input, std::vector<void*> to, int threads) {
    ThreadArena arena(threads);
    const void* from[] = {input};
    executor->run(from, to.data(), arena);
  }

  std::optional<runtime::Executor> executor;
  std::vector<Tensor> outputs;
};

void expect_sums(const Tensor& input, const void* found, float added) {
  const auto* sums = static_cast<const float*>(found);
  std::int64_t wrong = 0;
  for (std::int64_t i = 0; i < input.elements(); ++i) wrong += sums[i] != input.data<float>()[i] + added;
  EXPECT_EQ(wrong, 0);
}

TEST(TransfersOnCuda, LargeArraysGoInPieces) {
  for (const int threads : {1, 2}) {
    Call call(threads);
    for (unsigned seed = 0; seed < 3; ++seed) {
      const Tensor input = random_tensor(kLarge, seed);
      auto& outputs = call.outputs;
      call.run(input.raw(), {outputs[0].raw(), outputs[1].raw(), outputs[2].raw()}, threads);
      expect_sums(input, outputs[0].raw(), 1);
      expect_sums(input, outputs[1].raw(), 1);
      expect_sums(input, outputs[2].raw(), 0);
    }
  }
}

TEST(TransfersOnCuda, PinnedArraysGoDirectly) {
  Call call(1);
  const auto device = cuda_plan_options().device;
  const Tensor input = random_tensor(kLarge, 1);
  const auto pinned_input = device->allocate_staging(input.bytes());
  EXPECT_TRUE(device->is_staging(pinned_input->data()));
  EXPECT_TRUE(device->is_staging(pinned_input->data() + input.bytes() - 1));
  EXPECT_FALSE(device->is_staging(input.raw()));
  std::memcpy(pinned_input->data(), input.raw(), input.bytes());
  std::vector<std::unique_ptr<device::Buffer>> pinned;
  for (int i = 0; i < 3; ++i) pinned.push_back(device->allocate_staging(input.bytes()));
  for (int calls = 0; calls < 3; ++calls) {
    for (const auto& output : pinned) std::memset(output->data(), 0, output->bytes());
    call.run(pinned_input->data(), {pinned[0]->data(), pinned[1]->data(), pinned[2]->data()}, 1);
    expect_sums(input, pinned[0]->data(), 1);
    expect_sums(input, pinned[1]->data(), 1);
    expect_sums(input, pinned[2]->data(), 0);
  }
}

}  // namespace
}  // namespace mxinfer::test
