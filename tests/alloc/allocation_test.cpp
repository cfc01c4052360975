// A warm predict makes no heap allocation. (Left out under sanitizers: counting_malloc.h.)
#include <gtest/gtest.h>
#include <mxinfer/mxinfer.h>

#include <cstdlib>

#include "alloc/counting_malloc.h"
#include "plan/plan.h"
#include "runtime/executor.h"
#include "support/build_graph.h"
#include "support/run_op.h"

#if MXINFER_COUNTS_ALLOCATIONS
namespace mxinfer {
namespace {

using test::allocations;

long allocations_of_warm_predicts(int threads) {
  Options options;
  options.threads = threads;
  const Predictor predictor(std::string(MXINFER_SOURCE_DIR) + "/models/digits", options);
  const Tensor input = test::random_tensor({2, 1, 32, 32}, 1, 0.0f, 255.0f);
  const TensorView inputs[] = {input.view()};
  std::vector<Tensor> outputs;
  for (const DataDesc& output : predictor.output_shapes({{"data", {2, 1, 32, 32}}})) {
    outputs.emplace_back(output.dtype, output.shape);
  }
  for (int i = 0; i < 50; ++i) predictor.predict_into(inputs, outputs);
  const long before = allocations;
  for (int i = 0; i < 100; ++i) predictor.predict_into(inputs, outputs);
  return allocations - before;
}

/// Asynchronous calls into memory of the caller, one after another.
long allocations_of_warm_async_predicts() {
  Options options;
  options.threads = 1;
  options.async.workers = 1;
  const Predictor predictor(std::string(MXINFER_SOURCE_DIR) + "/models/digits", options);
  const Tensor input = test::random_tensor({2, 1, 32, 32}, 1, 0.0f, 255.0f);
  const TensorView inputs[] = {input.view()};
  std::vector<Tensor> outputs;
  for (const DataDesc& output : predictor.output_shapes({{"data", {2, 1, 32, 32}}})) {
    outputs.emplace_back(output.dtype, output.shape);
  }
  // Two at a time: a worker may let go of a request when the next is there already.
  for (int i = 0; i < 50; ++i) {
    auto first = predictor.predict_into_async(inputs, outputs);
    auto second = predictor.predict_into_async(inputs, outputs);
    first.get();
    second.get();
  }
  const long before = allocations;
  for (int i = 0; i < 100; ++i) predictor.predict_into_async(inputs, outputs).get();
  return allocations - before;
}

TEST(Allocation, AWarmAsynchronousPredictMakesNone) {
  EXPECT_EQ(allocations_of_warm_async_predicts(), 0);
}

TEST(Allocation, TheCounterCounts) {
  const long before = allocations;
  // volatile, or the compiler leaves the pair out
  void* volatile memory = std::malloc(10);
  std::free(memory);
  EXPECT_EQ(allocations - before, 1);
}

TEST(Allocation, AWarmPredictMakesNoneOnOneThread) {
  EXPECT_EQ(allocations_of_warm_predicts(1), 0);
}

// oneTBB keeps free lists for its tasks by thread. Work that moves between threads may refill one now and
// then, and a worker may join late; an allocation a call would show as 100 here.
TEST(Allocation, AWarmPredictMakesNoneOnTwoThreads) {
  EXPECT_LE(allocations_of_warm_predicts(2), 4);
}

TEST(Allocation, WarmBranchesSideBySideMakeNone) {
  test::GraphBuilder b;
  const graph::Value data = b.input("data");
  std::vector<graph::Value> ends;
  for (int i = 0; i < 4; ++i) {
    const graph::Value softmax = b.op("softmax", {{"axis", "1"}}, {data});
    ends.push_back(b.op("_mul_scalar", {{"scalar", "2"}}, {softmax}));
  }
  b.head(b.op("Concat", {{"dim", "1"}, {"num_args", "4"}}, ends));
  plan::PlanOptions options{kernels::best_target(), 2};
  options.branches = plan::Branches::wherever_there_are;
  plan::WeightStore weights;
  const auto plan = plan::make_plan(b.graph(), {{DType::float32, {64, 512}}}, options, weights);
  ASSERT_EQ(plan->parallel_regions.size(), 1u);
  runtime::Executor executor(plan);
  ThreadArena arena(2);
  const Tensor input = test::random_tensor({64, 512}, 1);
  Tensor output(DType::float32, plan->outputs[0].shape);
  const void* from[] = {input.raw()};
  void* to[] = {output.raw()};
  for (int i = 0; i < 50; ++i) executor.run(from, to, arena);
  const long before = allocations;
  for (int i = 0; i < 100; ++i) executor.run(from, to, arena);
  EXPECT_LE(allocations - before, 4);
}

}  // namespace
}  // namespace mxinfer
#else
TEST(Allocation, IsCountedInOtherBuilds) {
  GTEST_SKIP() << "a sanitizer's malloc is in place; run the release preset";
}
#endif
