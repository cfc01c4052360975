// Operators on 8-bit values on a GPU, with the bits of the CPU's.
#include <gtest/gtest.h>

#include <limits>

#include "cuda/support.h"
#include "pipeline/pipeline.h"
#include "support/int8_arrays.h"
#include "support/networks/build_graph.h"

namespace mxinfer {
namespace {

using Attributes = std::map<std::string, std::string>;
using test::GraphBuilder;
using test::OnCudaOptions;
using test::random_bytes;
using test::random_integers;

constexpr DType kByteTypes[] = {DType::int8, DType::uint8};

/// Numbers of which some are halves of steps, and some beyond the range.
Tensor floats_to_quantize(const Shape& shape) {
  Tensor data = test::random_tensor(shape, 3, -40, 40);
  for (std::int64_t i = 0; i < data.elements(); i += 3)
    data.data<float>()[i] = static_cast<float>(i % 600 - 300) / 8;
  data.data<float>()[0] = std::numeric_limits<float>::quiet_NaN();
  return data;
}

TEST(Int8OnCuda, QuantizesAndDequantizes) {
  for (const Shape& shape : {Shape{1}, Shape{3, 7}, Shape{2, 3, 16, 16}, Shape{5, 1031}}) {
    for (const DType dtype : kByteTypes) {
      const Tensor floats = floats_to_quantize(shape), bytes = random_bytes(dtype, shape, 4);
      test::expect_as_on_cpu("_mxinfer_quantize", {{"scale", "4"}, {"dtype", to_string(dtype)}}, {&floats},
                             test::kSameBits);
      test::expect_as_on_cpu("_mxinfer_dequantize", {{"scale", "0.0371"}}, {&bytes}, test::kSameBits);
    }
  }
}

void expect_pooled_bytes(const Shape& shape, Attributes attrs) {
  for (const DType dtype : kByteTypes) {
    const Tensor data = random_bytes(dtype, shape, 5);
    for (const char* type : {"max", "avg"}) {
      attrs["pool_type"] = type;
      SCOPED_TRACE(testing::Message() << to_string(shape) << " " << to_string(dtype) << " " << type);
      test::expect_as_on_cpu("_mxinfer_pooling_int8", attrs, {&data}, test::kSameBits);
    }
  }
}

TEST(Int8OnCuda, Pools) {
  const Attributes padded{{"kernel", "(3, 2)"}, {"stride", "(2, 1)"}, {"pad", "(1, 1)"}};
  const Attributes global{{"kernel", "(1, 1)"}, {"global_pool", "True"}};
  const auto last = [](Attributes attrs) {
    attrs["channels_last"] = "True";
    return attrs;
  };
  expect_pooled_bytes({2, 3, 7, 6}, padded);
  expect_pooled_bytes({2, 5, 9, 8}, global);
  for (const std::int64_t channels : {3, 8, 36}) {
    expect_pooled_bytes({2, 7, 6, channels}, last(padded));
    expect_pooled_bytes({2, 9, 8, channels}, last(global));
  }
  Attributes valid = last(padded);
  valid["count_include_pad"] = "False";
  valid["pooling_convention"] = "full";
  expect_pooled_bytes({1, 8, 9, 8}, valid);
  expect_pooled_bytes({1, 3, 11}, {{"kernel", "(3,)"}, {"stride", "(2,)"}});
  expect_pooled_bytes({1, 2, 5, 6, 7}, {{"kernel", "(2, 3, 2)"}, {"pad", "(1, 1, 0)"}});
}

struct ConvolvedOnCuda {
  Shape data;
  std::int64_t filters;
  Attributes attrs;
  DType dtype = DType::uint8, made = DType::int8;
  std::optional<DType> residual{};
};

/// In both layouts, by the kernel that is planned, or by `kernel`.
void expect_convolved(const ConvolvedOnCuda& c, const std::string& kernel = "") {
  Attributes attrs = c.attrs;
  attrs["num_filter"] = std::to_string(c.filters);
  attrs["dtype"] = to_string(c.made);
  const std::int64_t groups = attrs.contains("num_group") ? std::stoll(attrs["num_group"]) : 1;
  const std::int64_t side = attrs["kernel"][1] - '0';
  const Tensor data = random_bytes(c.dtype, c.data, 1);
  const Tensor weight = random_integers<std::int8_t>({c.filters, c.data[1] / groups, side, side}, 2);
  const Tensor scale = test::random_tensor({c.filters}, 3, 0.0002F, 0.0015F);
  const Tensor bias = random_integers<std::int32_t>({c.filters}, 4, -30000, 30000);
  Tensor residual;
  if (c.residual) {
    attrs["with_sum"] = "True";
    const Shape like{c.data[0], c.filters, c.data[2], c.data[3]};
    residual = *c.residual == DType::float32 ? test::random_tensor(like, 5, -50.0F, 50.0F)
                                             : random_bytes(*c.residual, like, 5);
  }
  for (const bool channels_last : {false, true}) {
    SCOPED_TRACE(testing::Message() << to_string(c.data) << (channels_last ? " channels-last" : " ")
                                    << kernel);
    attrs["channels_last"] = channels_last ? "True" : "False";
    const Tensor moved = channels_last ? test::channels_last_of(data) : data.clone();
    const Tensor added = channels_last && c.residual ? test::channels_last_of(residual) : residual.clone();
    std::vector<const Tensor*> inputs{&moved, &weight, &scale, &bias};
    if (c.residual) inputs.push_back(&added);
    test::expect_as_on_cpu("_mxinfer_convolution_int8", attrs, inputs,
                           {.parameters = {1, 2, 3}, .tolerance = 0, .kernel = kernel});
  }
}

TEST(Int8OnCuda, Convolves) {
  const Attributes padded{{"kernel", "(3, 3)"}, {"pad", "(1, 1)"}};
  const Attributes residual{{"kernel", "(3, 3)"},    {"pad", "(1, 1)"},        {"residual_scale", "0.375"},
                            {"after_function", "1"}, {"before_function", "6"}, {"before_alpha", "-50"},
                            {"before_beta", "90"}};
  expect_convolved({{2, 16, 8, 7}, 36, padded});
  expect_convolved(
      {{2, 3, 17, 15}, 20, {{"kernel", "(7, 7)"}, {"stride", "(2, 2)"}, {"pad", "(3, 3)"}}, DType::int8});
  expect_convolved({{1, 32, 6, 7}, 24, residual, DType::int8, DType::uint8, DType::uint8});
  expect_convolved({{1, 32, 6, 7}, 24, residual, DType::uint8, DType::int8, DType::int8});
  expect_convolved({{1, 32, 6, 7}, 24, residual, DType::uint8, DType::float32, DType::float32});
  Attributes grouped = padded, depthwise = padded;
  grouped["num_group"] = "4";
  depthwise["num_group"] = "24";
  depthwise["dst_factor"] = "0.5";
  expect_convolved({{2, 16, 8, 7}, 24, grouped, DType::int8, DType::int32});
  expect_convolved({{2, 24, 8, 7}, 24, depthwise});
}

TEST(Int8OnCuda, ConvolvesByTensorInstructionsAndByDp4a) {
  const ConvolvedOnCuda c{{2, 32, 7, 6}, 40, {{"kernel", "(3, 3)"}, {"pad", "(1, 1)"}}, DType::int8};
  for (const char* kernel : {"int8_gemm_64x32", "int8_direct_dp4a"}) expect_convolved(c, kernel);
}

TEST(Int8OnCuda, FullyConnected) {
  for (const std::int64_t rows : {1, 3, 70}) {
    for (const DType dtype : kByteTypes) {
      const Tensor data = random_bytes(dtype, {rows, 7, 10}, 1);
      const Tensor weight = random_integers<std::int8_t>({21, 70}, 2),
                   bias = random_integers<std::int32_t>({21}, 4, -9000, 9000);
      const Tensor scale = test::random_tensor({21}, 3, 0.0005F, 0.002F);
      for (const DType made : {DType::int8, DType::float32}) {
        test::expect_as_on_cpu("_mxinfer_fully_connected_int8",
                               {{"num_hidden", "21"},
                                {"dtype", to_string(made)},
                                {"before_function", "1"},
                                {"dst_factor", "0.5"}},
                               {&data, &weight, &scale, &bias}, {.parameters = {1, 2, 3}, .tolerance = 0});
      }
    }
  }
}

TEST(Int8OnCuda, MovesBytes) {
  const Tensor a = random_bytes(DType::int8, {2, 5, 6, 7}, 1), b = random_bytes(DType::int8, {2, 3, 6, 7}, 2);
  test::expect_as_on_cpu("Concat", {{"num_args", "2"}, {"dim", "1"}}, {&a, &b}, test::kSameBits);
  test::expect_as_on_cpu("transpose", {{"axes", "(0, 2, 3, 1)"}}, {&a}, test::kSameBits);
  test::expect_as_on_cpu("Flatten", {}, {&a}, test::kSameBits);
  test::expect_as_on_cpu("slice_axis", {{"axis", "1"}, {"begin", "1"}, {"end", "4"}}, {&a}, test::kSameBits);
}

/// quantize - convolution - pooling - two branches - convolution with residual - global pooling - fully
/// connected - dequantize.
graph::Graph quantized_network() {
  GraphBuilder b;
  const auto convolution = [&](graph::Value data, const graph::Value* residual, const Shape& weight,
                               Attributes attrs, unsigned seed) {
    const std::string name = "conv" + std::to_string(seed);
    const std::int64_t filters = weight[0];
    attrs["num_filter"] = std::to_string(filters);
    attrs["with_sum"] = residual != nullptr ? "True" : "False";
    std::vector<graph::Value> inputs{
        data, b.parameter(name + "_weight", random_integers<std::int8_t>(weight, seed)),
        b.parameter(name + "_scale", test::random_tensor({filters}, seed, 0.0002F, 0.001F)),
        b.parameter(name + "_bias", random_integers<std::int32_t>({filters}, seed, -9000, 9000))};
    if (residual != nullptr) inputs.push_back(*residual);
    return b.op("_mxinfer_convolution_int8", attrs, inputs, name);
  };
  const graph::Value image =
      b.op("_mxinfer_quantize", {{"scale", "60"}, {"dtype", "int8"}}, {b.input("data")});
  const graph::Value stem = convolution(
      image, nullptr, {16, 3, 3, 3},
      {{"kernel", "(3, 3)"}, {"stride", "(2, 2)"}, {"dtype", "uint8"}, {"before_function", "1"}}, 1);
  const graph::Value pooled =
      b.op("_mxinfer_pooling_int8", {{"kernel", "(2, 2)"}, {"stride", "(2, 2)"}}, {stem});
  const graph::Value left = convolution(pooled, nullptr, {16, 16, 3, 3},
                                        {{"kernel", "(3, 3)"}, {"pad", "(1, 1)"}, {"dtype", "uint8"}}, 2);
  const graph::Value sum = convolution(left, &pooled, {16, 1, 3, 3},
                                       {{"kernel", "(3, 3)"},
                                        {"pad", "(1, 1)"},
                                        {"num_group", "16"},
                                        {"dtype", "uint8"},
                                        {"after_function", "1"}},
                                       3);
  const graph::Value both = b.op("Concat", {{"num_args", "2"}, {"dim", "1"}}, {sum, left});
  const graph::Value mean = b.op(
      "_mxinfer_pooling_int8", {{"kernel", "(1, 1)"}, {"global_pool", "True"}, {"pool_type", "avg"}}, {both});
  const graph::Value flat = b.op("Flatten", {}, {mean});
  const graph::Value scores =
      b.op("_mxinfer_fully_connected_int8", {{"num_hidden", "10"}, {"dtype", "int8"}, {"no_bias", "True"}},
           {flat, b.parameter("dense_weight", random_integers<std::int8_t>({10, 32}, 7)),
            b.parameter("dense_scale", test::random_tensor({10}, 8, 0.001F, 0.004F))});
  b.head(b.op("_mxinfer_dequantize", {{"scale", "0.05"}}, {scores}));
  return b.graph();
}

// As it is stored, channels-first, and channels-last, as passes make it.
TEST(Int8OnCuda, NetworksStayOnTheGpu) {
  const Tensor data = test::random_tensor({2, 3, 23, 21}, 9, -2, 2);
  const graph::Graph stored = quantized_network();
  plan::WeightStore reference_weights;
  const auto expected = test::run_on(
      plan::make_plan(stored, {{DType::float32, data.shape()}}, {kernels::Target::ref, 1}, reference_weights),
      {&data});
  for (const bool optimised : {false, true}) {
    SCOPED_TRACE(optimised);
    graph::Graph graph = stored;
    plan::PlanOptions options = test::cuda_plan_options();
    options.cpu_fallback = false;
    passes::Goal goal{options.target};
    goal.device = device::Kind::cuda;
    if (optimised) pipeline::optimise(graph, goal);
    plan::WeightStore weights;
    const auto plan = plan::make_plan(graph, {{DType::float32, data.shape()}}, options, weights);
    EXPECT_EQ(plan->info.steps_on_cpu, 0);
    test::for_each_schedule([&] { test::expect_close(expected[0], test::run_on(plan, {&data})[0], 0, 0); });
  }
}

}  // namespace
}  // namespace mxinfer
