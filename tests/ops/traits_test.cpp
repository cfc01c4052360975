// What operators say of themselves (ops/traits.h), held against what their inference says.
#include "ops/traits.h"

#include <gtest/gtest.h>
#include <mxinfer/error.h>

#include <algorithm>
#include <optional>
#include <vector>

#include "ops/registry.h"

namespace mxinfer::ops {
namespace {

const Shape kShape{2, 3, 4, 5};

// The outputs for inputs of one shape; nothing if the operator needs attributes or other inputs.
std::optional<std::vector<TensorType>> inferred(const OpDef& op) {
  if (op.subgraphs > 0 || op.infer == nullptr) return std::nullopt;
  try {
    const graph::Attrs attrs = graph::parse_attrs(op.attrs, {});
    const std::size_t inputs = std::max<std::size_t>(input_ports(op, attrs).names.size(), 1);
    const std::vector<TensorType> types(inputs, {DType::float32, kShape});
    return op.infer(InferContext{attrs, types});
  } catch (const Error&) {
    return std::nullopt;
  }
}

TEST(Traits, OperatorsThatKeepTheShapeDo) {
  int checked = 0;
  for (const OpDef* op : all_ops()) {
    if (!keeps_shape(op->traits)) continue;
    const auto outputs = inferred(*op);
    if (!outputs) continue;
    ++checked;
    EXPECT_EQ((*outputs)[0].shape, kShape) << op->name;
  }
  EXPECT_GE(checked, 130);
}

// Of a dtype that the operator takes.
Shape broadcast_output(const OpDef& op) {
  const graph::Attrs attrs = graph::parse_attrs(op.attrs, {});
  for (const DType dtype : {DType::float32, DType::int32}) {
    const std::vector<TensorType> types{{dtype, {2, 1, 4, 5}}, {dtype, {3, 1, 5}}};
    try {
      return op.infer(InferContext{attrs, types})[0].shape;
    } catch (const Error&) {
      continue;
    }
  }
  return {};
}

// What a pass makes of an operator runs sample by sample, as the operator itself does: else a batch of a
// lower precision leaves the cache.
TEST(Traits, OperatorsOfImageNetworksArePerSample) {
  for (const char* name :
       {"Convolution", "Pooling", "BatchNorm", "_mxinfer_activation", "_mxinfer_batch_norm_bf16",
        "_mxinfer_convolution_bf16", "_mxinfer_convolution_int8", "_mxinfer_convolution_nhwc",
        "_mxinfer_convolution_pool_nhwc", "_mxinfer_dequantize", "_mxinfer_elementwise_chain",
        "_mxinfer_pooling_int8", "_mxinfer_prelu_nhwc", "_mxinfer_quantize", "_mxinfer_separable_bf16",
        "_mxinfer_separable_nhwc", "_mxinfer_upsampling_nhwc"}) {
    const OpDef& op = *find_op(name);
    EXPECT_TRUE(op.traits.elementwise == Elementwise::broadcast || op.traits.per_sample != nullptr ||
                is_per_sample(op.traits, {}, 4))
        << name;
  }
}

TEST(Traits, BroadcastOperatorsRepeat) {
  int checked = 0;
  for (const OpDef* op : all_ops()) {
    if (op->traits.elementwise != Elementwise::broadcast || op->subgraphs > 0) continue;
    ++checked;
    EXPECT_EQ(broadcast_output(*op), kShape) << op->name;
  }
  EXPECT_GE(checked, 30);
}

TEST(Traits, TheRankIsWhatInferenceGives) {
  int checked = 0;
  for (const OpDef* op : all_ops()) {
    const auto outputs = inferred(*op);
    if (!outputs) continue;
    const auto rank = output_rank(op->traits, graph::parse_attrs(op->attrs, {}));
    if (!rank) continue;
    ++checked;
    const std::int64_t expected = rank->rank + (rank->follows_input ? 4 : 0);
    EXPECT_EQ(static_cast<std::int64_t>((*outputs)[0].shape.rank()), expected) << op->name;
  }
  EXPECT_GE(checked, 130);
}

TEST(Traits, WhatIsElementwiseNeedsNoRuleOfItsOwn) {
  const Traits same{.elementwise = Elementwise::same_shape};
  EXPECT_TRUE(keeps_shape(same));
  EXPECT_TRUE(keeps_channels(same));
  EXPECT_TRUE(has_batched_inputs(same));
  EXPECT_NE(layout_rule(same), nullptr);
  EXPECT_EQ(layout_rule(Traits{}), nullptr);
  EXPECT_FALSE(is_per_sample(Traits{}, {}, 4));
}

}  // namespace
}  // namespace mxinfer::ops
