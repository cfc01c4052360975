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

// Nothing if MXNet's case is one that the operator refuses, or that runs on the CPU.
std::shared_ptr<const plan::Plan> plan_of(const test::RecordedCase& recorded, const test::OneOperator& graph,
                                          plan::WeightStore& weights) {
  std::vector<ops::TensorType> types;
  for (const Tensor* input : graph.inputs) types.push_back({input->dtype(), input->shape()});
  const auto plan = plan::make_plan(graph.graph, types, test::cuda_plan_options(), weights, recorded.name);
  return test::runs_on_cuda(*plan) ? plan : nullptr;
}

class RecordedOnCuda : public testing::TestWithParam<std::string> {};

TEST_P(RecordedOnCuda, EqualsMxnet) {
  test::for_each_recorded_of(GetParam(), [](const test::RecordedCase& recorded) {
    SCOPED_TRACE(recorded.name + " " + recorded.op);
    test::OnCudaOptions options;
    options.parameters = recorded.parameters;
    const test::OneOperator graph = test::one_operator(recorded.op, recorded.attrs, recorded.inputs, options);
    plan::WeightStore weights;
    const auto plan = plan_of(recorded, graph, weights);
    if (!plan) return;
    const std::vector<Tensor> outputs = test::run_on(plan, graph.inputs);
    ASSERT_GE(outputs.size(), recorded.outputs.size());
    for (std::size_t o = 0; o < recorded.outputs.size(); ++o) {
      const Tensor& expected = *recorded.outputs[o];
      test::expect_close(expected, outputs[o],
                         recorded.tolerance.value_or(test::default_tolerance(expected.dtype())), o);
    }
  });
}

INSTANTIATE_TEST_SUITE_P(Golden, RecordedOnCuda, testing::ValuesIn(test::recorded_families()),
                         [](const auto& family) { return family.param; });

// Operators of this library's own are in the tests of their families.
TEST(RecordedOnCuda, HasACaseOfEveryOperator) {
  std::set<std::string> left;
  for (const std::string& name : ops::cuda_operators()) {
    if (name.rfind("_mxinfer_", 0) != 0) left.insert(name);
  }
  test::for_each_recorded([&](const test::RecordedCase& recorded) {
    const ops::OpDef* op = ops::find_op(recorded.op);
    if (op == nullptr || left.count(op->name) == 0) return;
    test::OnCudaOptions options;
    options.parameters = recorded.parameters;
    const test::OneOperator graph = test::one_operator(recorded.op, recorded.attrs, recorded.inputs, options);
    plan::WeightStore weights;
    if (plan_of(recorded, graph, weights)) left.erase(op->name);
  });
  std::string names;
  for (const std::string& name : left) names += " " + name;
  EXPECT_EQ(names, "");
}

}  // namespace
}  // namespace mxinfer
