// Options::precision on a GPU: which kernels plans choose, and what they do to answers.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <mxinfer/vision/image_classifier.h>

#include <algorithm>
#include <string>
#include <vector>

#include "cuda/support.h"
#include "support/expect_error.h"

namespace mxinfer {
namespace {

using kernels::Precision;

const char* suffix_of(Precision precision) {
  return precision == Precision::tf32 ? "_tf32" : precision == Precision::float16 ? "_f16" : "_bf16";
}

/// The kernel of the node "test".
std::string kernel_of(const std::string& op, const std::map<std::string, std::string>& attrs,
                      const std::vector<const Tensor*>& inputs, Precision precision,
                      const std::vector<std::size_t>& parameters = {}) {
  const test::OneOperator one = test::one_operator(op, attrs, inputs, {.parameters = parameters});
  std::vector<ops::TensorType> types;
  for (const Tensor* input : one.inputs) types.push_back({input->dtype(), input->shape()});
  plan::PlanOptions options = test::cuda_plan_options();
  options.precision = precision;
  plan::WeightStore weights;
  const auto plan = plan::make_plan(one.graph, types, options, weights);
  for (const StepInfo& step : plan->info.steps) {
    if (step.node == "test") return step.kernel;
  }
  return "";
}

/// The operator's sums are of rounded operands: as near to float32's as those may be, by a kernel that says
/// so.
void expect_rounded(const std::string& op, const std::map<std::string, std::string>& attrs,
                    const std::vector<const Tensor*>& inputs,
                    const std::vector<std::size_t>& parameters = {}) {
  for (const Precision precision : test::lower_precisions()) {
    SCOPED_TRACE(kernels::to_string(precision));
    EXPECT_THAT(kernel_of(op, attrs, inputs, precision, parameters),
                testing::HasSubstr(suffix_of(precision)));
    test::expect_as_on_cpu(
        op, attrs, inputs,
        {.parameters = parameters, .tolerance = test::rounding_tolerance(precision), .precision = precision});
  }
}

TEST(PrecisionOnCuda, FullyConnected) {
  const Tensor data = test::random_tensor({20, 70}, 1), weight = test::random_tensor({40, 70}, 2),
               bias = test::random_tensor({40}, 3);
  expect_rounded("FullyConnected", {{"num_hidden", "40"}}, {&data, &weight, &bias}, {1, 2});
}

TEST(PrecisionOnCuda, ProductsOfComputedMatrices) {
  const Tensor a = test::random_tensor({3, 9, 33}, 1), b = test::random_tensor({3, 33, 10}, 2);
  expect_rounded("batch_dot", {}, {&a, &b});
  expect_rounded("_linalg_gemm2", {}, {&a, &b});
  expect_rounded("_npi_matmul", {}, {&a, &b});
  expect_rounded("_npi_einsum", {{"num_args", "2"}, {"subscripts", "aij,ajk->aki"}}, {&a, &b});
}

TEST(PrecisionOnCuda, Attention) {
  const Tensor projections = test::random_tensor({9, 2, 4 * 3 * 8}, 1);
  const Tensor weights = test::random_tensor({2 * 4, 9, 9}, 2, 0.0f, 1.0f);
  expect_rounded("_contrib_interleaved_matmul_selfatt_qk", {{"heads", "4"}}, {&projections});
  expect_rounded("_contrib_interleaved_matmul_selfatt_valatt", {{"heads", "4"}}, {&projections, &weights});
}

TEST(PrecisionOnCuda, Convolution) {
  const Tensor data = test::random_tensor({2, 9, 9, 20}, 1), weight = test::random_tensor({24, 20, 3, 3}, 2);
  expect_rounded("_mxinfer_convolution_nhwc",
                 {{"kernel", "(3, 3)"}, {"pad", "(1, 1)"}, {"num_filter", "24"}, {"no_bias", "True"}},
                 {&data, &weight}, {1});
}

TEST(PrecisionOnCuda, DeformableConvolution) {
  const Tensor data = test::random_tensor({2, 20, 9, 9}, 1), offsets = test::random_tensor({2, 18, 9, 9}, 2),
               weight = test::random_tensor({24, 20, 3, 3}, 3);
  expect_rounded("_contrib_DeformableConvolution",
                 {{"kernel", "(3, 3)"}, {"pad", "(1, 1)"}, {"num_filter", "24"}, {"no_bias", "True"}},
                 {&data, &offsets, &weight}, {2});
}

TEST(PrecisionOnCuda, WhatKeepsFloat32) {
  const Tensor matrix = test::random_tensor({6, 40}, 1), row = test::random_tensor({1, 40}, 2),
               image = test::random_tensor({1, 8, 8, 16}, 3), filters = test::random_tensor({16, 1, 3, 3}, 4);
  for (const Precision precision : test::lower_precisions()) {
    EXPECT_THAT(kernel_of("_linalg_syrk", {}, {&matrix}, precision), testing::HasSubstr("_f32"));
    // What waits for memory is not rounded to be multiplied. Values are stored in 16 bits, which is less of
    // it.
    const char* suffix = precision == Precision::tf32 ? "_f32" : suffix_of(precision);
    EXPECT_THAT(kernel_of("FullyConnected", {{"num_hidden", "6"}, {"no_bias", "True"}}, {&row, &matrix},
                          precision, {1}),
                testing::HasSubstr(suffix));
    EXPECT_THAT(
        kernel_of("_mxinfer_convolution_nhwc",
                  {{"kernel", "(3, 3)"}, {"num_filter", "16"}, {"num_group", "16"}, {"no_bias", "True"}},
                  {&image, &filters}, precision, {1}),
        testing::HasSubstr(suffix));
  }
}

TEST(PrecisionOnCuda, APlanAndItsAnswers) {
  const Model model = Model::load(std::string(MXINFER_SOURCE_DIR) + "/models/digits");
  const std::string folder = std::string(MXINFER_SOURCE_DIR) + "/examples/images/";
  const std::vector<std::string> images{folder + "seven.jpg", folder + "three.jpg"};
  ImageOptions options;
  options.options.threads = 1;
  const auto expected = ImageClassifier(model, options).classify_files(images);
  options.options.device = "cuda:0";
  for (const Precision precision : test::lower_precisions()) {
    const std::string name = kernels::to_string(precision);
    options.options.precision = parse_precision(name);
    const ImageClassifier classifier(model, options);
    EXPECT_EQ(classifier.explain().precision, name);
    const auto actual = classifier.classify_files(images);
    ASSERT_EQ(actual.size(), expected.size());
    for (std::size_t i = 0; i < actual.size(); ++i) {
      EXPECT_EQ(actual[i][0].label, expected[i][0].label) << name << ' ' << images[i];
      EXPECT_NEAR(actual[i][0].score, expected[i][0].score, 0.02) << name << ' ' << images[i];
    }
  }
}

TEST(PrecisionOnCuda, AGpuWithoutTheInstructions) {
  Options options;
  options.device = "cuda:0";
  options.precision = mxinfer::Precision::tf32;
  if (device::CudaDevice::open(0)->has_precision(Precision::tf32))
    GTEST_SKIP() << "cuda:0 has tf32; run by cuda.of_compute_capability_7_5 on the emulator";
  EXPECT_MXINFER_ERROR(
      Predictor(std::string(MXINFER_SOURCE_DIR) + "/models/digits", options), ErrorCode::unsupported,
      {"precision (--precision) is tf32", "which cuda:0 does not support", "8.0", "give float32"});
}

}  // namespace
}  // namespace mxinfer
