// Attention as networks spell it, and what becomes of it for a GPU. Tests run what the pass makes on the CPU.
#include <gtest/gtest.h>

#include <algorithm>

#include "passes/passes.h"
#include "support/networks/build_graph.h"
#include "support/run_op.h"

namespace mxinfer {
namespace {

using graph::Value;
using test::GraphBuilder;
using test::random_tensor;
using Names = std::vector<std::string>;

constexpr const char* kAttention = "_mxinfer_attention";
const std::map<std::string, std::string> kHeads{{"heads", "2"}};

passes::Goal for_cuda(kernels::Precision precision = kernels::Precision::float16) {
  passes::Goal goal{kernels::best_target(), precision};
  goal.device = device::Kind::cuda;
  return goal;
}

Value self_scores(GraphBuilder& b, Value projected) {
  return b.op("_contrib_interleaved_matmul_selfatt_qk", kHeads, {projected});
}
Value self_mix(GraphBuilder& b, Value projected, Value weights) {
  return b.op("_contrib_interleaved_matmul_selfatt_valatt", kHeads, {projected, weights});
}
/// where(mask, scores, -1e18 * ones_like(scores)), as GluonNLP has it.
Value replaced(GraphBuilder& b, Value mask, Value scores) {
  return b.op("where", {},
              {mask, scores, b.op("_mul_scalar", {{"scalar", "-1e18"}}, {b.op("ones_like", {}, {scores})})});
}
Value batch_dot(GraphBuilder& b, Value left, Value right, bool transposed) {
  return b.op("batch_dot", {{"transpose_b", transposed ? "True" : "False"}}, {left, right});
}

/// What the pass makes of a graph: these operators, which give the same outputs.
void expect_attention_of(GraphBuilder& b, const std::vector<const Tensor*>& inputs,
                         const Names& ops = {kAttention}, const passes::Goal& goal = for_cuda()) {
  graph::Graph fused = b.graph();
  passes::fuse_attention(fused, goal);
  graph::verify(fused);
  EXPECT_EQ(test::op_names(fused), ops);
  const auto before = test::run_graph(b.graph(), inputs), after = test::run_graph(fused, inputs);
  ASSERT_EQ(before.size(), after.size());
  for (std::size_t i = 0; i < before.size(); ++i) {
    ASSERT_EQ(after[i].shape(), before[i].shape());
    EXPECT_LE(test::relative_difference(after[i], before[i]), 1e-5);
  }
}

/// Ones and zeros; no word of the last row has any.
Tensor ones_and_zeros(const Shape& shape) {
  Tensor mask = random_tensor(shape, 7, 0, 1);
  float* x = mask.data<float>();
  const std::int64_t keys = shape.back();
  for (std::int64_t i = 0; i < mask.elements(); ++i)
    x[i] = x[i] > 0.4f && i < mask.elements() - keys ? 1.0f : 0.0f;
  return mask;
}

class FuseAttention : public testing::Test {
 protected:
  const Tensor projections = random_tensor({5, 3, 2 * 3 * 4}, 1);  ///< 5 words, 3 samples, 2 heads of 4
  GraphBuilder b;
  const Value projected = b.input("projections");
};

TEST_F(FuseAttention, WithoutAMask) {
  b.head(self_mix(b, projected, b.op("softmax", {}, {self_scores(b, projected)})));
  expect_attention_of(b, {&projections});
}

TEST_F(FuseAttention, Lengths) {
  const auto lengths = test::tensor_of<std::int32_t>(
      {6, 5}, {1, 2, 3, 4, 5, 6, 0, 0, 2, 2, 3, 3, 3, 3, 3, 5, 5, 5, 5, 5, 1, 1, 1, 1, 1, 4, 4, 2, 4, 4});
  const Value weights = b.op("softmax", {{"use_length", "True"}, {"axis", "-1"}},
                             {self_scores(b, projected), b.input("lengths")});
  b.head(self_mix(b, projected, weights));
  expect_attention_of(b, {&projections, &lengths});
}

TEST_F(FuseAttention, ReplacedScoresAndWeightsTimesTheMask) {
  const Tensor mask = ones_and_zeros({6, 5, 5});
  const Value given = b.input("mask");
  const Value softmax = b.op("softmax", {}, {replaced(b, given, self_scores(b, projected))});
  b.head(self_mix(b, projected, b.op("elemwise_mul", {}, {softmax, given})));
  expect_attention_of(b, {&projections, &mask});
}

TEST_F(FuseAttention, ReplacedScoresOfWholeHeads) {
  const Tensor mask = test::tensor_of<std::int32_t>({6}, {0, 1, 1, 0, 1, 1});
  b.head(
      self_mix(b, projected, b.op("softmax", {}, {replaced(b, b.input("mask"), self_scores(b, projected))})));
  expect_attention_of(b, {&projections, &mask});
}

TEST_F(FuseAttention, AddedMasks) {
  for (const Shape& shape : {Shape{6, 5, 5}, Shape{1, 5, 5}, Shape{6, 1, 5}, Shape{1, 1, 5}, Shape{5}}) {
    GraphBuilder added;
    const Tensor mask = random_tensor(shape, 3, -4, 1);
    const Value given = added.input("projections");
    const Value scores = added.op("broadcast_add", {}, {self_scores(added, given), added.input("mask")});
    added.head(self_mix(added, given, added.op("softmax", {}, {scores})));
    expect_attention_of(added, {&projections, &mask});
  }
}

// The only query has the masks of several.
TEST(FuseEncdecAttention, AMaskHasMoreQueries) {
  GraphBuilder b;
  const Tensor queries = random_tensor({1, 3, 8}, 1), others = random_tensor({7, 3, 16}, 2),
               mask = random_tensor({1, 4, 7}, 3, -4, 1);
  const Value from = b.input("queries"), to = b.input("keys_values");
  const Value scores = b.op("_contrib_interleaved_matmul_encdec_qk", kHeads, {from, to});
  const Value weights = b.op("softmax", {}, {b.op("broadcast_add", {}, {b.input("mask"), scores})});
  b.head(b.op("_contrib_interleaved_matmul_encdec_valatt", kHeads, {to, weights}));
  expect_attention_of(b, {&queries, &others, &mask});
}

TEST(FuseEncdecAttention, ScaledAndMasked) {
  GraphBuilder b;
  const Tensor queries = random_tensor({4, 3, 8}, 1), others = random_tensor({7, 3, 16}, 2),
               mask = ones_and_zeros({6, 4, 7});
  const Value from = b.input("queries"), to = b.input("keys_values"), given = b.input("mask");
  const Value scores = b.op("_contrib_interleaved_matmul_encdec_qk", kHeads, {from, to});
  const Value scaled = b.op("_div_scalar", {{"scalar", "3"}}, {scores});
  b.head(b.op("_contrib_interleaved_matmul_encdec_valatt", kHeads,
              {to, b.op("softmax", {}, {replaced(b, given, scaled)})}));
  expect_attention_of(b, {&queries, &others, &mask});
}

TEST(FuseMatrices, Attention) {
  for (const Shape& batch : {Shape{6}, Shape{2, 3}, Shape{2, 1, 3}}) {
    const auto of = [&](std::int64_t rows, std::int64_t columns) {
      Shape shape = batch;
      shape.push_back(rows);
      shape.push_back(columns);
      return shape;
    };
    const Tensor q = random_tensor(of(4, 8), 1), k = random_tensor(of(7, 8), 2),
                 v = random_tensor(of(7, 5), 3), mask = ones_and_zeros(of(4, 7));
    for (const bool masked : {false, true}) {
      GraphBuilder b;
      const Value query = b.input("q"), key = b.input("k"), value = b.input("v");
      Value scores = b.op("_mul_scalar", {{"scalar", "0.3"}}, {batch_dot(b, query, key, true)});
      const Value given = masked ? b.input("mask") : Value{};
      if (masked) scores = replaced(b, given, scores);
      Value weights = b.op("softmax", {}, {scores});
      if (masked) weights = b.op("elemwise_mul", {}, {given, weights});
      b.head(batch_dot(b, weights, value, false));
      if (masked) {
        expect_attention_of(b, {&q, &k, &v, &mask});
      } else {
        expect_attention_of(b, {&q, &k, &v});
      }
    }
  }
}

/// Heads as GluonNLP's cells split and merge them.
TEST(FuseMatrices, WeightsByHead) {
  const auto reshape = [](GraphBuilder& b, const char* shape, Value x) {
    return b.op("Reshape", {{"reverse", "True"}, {"shape", shape}}, {x});
  };
  const Tensor q = random_tensor({3, 2, 4, 8}, 1), k = random_tensor({3, 2, 7, 8}, 2);
  for (const bool merged : {true, false}) {
    GraphBuilder b;
    const Value query = b.input("q"), key = b.input("k");
    const auto heads = [&](Value x) { return merged ? reshape(b, "(-1, 0, 0)", x) : x; };
    const Value merged_keys = heads(key);
    const Value weights = b.op("softmax", {}, {batch_dot(b, heads(query), merged_keys, true)});
    const Value by_head = reshape(b, "(-1, 0, 0)", reshape(b, "(-1, 2, 0, 0)", weights));
    b.head(batch_dot(b, by_head, merged ? merged_keys : reshape(b, "(-1, 0, 0)", key), false));
    if (merged) {
      expect_attention_of(b, {&q, &k}, {"Reshape", "Reshape", kAttention});
    } else {
      expect_attention_of(b, {&q, &k}, test::op_names(b.graph()));
    }
  }
}

TEST(FuseMatrices, OfDoubles) {
  GraphBuilder b;
  Tensor q(DType::float64, {2, 3, 4});
  for (std::int64_t i = 0; i < q.elements(); ++i) q.data<double>()[i] = static_cast<double>(i % 7) / 3 - 1;
  const Value x = b.input("q");
  b.head(batch_dot(b, b.op("softmax", {}, {batch_dot(b, x, x, true)}), x, false));
  expect_attention_of(b, {&q});
}

TEST_F(FuseAttention, NotWhatOthersRead) {
  const Value scores = self_scores(b, projected), weights = b.op("softmax", {}, {scores});
  b.head(self_mix(b, projected, weights));
  b.head(weights);
  expect_attention_of(b, {&projections}, test::op_names(b.graph()));
  b.graph().heads.pop_back();
  b.head(scores);
  expect_attention_of(b, {&projections}, test::op_names(b.graph()));
  b.graph().heads.pop_back();
  expect_attention_of(b, {&projections});
}

TEST_F(FuseAttention, NotOtherSoftmaxes) {
  for (const std::map<std::string, std::string>& attrs :
       {std::map<std::string, std::string>{{"axis", "1"}}, {{"temperature", "2"}}}) {
    GraphBuilder other;
    const Value given = other.input("projections");
    other.head(self_mix(other, given, other.op("softmax", attrs, {self_scores(other, given)})));
    expect_attention_of(other, {&projections}, test::op_names(other.graph()));
  }
}

TEST_F(FuseAttention, NotOfOtherProjections) {
  const Tensor others = random_tensor({5, 3, 2 * 3 * 4}, 2);
  b.head(self_mix(b, b.input("others"), b.op("softmax", {}, {self_scores(b, projected)})));
  expect_attention_of(b, {&projections, &others}, test::op_names(b.graph()));
}

TEST_F(FuseAttention, NotInFloat32) {
  b.head(self_mix(b, projected, b.op("softmax", {}, {self_scores(b, projected)})));
  expect_attention_of(b, {&projections}, test::op_names(b.graph()), for_cuda(kernels::Precision::float32));
  b.graph().was_halves = DType::float16;
  expect_attention_of(b, {&projections}, {kAttention}, for_cuda(kernels::Precision::float32));
}

}  // namespace
}  // namespace mxinfer
