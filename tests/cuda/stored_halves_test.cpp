// Which values a plan stores in 16 bits.
#include <gmock/gmock.h>

#include "cuda/halves.h"

namespace mxinfer {
namespace {

using graph::Value;
using test::GraphBuilder;
using test::kProduct;
using test::random_tensor;
using testing::HasSubstr;
using testing::StartsWith;

/// A graph of steps between products, planned.
class StoredHalves : public testing::Test {
 protected:
  Value product(Value input, const std::string& name = "") { return b.op(kProduct, {}, {input}, name); }
  void plan(kernels::Precision precision = kernels::Precision::float16) {
    std::vector<const Tensor*> pointers;
    for (const Tensor& input : inputs) pointers.push_back(&input);
    made = test::plan_in_halves(b.graph(), pointers, precision, weights);
  }
  Value input(const Shape& shape) {
    inputs.push_back(random_tensor(shape, static_cast<unsigned>(inputs.size()) + 1));
    return b.input("input" + std::to_string(inputs.size()));
  }
  /// "float16 (2, 8)"
  std::string output_of(const std::string& node) const {
    const StepInfo* step = test::step_of(*made, node);
    return step == nullptr ? "none" : step->output;
  }
  std::string notes_of(const std::string& node) const {
    std::string all;
    for (const std::string& note : test::step_of(*made, node)->notes) all += note + "\n";
    return all;
  }
  int casts() const {
    return static_cast<int>(std::count_if(made->info.steps.begin(), made->info.steps.end(),
                                          [](const StepInfo& step) { return step.op == "Cast"; }));
  }

  GraphBuilder b;
  std::vector<Tensor> inputs;
  plan::WeightStore weights;
  std::shared_ptr<const plan::Plan> made;
};

TEST_F(StoredHalves, BetweenProductsAndNotBehindTheLast) {
  const Value x = product(input({2, 8}), "first");
  const Value y = b.op("Activation", {{"act_type", "relu"}}, {x}, "between");
  const Value z = product(y, "last");
  b.head(b.op("softmax", {}, {z}, "answer"));
  plan();
  EXPECT_THAT(output_of("first"), StartsWith("float16"));
  EXPECT_THAT(output_of("between"), StartsWith("float16"));
  EXPECT_THAT(output_of("last"), StartsWith("float32"));
  EXPECT_THAT(output_of("answer"), StartsWith("float32"));
  EXPECT_EQ(casts(), 1);  // of the input
  EXPECT_EQ(made->outputs[0].dtype, DType::float32);
  plan(kernels::Precision::bfloat16);
  EXPECT_THAT(output_of("between"), StartsWith("bfloat16"));
  plan(kernels::Precision::tf32);
  EXPECT_THAT(output_of("between"), StartsWith("float32"));
}

TEST_F(StoredHalves, AnOutputBetweenProductsStaysFloat32) {
  const Value x = product(input({2, 8}));
  const Value y = b.op("Activation", {{"act_type", "relu"}}, {x}, "between");
  b.head(y);
  b.head(product(y));
  plan();
  EXPECT_THAT(output_of("between"), StartsWith("float16"));
  EXPECT_EQ(made->outputs[0].dtype, DType::float32);
  EXPECT_THAT(output_of("between_float32"), StartsWith("float32"));
}

TEST_F(StoredHalves, WhatMayLeaveTheRangeOfFloat16) {
  const Value x = product(input({2, 8}));
  const Value power = b.op("exp", {}, {x}, "power");
  const Value sum = b.op("sum", {{"axis", "1"}, {"keepdims", "True"}}, {power}, "sum");
  const Value share = b.op("broadcast_div", {}, {power, sum}, "share");
  const Value scaled = b.op("_mul_scalar", {{"scalar", "0.5"}}, {share}, "scaled");
  b.head(product(b.op("elemwise_add", {}, {scaled, x}, "both")));
  plan();
  EXPECT_THAT(output_of("power"), StartsWith("float32"));
  EXPECT_THAT(notes_of("power"), HasSubstr("beyond the range of float16"));
  for (const char* node : {"sum", "share", "scaled"})
    EXPECT_THAT(output_of(node), StartsWith("float32")) << node;
  // Products alone read it, as float16 in any case.
  EXPECT_THAT(output_of("both"), StartsWith("float16"));
  // It has the range of float32.
  plan(kernels::Precision::bfloat16);
  EXPECT_THAT(output_of("power"), StartsWith("bfloat16"));
}

TEST_F(StoredHalves, AMaskOfLargeNumbers) {
  const Value scores = product(input({2, 8}));
  const Value mask = b.op("_mul_scalar", {{"scalar", "-1e9"}}, {input({2, 8})}, "mask");
  const Value masked = b.op("elemwise_add", {}, {scores, mask}, "masked");
  b.head(product(b.op("softmax", {}, {masked}, "weights")));
  plan();
  EXPECT_THAT(output_of("mask"), StartsWith("float32"));
  EXPECT_THAT(output_of("masked"), StartsWith("float32"));
  EXPECT_THAT(notes_of("masked"), HasSubstr("beyond the range of float16"));
}

TEST_F(StoredHalves, LargeParameters) {
  for (const float largest : {6e4f, 7e4f}) {
    b = GraphBuilder();
    inputs.clear();
    Tensor row = random_tensor({1, 8}, 3);
    row.data<float>()[5] = largest;
    const Value x = product(input({2, 8}));
    const Value y = b.op("broadcast_add", {}, {x, b.parameter("row", std::move(row))}, "sum");
    b.head(product(b.op("softmax", {}, {y}, "weights")));
    plan();
    EXPECT_THAT(output_of("sum"), StartsWith(largest > 65504 ? "float32" : "float16"));
  }
}

TEST_F(StoredHalves, WhatTheKernelsDoNotTake) {
  const Value x = product(input({2, 3, 8}), "first");
  const Value sorted = b.op("sort", {}, {x}, "sorted");
  b.head(product(sorted));
  plan();
  EXPECT_THAT(output_of("sorted"), StartsWith("float32"));
  EXPECT_THAT(output_of("first"), StartsWith("float32"));
}

TEST_F(StoredHalves, IndicesAreNotCast) {
  const Value x = product(input({2, 8}));
  const Value best = b.op("argmax", {{"axis", "1"}}, {x}, "best");
  const Value table = product(input({9, 4}));
  const Value y = b.op("take", {}, {table, best}, "taken");
  b.head(product(y));
  plan();
  EXPECT_THAT(output_of("best"), StartsWith("float32"));
  EXPECT_THAT(output_of("taken"), StartsWith("float16"));
}

TEST_F(StoredHalves, TablesOfRows) {
  const Shape many{9000, 8}, few{5, 8};  // more elements than other parameters are read of, and fewer
  for (const Shape& shape : {few, many}) {
    for (const float largest : {6e4f, 7e4f}) {
      b = GraphBuilder();
      inputs.clear();
      Tensor table = random_tensor(shape, 3);
      table.data<float>()[table.elements() - 3] = largest;
      const std::map<std::string, std::string> sizes{{"input_dim", std::to_string(shape[0])},
                                                     {"output_dim", "8"}};
      const Value x =
          b.op("Embedding", sizes, {input({2, 3}), b.parameter("table", std::move(table))}, "rows");
      const Value places =
          b.op("take", {}, {b.parameter("other", random_tensor(few, 4)), input({2, 3})}, "places");
      const Value norm =
          b.op("LayerNorm", {},
               {b.op("elemwise_add", {}, {x, places}, "sum"), b.parameter("gamma", random_tensor({8}, 5)),
                b.parameter("beta", random_tensor({8}, 6))},
               "norm");
      b.head(product(norm));
      plan();
      const bool fits = largest <= 65504;
      EXPECT_THAT(output_of("rows"), StartsWith(fits ? "float16" : "float32"));
      EXPECT_THAT(output_of("places"), StartsWith("float16"));
      EXPECT_THAT(output_of("sum"), StartsWith(fits ? "float16" : "float32"));
      EXPECT_THAT(output_of("norm"), StartsWith(fits ? "float16" : "float32"));
      if (fits) {
        EXPECT_THAT(test::step_of(*made, "rows")->reason, HasSubstr("its table is stored in float16"));
      } else {
        EXPECT_THAT(notes_of("rows"), HasSubstr("beyond the range of float16"));
      }
      plan(kernels::Precision::bfloat16);
      EXPECT_THAT(output_of("norm"), StartsWith("bfloat16"));
      EXPECT_EQ(casts(), 0);
    }
  }
}

TEST_F(StoredHalves, TablesThatNoProductReads) {
  const Value x = b.op("Embedding", {{"input_dim", "5"}, {"output_dim", "8"}},
                       {input({2, 3}), b.parameter("table", random_tensor({5, 8}, 3))}, "rows");
  b.head(b.op("softmax", {}, {x}, "answer"));
  plan();
  EXPECT_THAT(output_of("rows"), StartsWith("float32"));
}

// Products round their operands, but not what they add.
TEST_F(StoredHalves, WhatAProductAdds) {
  for (const char* factor : {"0.5", "-1e9"}) {
    b = GraphBuilder();
    inputs.clear();
    const Value mask = b.op("_mul_scalar", {{"scalar", factor}}, {product(input({2, 8}))}, "mask");
    const Value scores =
        b.op("_linalg_gemm", {}, {product(input({2, 6})), product(input({6, 8})), mask}, "scores");
    b.head(product(b.op("softmax", {}, {scores}, "weights")));
    plan();
    const bool fits = factor[0] == '0';
    EXPECT_THAT(output_of("mask"), StartsWith(fits ? "float16" : "float32"));
    EXPECT_THAT(output_of("scores"), StartsWith(fits ? "float16" : "float32"));
    EXPECT_EQ(notes_of("scores").find("what it adds may be beyond") == std::string::npos, fits);
    if (!test::has_bfloat16()) continue;
    plan(kernels::Precision::bfloat16);
    EXPECT_THAT(output_of("scores"), StartsWith("bfloat16"));
  }
}

TEST_F(StoredHalves, AParameterThatAProductAdds) {
  for (const float largest : {6e4f, 7e4f}) {
    b = GraphBuilder();
    inputs.clear();
    Tensor mask = random_tensor({2, 8}, 3);
    mask.data<float>()[5] = -largest;
    const Value left = product(input({2, 6})), right = product(input({6, 8}));
    const Value scores =
        b.op("_linalg_gemm", {}, {left, right, b.parameter("mask", std::move(mask))}, "scores");
    b.head(product(b.op("softmax", {}, {scores}, "weights")));
    plan();
    const bool fits = largest <= 65504;
    EXPECT_THAT(output_of("scores"), StartsWith(fits ? "float16" : "float32"));
    EXPECT_EQ(notes_of("scores").find("what it adds may be beyond") == std::string::npos, fits);
    if (!test::has_bfloat16()) continue;
    plan(kernels::Precision::bfloat16);
    EXPECT_THAT(output_of("scores"), StartsWith("bfloat16"));
  }
}

TEST_F(StoredHalves, ValuesBeforeTheFirstProduct) {
  const Value x = b.op("broadcast_sub", {}, {input({2, 4, 6}), input({1, 1, 1})}, "centred");
  const Value y = b.op("transpose", {{"axes", "(0, 2, 1)"}}, {x}, "turned");
  b.head(product(y));
  plan();
  EXPECT_THAT(output_of("centred"), StartsWith("float16"));
  EXPECT_THAT(output_of("turned"), StartsWith("float16"));
  EXPECT_EQ(casts(), 0);
}

TEST_F(StoredHalves, AShapeIsReadFromAnyType) {
  const Value x = product(input({2, 4})), like = product(input({2, 2}));
  const Value y = b.op("slice_like", {}, {x, like}, "sliced");
  b.head(product(b.op("Concat", {{"dim", "1"}, {"num_args", "2"}}, {y, like})));
  plan();
  EXPECT_THAT(output_of("sliced"), StartsWith("float16"));
  EXPECT_EQ(casts(), 2);  // of the inputs
}

TEST_F(StoredHalves, ConcatenationsOfRowsAreNotCopied) {
  const Value x = product(input({1, 2, 2, 8}));
  const std::map<std::string, std::string> pool{
      {"kernel", "(1, 1)"}, {"pool_type", "max"}, {"layout", "NHWC"}};
  const Value left = b.op("Pooling", pool, {x}, "left"), right = b.op("Pooling", pool, {x}, "right");
  const Value both = b.op("Concat", {{"dim", "3"}, {"num_args", "2"}}, {left, right}, "both");
  b.head(product(both));
  plan();
  EXPECT_THAT(output_of("both"), StartsWith("float16"));
  EXPECT_THAT(test::step_of(*made, "both")->kernel, StartsWith("alias"));
  const std::vector<Tensor> outputs = test::run_on(made, {&inputs[0]});
  for (int i = 0; i < 32; ++i) {
    const float expected = static_cast<float>(Half(inputs[0].data<float>()[i]));
    EXPECT_EQ(outputs[0].data<float>()[i / 8 * 16 + i % 8], expected);
    EXPECT_EQ(outputs[0].data<float>()[i / 8 * 16 + 8 + i % 8], expected);
  }
}

// A convolution has rounded them anyway if another product reads them too.
TEST_F(StoredHalves, OffsetsOfDeformableConvolutionsAsTheyAre) {
  const std::map<std::string, std::string> attrs{
      {"kernel", "(3, 3)"}, {"pad", "(1, 1)"}, {"num_filter", "8"}, {"no_bias", "True"}};
  const Value data = product(input({1, 8, 6, 7})), offset = product(input({1, 18, 6, 7}), "offset"),
              mask = product(input({1, 9, 6, 7}), "mask");
  const Value weight = b.parameter("weight", random_tensor({8, 8, 3, 3}, 9));
  b.head(product(b.op("_contrib_DeformableConvolution", attrs, {data, offset, weight}, "plain")));
  b.head(product(
      b.op("_contrib_ModulatedDeformableConvolution", attrs, {data, offset, mask, weight}, "modulated")));
  b.head(product(offset));
  plan();
  EXPECT_THAT(output_of("offset"), StartsWith("float16"));
  EXPECT_THAT(output_of("mask"), StartsWith("float32"));
  EXPECT_EQ(casts(), 3);  // of the inputs
  std::vector<const Tensor*> given;
  std::vector<ops::TensorType> types;
  for (Tensor& tensor : inputs) {
    tensor = test::rounded(tensor, kernels::Precision::float16);
    given.push_back(&tensor);
    types.push_back({tensor.dtype(), tensor.shape()});
  }
  plan::PlanOptions on_cpu{kernels::Target::ref, 1};
  on_cpu.by_sample = false;
  plan::WeightStore cpu_weights;
  const auto expected = test::run_on(plan::make_plan(b.graph(), types, on_cpu, cpu_weights), given);
  const std::vector<Tensor> actual = test::run_on(made, given);
  for (std::size_t o = 0; o < expected.size(); ++o)
    test::expect_close(expected[o], actual[o], 4 * 0x1p-11, o);
}

}  // namespace
}  // namespace mxinfer
