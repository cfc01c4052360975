// A warm predict makes no heap allocation. (Left out under sanitizers: counting_malloc.h.)
#include <gtest/gtest.h>
#include <mxinfer/mxinfer.h>

#include <cstdlib>

#include "alloc/counting_malloc.h"
#include "plan/plan.h"
#include "runtime/executor.h"
#include "support/networks/build_graph.h"
#include "support/run_op.h"

#if MXINFER_COUNTS_ALLOCATIONS
namespace mxinfer {
namespace {

using test::allocations;

/// The bundled model with two images, and memory for what it makes of them.
struct Digits {
  explicit Digits(const Options& options)
      : predictor(std::string(MXINFER_SOURCE_DIR) + "/models/digits", options) {
    for (const DataDesc& output : predictor.output_shapes({{"data", {2, 1, 32, 32}}}))
      outputs.emplace_back(output.dtype, output.shape);
  }
  Predictor predictor;
  const Tensor input = test::random_tensor({2, 1, 32, 32}, 1, 0.0f, 255.0f);
  const TensorView inputs[1] = {input.view()};
  std::vector<Tensor> outputs{};
};

long allocations_of_warm_predicts(int threads) {
  Options options;
  options.threads = threads;
  Digits digits(options);
  for (int i = 0; i < 50; ++i) digits.predictor.predict_into(digits.inputs, digits.outputs);
  const long before = allocations;
  for (int i = 0; i < 100; ++i) digits.predictor.predict_into(digits.inputs, digits.outputs);
  return allocations - before;
}

/// Asynchronous calls into memory of the caller, one after another.
long allocations_of_warm_async_predicts() {
  Options options;
  options.threads = 1;
  options.async.workers = 1;
  Digits digits(options);
  const auto submit = [&] { return digits.predictor.predict_into_async(digits.inputs, digits.outputs); };
  // Two at a time: a worker may let go of a request when the next is there already.
  for (int i = 0; i < 50; ++i) {
    auto first = submit();
    auto second = submit();
    first.get();
    second.get();
  }
  const long before = allocations;
  for (int i = 0; i < 100; ++i) submit().get();
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
