// The cases of operators that were recorded from MXNet (tests/golden/ops), as far as the GPU computes them.
#include "support/recorded_cases.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "base/fail.h"
#include "cuda/support.h"
#include "ops/cuda/cuda_backend.h"
#include "ops/registry.h"

namespace mxinfer {
namespace {

// A case as a plan for the GPU.
struct Planned {
  test::OneOperator graph;
  std::shared_ptr<const plan::Plan> plan;
};

Planned plan_with(const test::RecordedCase& recorded, const std::vector<std::size_t>& parameters,
                  plan::WeightStore& weights) {
  test::OnCudaOptions options;
  options.parameters = parameters;
  options.numpy_shapes = recorded.numpy_shapes;
  Planned planned{test::one_operator(recorded.op, recorded.attrs, recorded.inputs, options), nullptr};
  std::vector<ops::TensorType> types;
  for (const Tensor* input : planned.graph.inputs) types.push_back({input->dtype(), input->shape()});
  planned.plan =
      plan::make_plan(planned.graph.graph, types, test::cuda_plan_options(), weights, recorded.name);
  if (!test::runs_on_cuda(*planned.plan)) planned.plan = nullptr;
  return planned;
}

// Without a plan if the GPU does not compute the case, not even with its inputs but the first as parameters:
// some operators read their indices when the plan is made.
Planned plan_of(const test::RecordedCase& recorded, plan::WeightStore& weights) {
  const ops::OpDef* op = ops::find_op(recorded.op);
  if (op != nullptr && op->bounded_form != nullptr) return {};  // the CPU reads how large its output is
  Planned planned = plan_with(recorded, recorded.parameters, weights);
  if (planned.plan || recorded.inputs.size() < 2) return planned;
  std::vector<std::size_t> others;
  for (std::size_t i = 1; i < recorded.inputs.size(); ++i) others.push_back(i);
  return plan_with(recorded, others, weights);
}

class RecordedOnCuda : public testing::TestWithParam<std::string> {};

TEST_P(RecordedOnCuda, EqualsMxnet) {
  test::for_each_recorded_of(GetParam(), [](const test::RecordedCase& recorded) {
    SCOPED_TRACE(recorded.name + " " + recorded.op);
    // Equal elements are in the order of the input on a GPU; MXNet's is that of the C++ library's sort.
    if (recorded.name.find("_ties") != std::string::npos) return;
    plan::WeightStore weights;
    const Planned planned = plan_of(recorded, weights);
    if (!planned.plan) return;
    const std::vector<Tensor> outputs = test::run_on(planned.plan, planned.graph.inputs);
    ASSERT_GE(outputs.size(), recorded.outputs.size());
    for (std::size_t o = 0; o < recorded.outputs.size(); ++o) {
      const Tensor& expected = *recorded.outputs[o];
      test::expect_close(expected, outputs[o],
                         recorded.tolerance.value_or(test::recorded_tolerance(expected.dtype())), o);
    }
  });
}

INSTANTIATE_TEST_SUITE_P(Golden, RecordedOnCuda, testing::ValuesIn(test::recorded_families()),
                         [](const auto& family) { return family.param; });

// Operators of this library's own are in the tests of their families, those that draw numbers, and those that
// MXNet does not run: it has BatchNormWithReLU with oneDNN only, _square_sum for sparse arrays, no _copyto in
// a symbol, and others in place alone.
TEST(RecordedOnCuda, HasACaseOfEveryOperator) {
  const std::set<std::string> never_recorded{
      "_contrib_BatchNormWithReLU", "_copyto", "_onehot_encode", "_scatter_set_nd", "_square_sum",
      "fill_element_0index"};
  std::set<std::string> left;
  for (const std::string& name : ops::cuda_operators()) {
    const bool is_own = name.rfind("_mxinfer_", 0) == 0, draws = name.rfind("_image_random_", 0) == 0;
    if (!is_own && !draws && never_recorded.count(name) == 0) left.insert(name);
  }
  test::for_each_recorded([&](const test::RecordedCase& recorded) {
    const ops::OpDef* op = ops::find_op(recorded.op);
    if (op == nullptr || left.count(op->name) == 0) return;
    plan::WeightStore weights;
    if (plan_of(recorded, weights).plan) left.erase(op->name);
  });
  std::string names;
  for (const std::string& name : left) names += " " + name;
  EXPECT_EQ(names, "");
}

}  // namespace
}  // namespace mxinfer
