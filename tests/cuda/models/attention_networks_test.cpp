// Attention of whole networks on a GPU: one kernel, between products whose values are stored in 16 bits.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "cuda/support.h"
#include "passes/passes.h"
#include "pipeline/pipeline.h"

namespace mxinfer {
namespace {

using graph::Value;
using test::GraphBuilder;
using test::random_tensor;
using testing::HasSubstr;
using testing::StartsWith;

constexpr std::int64_t kWords = 70, kBatch = 2, kHeads = 2, kAllUnits = 48;

enum class Masks { none, lengths, replaced, added };

Tensor in_float16(const Tensor& tensor) {
  Tensor half(DType::float16, tensor.shape());
  for (std::int64_t i = 0; i < tensor.elements(); ++i) half.data<Half>()[i] = Half(tensor.data<float>()[i]);
  return half;
}

/// Two layers of attention as BERT has them.
class AttentionNetwork {
 public:
  explicit AttentionNetwork(Masks masks, DType weights = DType::float32) : masks_(masks), weights_(weights) {
    Value x = b_.input("data");  // words, batch, units
    if (masks != Masks::none) mask_ = b_.input("mask");
    if (masks == Masks::lengths) mask_ = lengths_of_lines(mask_);
    for (int layer = 0; layer < 2; ++layer) x = attention(x);
    b_.head(x);
  }
  const graph::Graph& graph() { return b_.graph(); }

  static Tensor mask_of(Masks masks) {
    if (masks == Masks::lengths) return test::tensor_of<float>({kBatch}, {41, 64});
    Tensor mask = random_tensor({kBatch * kHeads, masks == Masks::added ? 1 : kWords, kWords}, 5, -1, 1);
    float* x = mask.data<float>();
    const float masked = masks == Masks::added ? -1e9f : 0.0f, kept = masks == Masks::added ? 0.0f : 1.0f;
    for (std::int64_t i = 0; i < mask.elements(); ++i) x[i] = x[i] < 0.3f ? kept : masked;
    return mask;
  }

 private:
  Value lengths_of_lines(Value lengths) {
    const Value whole =
        b_.op("Cast", {{"dtype", "int32"}}, {b_.op("Reshape", {{"shape", "(-1, 1, 1)"}}, {lengths})});
    const std::string sizes = "(" + std::to_string(kHeads) + ", " + std::to_string(kWords) + ")";
    const Value each = b_.op("broadcast_axis", {{"axis", "(1, 2)"}, {"size", sizes}}, {whole});
    return b_.op("Reshape", {{"shape", "(-3, 0)"}}, {each});
  }
  Value dense(Value x, std::int64_t from, std::int64_t to) {
    Tensor weight = random_tensor({to, from}, ++seed_, -0.3f, 0.3f);
    if (weights_ == DType::float16) weight = in_float16(weight);
    return b_.op("FullyConnected",
                 {{"num_hidden", std::to_string(to)}, {"flatten", "False"}, {"no_bias", "True"}},
                 {x, b_.parameter("weight" + std::to_string(seed_), std::move(weight))});
  }
  Value weights(Value scores) {
    if (masks_ == Masks::lengths) return b_.op("softmax", {{"use_length", "True"}}, {scores, mask_});
    if (masks_ == Masks::added) return b_.op("softmax", {}, {b_.op("broadcast_add", {}, {scores, mask_})});
    if (masks_ == Masks::none) return b_.op("softmax", {}, {scores});
    const Value fill = b_.op("_mul_scalar", {{"scalar", "-1e18"}}, {b_.op("ones_like", {}, {scores})});
    const Value softmax = b_.op("softmax", {}, {b_.op("where", {}, {mask_, scores, fill})});
    return b_.op("elemwise_mul", {}, {softmax, mask_});
  }
  Value attention(Value x) {
    const std::map<std::string, std::string> heads{{"heads", std::to_string(kHeads)}};
    const Value projected = dense(x, kAllUnits, 3 * kAllUnits);
    const Value scores = b_.op("_contrib_interleaved_matmul_selfatt_qk", heads, {projected});
    const Value mixed =
        b_.op("_contrib_interleaved_matmul_selfatt_valatt", heads, {projected, weights(scores)});
    return b_.op("elemwise_add", {}, {x, dense(mixed, kAllUnits, kAllUnits)});
  }

  GraphBuilder b_;
  Masks masks_;
  DType weights_;
  Value mask_{};
  unsigned seed_ = 0;
};

struct PlannedAttention {
  std::shared_ptr<const plan::Plan> plan;
  std::vector<Tensor> outputs;
};

PlannedAttention run_network(graph::Graph graph, const std::vector<const Tensor*>& inputs,
                             kernels::Precision precision) {
  passes::Goal goal{kernels::best_target(), precision};
  goal.device = device::Kind::cuda;
  pipeline::optimise(graph, goal);
  plan::PlanOptions options = test::cuda_plan_options();
  options.precision = precision;
  std::vector<ops::TensorType> types;
  for (const Tensor* input : inputs) types.push_back({input->dtype(), input->shape()});
  plan::WeightStore weights;
  PlannedAttention planned{plan::make_plan(graph, types, options, weights), {}};
  planned.outputs = test::run_on(planned.plan, inputs);
  return planned;
}

const char* type_in_memory(kernels::Precision precision) {
  return precision == kernels::Precision::tf32 ? "float32" : kernels::to_string(precision);
}

TEST(AttentionNetworks, OneKernelForEachLayer) {
  const Tensor data = random_tensor({kWords, kBatch, kAllUnits}, 3);
  for (const Masks masks : {Masks::none, Masks::lengths, Masks::replaced, Masks::added}) {
    SCOPED_TRACE(static_cast<int>(masks));
    const Tensor mask = AttentionNetwork::mask_of(masks);
    std::vector<const Tensor*> inputs{&data};
    if (masks != Masks::none) inputs.push_back(&mask);
    const auto expected = test::run_graph(AttentionNetwork(masks).graph(), inputs);
    for (const kernels::Precision precision : test::lower_precisions()) {
      SCOPED_TRACE(kernels::to_string(precision));
      const PlannedAttention actual = run_network(AttentionNetwork(masks).graph(), inputs, precision);
      int found = 0;
      for (const StepInfo& step : actual.plan->info.steps) {
        EXPECT_NE(step.op, "softmax");
        EXPECT_NE(step.op, "where");
        if (step.op != "_mxinfer_attention") continue;
        ++found;
        EXPECT_THAT(step.kernel, StartsWith("attention_32_"));
        EXPECT_THAT(step.output, StartsWith(type_in_memory(precision)));
      }
      EXPECT_EQ(found, 2);
      const double tolerance = precision == kernels::Precision::bfloat16 ? 2e-2 : 4e-3;
      EXPECT_LE(test::relative_difference(actual.outputs[0], expected[0]), tolerance);
    }
  }
}

// A network that was saved in float16 has its products in float16.
TEST(AttentionNetworks, SavedInFloat16) {
  const Tensor data = random_tensor({kWords, kBatch, kAllUnits}, 3), given = in_float16(data);
  const auto expected = test::run_graph(AttentionNetwork(Masks::none).graph(), {&data});
  const PlannedAttention actual = run_network(AttentionNetwork(Masks::none, DType::float16).graph(), {&given},
                                              kernels::Precision::float32);
  const auto& steps = actual.plan->info.steps;
  EXPECT_EQ(std::count_if(steps.begin(), steps.end(),
                          [](const StepInfo& step) { return step.kernel.starts_with("attention_32_f16"); }),
            2);
  ASSERT_EQ(actual.outputs[0].dtype(), DType::float16);
  Tensor wide(DType::float32, actual.outputs[0].shape());
  for (std::int64_t i = 0; i < wide.elements(); ++i)
    wide.data<float>()[i] = static_cast<float>(actual.outputs[0].data<Half>()[i]);
  EXPECT_LE(test::relative_difference(wide, expected[0]), 4e-3);
}

// With float32's own digits, scores, softmax and sums stay operators of their own.
TEST(AttentionNetworks, NotInFloat32) {
  const Tensor data = random_tensor({kWords, kBatch, kAllUnits}, 3);
  const PlannedAttention planned =
      run_network(AttentionNetwork(Masks::none).graph(), {&data}, kernels::Precision::float32);
  for (const StepInfo& step : planned.plan->info.steps) EXPECT_NE(step.op, "_mxinfer_attention");
}

}  // namespace
}  // namespace mxinfer
