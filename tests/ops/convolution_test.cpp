// Convolution: hand-computed values, what it refuses, and its fast rows against the reference row.
#include <gtest/gtest.h>
#include <mxinfer/error.h>

#include "support/run_op.h"
#include "support/same_bits.h"

namespace mxinfer {
namespace {

using test::random_tensor;
using test::run_op;
using test::RunOpOptions;
using test::tensor_of;
using Texts = std::map<std::string, std::string>;
using test::expect_same_bits;

std::string refusal(const Texts& attrs, const std::vector<const Tensor*>& inputs) {
  try {
    run_op("Convolution", attrs, inputs);
  } catch (const Error& e) {
    return e.what();
  }
  return "";
}

TEST(Convolution, IsACrossCorrelationPlusBias) {
  const Tensor data = tensor_of<float>({1, 1, 3, 3}, {1, 2, 3, 4, 5, 6, 7, 8, 9});
  const Tensor weight = tensor_of<float>({1, 1, 2, 2}, {1, 10, 100, 1000});
  const Tensor bias = tensor_of<float>({1}, {0.5f});
  for (auto target : test::targets()) {
    const auto out = run_op("Convolution", {{"kernel", "(2, 2)"}, {"num_filter", "1"}},
                            {&data, &weight, &bias}, RunOpOptions{.target = target, .parameters = {1, 2}});
    ASSERT_EQ(out[0].shape(), Shape({1, 1, 2, 2}));
    EXPECT_EQ(out[0].data<float>()[0], 1 + 20 + 400 + 5000 + 0.5f);
    EXPECT_EQ(out[0].data<float>()[3], 5 + 60 + 800 + 9000 + 0.5f);
  }
}

TEST(Convolution, RefusesWhatDoesNotFitAndSaysWhy) {
  const Tensor data(DType::float32, {1, 4, 8, 8});
  const Tensor weight(DType::float32, {64, 3, 7, 7});
  const Tensor fitting(DType::float32, {64, 4, 7, 7});
  const Texts attrs{{"kernel", "(7, 7)"}, {"num_filter", "64"}, {"no_bias", "True"}};
  EXPECT_EQ(
      refusal(attrs, {&data, &weight}),
      "data has 4 channels (dimension 1 of (1, 4, 8, 8)): expected 3, as the weights (64, 3, 7, 7) take");
  const Tensor channels_last(DType::float32, {1, 8, 8, 3});
  EXPECT_EQ(
      refusal(attrs, {&channels_last, &weight}),
      "data has 8 channels (dimension 1 of (1, 8, 8, 3)): expected 3, as the weights (64, 3, 7, 7) take; "
      "dimension 3 has 3: is its layout channels-last? Transpose it, or change the input's layout");
  const Tensor small(DType::float32, {64, 3, 5, 5});
  EXPECT_EQ(refusal(attrs, {&data, &small}),
            "input 'weight' has shape (64, 3, 5, 5): expected (64, 4, 7, 7) (num_filter, channels / "
            "num_group, kernel; "
            "data is (1, 4, 8, 8), num_group is 1)");

  const auto with = [&](const char* name, const char* value) {
    Texts changed = attrs;
    changed[name] = value;
    return refusal(changed, {&data, &fitting});
  };
  EXPECT_EQ(with("pad", "(0, 0)"), "");
  EXPECT_NE(with("stride", "(2,)").find("stride has 1 elements, the kernel has 2"), std::string::npos);
  EXPECT_NE(with("stride", "(0, 1)").find("0 is out of range"), std::string::npos);
  EXPECT_NE(with("pad", "(-1, 0)").find("-1 is out of range"), std::string::npos);
  EXPECT_NE(with("dilate", "(2, 2)").find("the kernel covers 13 elements of spatial dimension 0, data has 8"),
            std::string::npos);
  EXPECT_NE(with("num_group", "3").find("not a multiple of num_group=3"), std::string::npos);
  EXPECT_NE(
      with("layout", "NHWC")
          .find("expected (64, 7, 7, 8) (num_filter, kernel, channels / num_group; data is (1, 4, 8, 8)"),
      std::string::npos);
  EXPECT_NE(with("layout", "NCW").find("expected NCHW or NHWC"), std::string::npos);
  EXPECT_NE(with("layout", "NWC").find("expected NCHW or NHWC"), std::string::npos);
  EXPECT_NE(with("kernel", "(7,)").find("expected 3 dimensions (NCW)"), std::string::npos);
  EXPECT_NE(with("kernel", "()").find("expected 1, 2 or 3"), std::string::npos);
  const Tensor half(DType::float16, {1, 4, 8, 8});
  EXPECT_NE(refusal(attrs, {&half, &fitting}).find("float16"), std::string::npos);
}

TEST(Convolution, ABatchOfNoneGivesNone) {
  const Tensor data(DType::float32, {0, 2, 8, 8});
  const Tensor weight(DType::float32, {3, 2, 3, 3});
  for (auto target : test::targets()) {
    const auto out = run_op("Convolution", {{"kernel", "(3, 3)"}, {"num_filter", "3"}, {"no_bias", "1"}},
                            {&data, &weight}, RunOpOptions{.target = target});
    EXPECT_EQ(out[0].shape(), Shape({0, 3, 6, 6}));
  }
}

/// One convolution in every way it can be asked for.
struct Variant {
  Texts attrs;
  Shape data, weight;
  std::string kernel;  ///< the row that vector targets are to choose
};

/// Weights are packed, at the first run or at every run, for kernels that read and write channels last.
const Variant kVariants[] = {
    {{{"kernel", "(3, 3)"}, {"pad", "(1, 1)"}}, {2, 20, 15, 17}, {70, 20, 3, 3}, "conv_nhwc_direct_f32"},
    {{{"kernel", "(3, 3)"}, {"pad", "(1, 1)"}, {"dilate", "(2, 2)"}},
     {2, 20, 15, 17},
     {70, 20, 3, 3},
     "conv_nhwc_direct_f32"},
    {{{"kernel", "(1, 1)"}}, {1, 300, 7, 7}, {150, 300, 1, 1}, "gemm_packed_f32"},
    {{{"kernel", "(1, 1)"}, {"num_group", "2"}}, {2, 900, 5, 7}, {20, 450, 1, 1}, "gemm_packed_f32"},
    {{{"kernel", "(1, 1)"}}, {2, 300, 3, 3}, {150, 300, 1, 1}, "conv_nhwc_direct_f32"},
    {{{"kernel", "(7, 7)"}}, {2, 30, 7, 7}, {15, 30, 7, 7}, "conv_nhwc_direct_f32"},
    {{{"kernel", "(3,)"}, {"stride", "(2,)"}}, {3, 5, 40}, {6, 5, 3}, "conv_nhwc_strip_of_nchw_f32"},
    {{{"kernel", "(2, 3, 3)"}}, {1, 4, 5, 9, 9}, {7, 4, 2, 3, 3}, "conv_nhwc_direct_f32"},
    {{{"kernel", "(3, 3)"}, {"num_group", "4"}}, {2, 8, 9, 9}, {12, 2, 3, 3}, "conv_nhwc_direct_f32"},
    {{{"kernel", "(3, 3)"}, {"num_group", "24"}, {"stride", "(2, 2)"}},
     {2, 24, 19, 23},
     {24, 1, 3, 3},
     "conv_nhwc_depthwise_f32"},
};

constexpr const char* kLast = "_mxinfer_convolution_nhwc";
/// The same operator as a pass makes it: data is (N, spatial..., C), unless it is planes.
const Variant kChannelsLast[] = {
    {{{"kernel", "(3, 3)"}, {"pad", "(1, 1)"}}, {2, 150, 80, 20}, {70, 20, 3, 3}, "conv_nhwc_winograd4_f32"},
    {{{"kernel", "(3, 3)"}, {"pad", "(1, 1)"}},
     {2, 15, 17, 20},
     {70, 20, 3, 3},
     "conv_nhwc_winograd4_compact_f32"},
    {{{"kernel", "(3, 3)"}, {"pad", "(1, 1)"}},
     {1, 6, 6, 64},
     {70, 64, 3, 3},
     "conv_nhwc_winograd2_compact_f32"},
    {{{"kernel", "(3, 3)"}, {"pad", "(2, 2)"}, {"dilate", "(2, 2)"}},
     {1, 14, 14, 64},
     {70, 64, 3, 3},
     "conv_nhwc_winograd4_compact_f32"},
    {{{"kernel", "(3, 3)"}, {"pad", "(1, 1)"}, {"stride", "(2, 2)"}},
     {2, 15, 17, 20},
     {70, 20, 3, 3},
     "conv_nhwc_direct_f32"},
    {{{"kernel", "(1, 1)"}}, {1, 7, 7, 300}, {150, 300, 1, 1}, "conv_nhwc_direct_f32"},
    {{{"kernel", "(3,)"}, {"stride", "(2,)"}}, {3, 40, 9}, {6, 9, 3}, "conv_nhwc_direct_f32"},
    {{{"kernel", "(2, 3, 3)"}}, {1, 5, 9, 9, 4}, {7, 4, 2, 3, 3}, "conv_nhwc_direct_f32"},
    {{{"kernel", "(3, 3)"}, {"num_group", "4"}}, {2, 9, 9, 8}, {12, 2, 3, 3}, "conv_nhwc_direct_f32"},
    {{{"kernel", "(3, 3)"}, {"num_group", "24"}, {"stride", "(2, 2)"}},
     {2, 19, 23, 24},
     {24, 1, 3, 3},
     "conv_nhwc_depthwise_f32"},
    {{{"kernel", "(7, 7)"}, {"stride", "(2, 2)"}, {"pad", "(3, 3)"}},
     {2, 31, 29, 3},
     {20, 3, 7, 7},
     "conv_nhwc_strip_f32"},
    {{{"kernel", "(7, 7)"}, {"stride", "(2, 2)"}, {"pad", "(3, 3)"}, {"planes", "True"}},
     {2, 3, 31, 29},
     {20, 3, 7, 7},
     "conv_nhwc_strip_of_nchw_f32"},
};

void check_variant(const std::string& op, const Variant& v, const std::string& reference_row,
                   double tolerance) {
  const std::int64_t filters = v.weight[0];
  Texts attrs = v.attrs;
  attrs["num_filter"] = std::to_string(filters);
  const Tensor data = random_tensor(v.data, 1), weight = random_tensor(v.weight, 2);
  const Tensor bias = random_tensor({filters}, 3);
  const auto reference = run_op(op, attrs, {&data, &weight, &bias}, {.target = kernels::Target::ref});
  const Tensor residual = random_tensor(reference[0].shape(), 4);
  RunOpOptions options;
  options.post_ops = {graph::Activation::relu, 0, 0, true};
  options.target = kernels::Target::ref;
  const std::vector<const Tensor*> inputs{&data, &weight, &bias, &residual};
  const auto expected = run_op(op, attrs, inputs, options);
  for (auto target : test::targets()) {
    SCOPED_TRACE(std::string(to_string(target)) + " kernel " + attrs["kernel"]);
    std::string kernel;
    options = {.target = target, .parameters = {1, 2}, .post_ops = options.post_ops, .kernel = &kernel};
    const auto one = run_op(op, attrs, inputs, options);
    EXPECT_LE(test::relative_difference(one[0], expected[0]), tolerance);
    const std::string row = target == kernels::Target::ref ? reference_row : v.kernel;
    EXPECT_EQ(kernel, row + " [" + to_string(target) + "]");
    for (int threads : {2, 3, 8}) {
      options.threads = threads;
      expect_same_bits(run_op(op, attrs, inputs, options)[0], one[0]);
    }
    options.parameters.clear();  // weights that are computed are packed at run time
    expect_same_bits(run_op(op, attrs, inputs, options)[0], one[0]);
  }
}

TEST(Convolution, EveryTargetAgreesWithTheReferenceAtAnyThreadCount) {
  // Sums of a few hundred products: an epsilon for each, at most.
  for (const Variant& v : kVariants) check_variant("Convolution", v, "conv_nhwc_ref_f32", 1e-5);
  for (const Variant& v : kChannelsLast) check_variant(kLast, v, "conv_nhwc_ref_f32", 1e-5);
}

/// What a kernel of 1 x 1 computes with those post-ops, on every target, against the reference.
void check_pointwise(const graph::PostOps& post_ops, bool bias, const std::string& kernel) {
  const Tensor data = random_tensor({3, 40, 6, 9}, 1), weight = random_tensor({26, 20, 1, 1}, 2);
  const Tensor biases = random_tensor({26}, 3), slopes = random_tensor({26}, 4);
  const Tensor residual = random_tensor({3, 26, 6, 9}, 5);
  std::vector<const Tensor*> inputs{&data, &weight};
  if (bias) inputs.push_back(&biases);
  if (post_ops.activation == graph::Activation::prelu) inputs.push_back(&slopes);
  if (post_ops.residual) inputs.push_back(&residual);
  const Texts attrs{
      {"kernel", "(1, 1)"}, {"num_filter", "26"}, {"num_group", "2"}, {"no_bias", bias ? "0" : "1"}};
  RunOpOptions options;
  options.post_ops = post_ops;
  options.target = kernels::Target::ref;
  const auto expected = run_op("Convolution", attrs, inputs, options);
  for (auto target : test::targets()) {
    if (target == kernels::Target::ref) continue;
    SCOPED_TRACE(std::string(to_string(target)) + " activation " +
                 std::to_string(static_cast<int>(post_ops.activation)));
    std::string chosen;
    options.target = target;
    options.kernel = &chosen;
    const auto one = run_op("Convolution", attrs, inputs, options);
    EXPECT_LE(test::relative_difference(one[0], expected[0]), 1e-5);
    EXPECT_EQ(chosen, kernel + " [" + to_string(target) + "]");
  }
}

TEST(Convolution, APointwiseOneHasEveryPostOp) {
  using graph::Activation;
  for (const bool bias : {true, false}) {
    for (const bool residual : {true, false}) {
      for (const Activation activation :
           {Activation::none, Activation::relu, Activation::clip, Activation::leaky, Activation::tanh})
        check_pointwise({activation, 0.1f, 0.6f, residual}, bias, "gemm_packed_f32");
      check_pointwise({Activation::prelu, 0, 0, residual}, bias, "conv_nhwc_direct_f32");
    }
  }
}

}  // namespace
}  // namespace mxinfer
