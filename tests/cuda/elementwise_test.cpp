// Element-wise operators on a GPU: one kernel runs them all, as programs.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "cuda/support.h"
#include "passes/passes.h"
#include "support/special_floats.h"

namespace mxinfer {
namespace {

using test::expect_as_on_cpu;
using test::random_tensor;

using Attrs = std::map<std::string, std::string>;

using test::kInfinity;
using test::kNaN;

Tensor specials() {
  return test::tensor_of<float>(
      {11}, {kNaN, kInfinity, -kInfinity, 0.0f, -0.0f, 1.0f, -1.0f, 1e-37f, 3e38f, -3e38f, 0.5f});
}

/// Integers of a fixed sequence in [low, high].
template <typename T>
Tensor integers(const Shape& shape, unsigned seed, int low, int high) {
  const Tensor reals = random_tensor(shape, seed, static_cast<float>(low), static_cast<float>(high) + 0.99f);
  Tensor tensor(DTypeOf<T>::value, shape);
  for (std::int64_t i = 0; i < shape.elements(); ++i)
    tensor.data<T>()[i] = static_cast<T>(std::floor(reals.data<float>()[i]));
  return tensor;
}

Tensor doubles(const Shape& shape, unsigned seed) {
  const Tensor reals = random_tensor(shape, seed);
  Tensor tensor(DType::float64, shape);
  for (std::int64_t i = 0; i < shape.elements(); ++i) tensor.data<double>()[i] = reals.data<float>()[i];
  return tensor;
}

struct UnaryCase {
  const char* op;
  float low, high;
  Attrs attrs{};
};

TEST(ElementwiseOnCuda, FunctionsOfOneTensor) {
  const UnaryCase cases[] = {
      {"abs", -3, 3},
      {"sign", -3, 3},
      {"negative", -3, 3},
      {"reciprocal", 0.5, 3},
      {"square", -3, 3},
      {"sqrt", 0, 9},
      {"rsqrt", 0.1f, 9},
      {"cbrt", -9, 9},
      {"rcbrt", 0.1f, 9},
      {"logical_not", 0, 1},
      {"zeros_like", -3, 3},
      {"ones_like", -3, 3},
      {"round", -3, 3},
      {"rint", -3, 3},
      {"ceil", -3, 3},
      {"floor", -3, 3},
      {"trunc", -3, 3},
      {"fix", -3, 3},
      {"exp", -5, 5},
      {"expm1", -2, 2},
      {"log", 0.1f, 9},
      {"log10", 0.1f, 9},
      {"log2", 0.1f, 9},
      {"log1p", -0.5f, 9},
      {"sin", -9, 9},
      {"cos", -9, 9},
      {"tan", -1.2f, 1.2f},
      {"arcsin", -1, 1},
      {"arccos", -1, 1},
      {"arctan", -9, 9},
      {"sinh", -3, 3},
      {"cosh", -3, 3},
      {"tanh", -3, 3},
      {"arcsinh", -9, 9},
      {"arccosh", 1, 9},
      {"arctanh", -0.9f, 0.9f},
      {"degrees", -3, 3},
      {"radians", -300, 300},
      {"gamma", 0.5f, 6},
      {"gammaln", 0.5f, 20},
      {"erf", -3, 3},
      {"erfinv", -0.99f, 0.99f},
      {"relu", -3, 3},
      {"sigmoid", -9, 9},
      {"softsign", -9, 9},
      {"Activation", -9, 9, {{"act_type", "softrelu"}}},
      {"clip", -3, 3, {{"a_min", "-1"}, {"a_max", "2"}}},
      {"LeakyReLU", -3, 3, {{"act_type", "leaky"}, {"slope", "0.3"}}},
      {"LeakyReLU", -3, 3, {{"act_type", "elu"}, {"slope", "0.3"}}},
      {"LeakyReLU", -3, 3, {{"act_type", "selu"}}},
      {"LeakyReLU", -3, 3, {{"act_type", "gelu"}}},
      {"LeakyReLU", -3, 3, {{"act_type", "rrelu"}}},
      {"hard_sigmoid", -5, 5},
      {"smooth_l1", -3, 3, {{"scalar", "1.5"}}},
      {"_mxinfer_fill_nan", -3, 3, {{"value", "2"}}},
      {"_mxinfer_activation", -5, 5, {{"function", "swish"}}},
      {"_mxinfer_activation", -5, 5, {{"function", "hard_swish"}}},
      {"_mxinfer_activation", -25, 25, {{"function", "mish"}}},
      {"_contrib_quadratic", -3, 3, {{"a", "2"}, {"b", "-1"}, {"c", "0.5"}}},
      {"LogisticRegressionOutput", -5, 5},
      {"_contrib_div_sqrt_dim", -3, 3},
  };
  for (const UnaryCase& one : cases) {
    const Tensor data = random_tensor({7, 5, 3}, 3, one.low, one.high);
    expect_as_on_cpu(one.op, one.attrs, {&data});
  }
}

TEST(ElementwiseOnCuda, NaNsAndInfinitiesAreAsOnTheCpu) {
  const Tensor data = specials();
  for (const char* op : {"abs",  "sign",  "negative", "square", "sqrt",   "relu",  "sigmoid", "softsign",
                         "exp",  "log",   "tanh",     "erf",    "floor",  "round", "rint",    "logical_not",
                         "sin",  "cbrt",  "log1p",    "arctan", "erfinv", "log2",  "rsqrt",   "trunc",
                         "sinh", "expm1", "arcsinh",  "ceil",   "degrees"})
    expect_as_on_cpu(op, {}, {&data});
  for (const char* type : {"relu", "softrelu"}) expect_as_on_cpu("Activation", {{"act_type", type}}, {&data});
  for (const char* type : {"elu", "leaky", "selu", "gelu"})
    expect_as_on_cpu("LeakyReLU", {{"act_type", type}}, {&data});
  expect_as_on_cpu("clip", {{"a_min", "-1"}, {"a_max", "2"}}, {&data});
  expect_as_on_cpu("_mxinfer_fill_nan", {{"value", "2"}}, {&data});
  const Tensor column = test::tensor_of<float>({4, 1}, {kNaN, 1.0f, -kInfinity, 0.0f});
  for (const char* op :
       {"broadcast_maximum", "broadcast_minimum", "broadcast_add", "broadcast_mul", "broadcast_div",
        "broadcast_mod", "broadcast_power", "broadcast_hypot", "broadcast_equal", "broadcast_not_equal",
        "broadcast_greater", "broadcast_lesser_equal", "broadcast_logical_and", "broadcast_logical_xor"})
    expect_as_on_cpu(op, {}, {&column, &data});
}

// Astride of four elements a thread and of a block's threads.
TEST(ElementwiseOnCuda, AnyNumberOfElements) {
  for (const std::int64_t count : {1, 2, 3, 4, 5, 255, 256, 257, 1023, 1024, 1027, 4099}) {
    const Tensor a = random_tensor({count}, 1), b = random_tensor({count}, 2), row = random_tensor({1}, 3);
    expect_as_on_cpu("elemwise_sub", {}, {&a, &b});
    expect_as_on_cpu("broadcast_power", {}, {&row, &b});
    expect_as_on_cpu("broadcast_mul", {}, {&a, &row});
  }
}

// More elements than a grid has threads.
TEST(ElementwiseOnCuda, ManyElements) {
  const Tensor data = random_tensor({4 * 8192 * 256 + 7}, 3);
  expect_as_on_cpu("relu", {}, {&data}, {.tolerance = 0});
}

// Inputs that lie as the output does: whole vectors, of which the last thread has one or two.
TEST(ElementwiseOnCuda, FlatPrograms) {
  for (const std::int64_t count : {4, 8, 12, 1800, 8 * 128 * 8192 + 8}) {
    const Tensor x = random_tensor({count}, 1), y = random_tensor({count}, 2), z = random_tensor({count}, 3);
    expect_as_on_cpu("broadcast_mul", {}, {&x, &y}, {.tolerance = 0});
    if (count > 2000) continue;
    expect_as_on_cpu("sigmoid", {}, {&x});
    expect_as_on_cpu("add_n", {{"num_args", "3"}}, {&x, &y, &z}, {.tolerance = 1e-6});
  }
}

TEST(ElementwiseOnCuda, FunctionsOfTwoTensors) {
  for (const char* op : {"broadcast_add",
                         "broadcast_sub",
                         "broadcast_mul",
                         "broadcast_div",
                         "broadcast_mod",
                         "broadcast_power",
                         "broadcast_maximum",
                         "broadcast_minimum",
                         "broadcast_hypot",
                         "broadcast_equal",
                         "broadcast_not_equal",
                         "broadcast_greater",
                         "broadcast_greater_equal",
                         "broadcast_lesser",
                         "broadcast_lesser_equal",
                         "broadcast_logical_and",
                         "broadcast_logical_or",
                         "broadcast_logical_xor",
                         "_npi_arctan2",
                         "_npi_true_divide",
                         "_npi_equal",
                         "_npi_less",
                         "_npi_greater_equal"}) {
    const Tensor a = random_tensor({2, 3, 8}, 1, 0.5f, 3), b = random_tensor({2, 3, 8}, 2, 0.5f, 3);
    const Tensor channel = random_tensor({3, 1}, 3, 0.5f, 3);
    expect_as_on_cpu(op, {}, {&a, &b});
    expect_as_on_cpu(op, {}, {&a, &channel});
  }
  const Tensor whole = integers<std::int32_t>({5, 7}, 1, -3, 3),
               other = integers<std::int32_t>({5, 7}, 2, -3, 3);
  for (const char* op : {"broadcast_equal", "broadcast_greater", "broadcast_logical_or", "_npi_less_equal"})
    expect_as_on_cpu(op, {}, {&whole, &other});
}

TEST(ElementwiseOnCuda, Broadcasts) {
  const std::vector<std::pair<Shape, Shape>> shapes = {{{2, 7, 7, 8}, {1, 1, 1, 8}},
                                                       {{2, 7, 7, 8}, {2, 1, 1, 8}},
                                                       {{2, 3, 5, 7}, {1, 3, 1, 1}},
                                                       {{2, 3, 4, 8}, {1, 3, 1, 1}},
                                                       {{2, 3, 4, 8}, {2, 1, 4, 1}},
                                                       {{1, 6, 8}, {5, 1, 8}},
                                                       {{3, 1, 5}, {1, 4, 1}},
                                                       {{4, 1, 3, 1, 2, 4}, {1, 2, 1, 5, 1, 4}},
                                                       {{1}, {3, 3}},
                                                       {{}, {4, 4}}};
  for (const auto& [a_shape, b_shape] : shapes) {
    const Tensor a = random_tensor(a_shape, 1), b = random_tensor(b_shape, 2);
    expect_as_on_cpu("broadcast_sub", {}, {&a, &b}, {.tolerance = 0});
    expect_as_on_cpu("broadcast_sub", {}, {&b, &a}, {.tolerance = 0});
    expect_as_on_cpu("broadcast_power", {}, {&a, &b});
  }
}

TEST(ElementwiseOnCuda, Numbers) {
  const Tensor data = random_tensor({3, 37}, 1, 0.2f, 3);
  for (const char* op : {"_plus_scalar", "_minus_scalar", "_rminus_scalar", "_mul_scalar", "_div_scalar",
                         "_rdiv_scalar", "_mod_scalar", "_rmod_scalar", "_power_scalar", "_rpower_scalar",
                         "_maximum_scalar", "_minimum_scalar", "_hypot_scalar", "_greater_scalar",
                         "_lesser_equal_scalar", "_logical_xor_scalar", "_npi_greater_scalar"})
    expect_as_on_cpu(op, {{"scalar", "1.7"}}, {&data});
}

TEST(ElementwiseOnCuda, Integers) {
  const Tensor a = integers<std::int32_t>({5, 7}, 1, -9, 9), b = integers<std::int32_t>({5, 7}, 2, -2, 2);
  const Tensor wide = integers<std::int64_t>({5, 7}, 3, -9, 9),
               byte = integers<std::uint8_t>({35}, 4, 0, 255);
  for (const char* op : {"broadcast_add", "broadcast_sub", "broadcast_mul", "broadcast_div", "broadcast_mod",
                         "broadcast_maximum", "broadcast_minimum", "broadcast_lesser"})
    expect_as_on_cpu(op, {}, {&a, &b});
  expect_as_on_cpu("broadcast_mul", {}, {&wide, &wide});
  const Tensor period = test::tensor_of<std::int64_t>({5, 1}, {4, -4, 0, 1, 7});
  expect_as_on_cpu("broadcast_mod", {}, {&wide, &period});
  expect_as_on_cpu("_mod_scalar", {{"scalar", "5"}}, {&wide});
  expect_as_on_cpu("elemwise_add", {}, {&byte, &byte});
  expect_as_on_cpu("_plus_scalar", {{"scalar", "300"}}, {&byte});
  expect_as_on_cpu("_greater_scalar", {{"scalar", "300"}}, {&byte});
  expect_as_on_cpu("_mul_scalar", {{"scalar", "-3"}}, {&wide});
  expect_as_on_cpu("_mul_scalar", {{"scalar", "0.5"}, {"is_int", "False"}}, {&a});
  expect_as_on_cpu("clip", {{"a_min", "-2"}, {"a_max", "3"}}, {&a});
  expect_as_on_cpu("relu", {}, {&a});
  const Tensor extremes = test::tensor_of<std::int32_t>(
      {4}, {std::numeric_limits<std::int32_t>::min(), std::numeric_limits<std::int32_t>::max(), -1, 0});
  for (const char* op :
       {"broadcast_add", "broadcast_mul", "broadcast_div", "broadcast_mod", "broadcast_sub"}) {
    for (const std::int32_t other : {-1, 0, 2}) {
      const Tensor number = test::tensor_of<std::int32_t>({1}, {other});
      expect_as_on_cpu(op, {}, {&extremes, &number});
    }
  }
}

TEST(ElementwiseOnCuda, DoublesAndHalves) {
  const Tensor a = doubles({5, 7}, 1), b = doubles({5, 1}, 2);
  expect_as_on_cpu("broadcast_mul", {}, {&a, &b}, {.tolerance = 1e-15});
  expect_as_on_cpu("exp", {}, {&a}, {.tolerance = 1e-14});
  expect_as_on_cpu("_plus_scalar", {{"scalar", "0.1"}}, {&a}, {.tolerance = 1e-16});
  const Tensor reals = random_tensor({5, 7}, 3);
  Tensor half(DType::float16, {5, 7});
  for (std::int64_t i = 0; i < 35; ++i)
    reinterpret_cast<kernels::Float16*>(half.raw())[i] = kernels::Float16(reals.data<float>()[i]);
  test::OnCudaOptions options;
  options.tolerance = 0;
  options.post_ops.activation = graph::Activation::clip;
  options.post_ops.alpha = -0.3f;
  options.post_ops.beta = 0.4f;
  expect_as_on_cpu("elemwise_mul", {}, {&half, &half}, options);
}

/// NaN, infinities, and numbers inside and outside of each integer type, at its ends too.
Tensor ends_of_integers() {
  std::vector<double> values{kNaN,   -kNaN, kInfinity, -kInfinity, 0.0,     -0.0,    0.25,  -0.75,
                             1e-300, 1e300, -1e300,    1e38,       65519.0, 65520.0, 300.7, 4294967301.0};
  for (const double end : {128.0, 256.0, 2147483648.0, 4294967296.0, 9223372036854775808.0}) {
    for (const double sign : {1.0, -1.0})
      values.insert(values.end(), {sign * end, sign * (end - 0.1), sign * (end + 0.1), sign * (end - 1),
                                   sign * (end + 1), sign * end * 1.01, sign * std::nextafter(end, 0.0)});
  }
  Tensor tensor(DType::float64, {static_cast<std::int64_t>(values.size())});
  std::copy(values.begin(), values.end(), tensor.data<double>());
  return tensor;
}

TEST(ElementwiseOnCuda, Casts) {
  const Tensor wide = ends_of_integers();
  const std::int64_t count = wide.elements();
  Tensor reals(DType::float32, {count}), halves(DType::float16, {count});
  for (std::int64_t i = 0; i < count; ++i) {
    reals.data<float>()[i] = static_cast<float>(wide.data<double>()[i]);
    reinterpret_cast<kernels::Float16*>(halves.raw())[i] = kernels::Float16(reals.data<float>()[i]);
  }
  const Tensor ints = integers<std::int32_t>({99}, 1, -300, 300);
  const Tensor bytes = integers<std::int8_t>({99}, 2, -128, 127);
  constexpr std::int64_t kTwoTo31 = std::int64_t{1} << 31;
  const Tensor longs = test::tensor_of<std::int64_t>(
      {9}, {(std::int64_t{1} << 62) + 1, -5, 0, INT64_MIN, INT64_MAX, kTwoTo31, -kTwoTo31 - 1, 255, 256});
  for (const char* dtype : {"float32", "float64", "float16", "uint8", "int32", "int8", "int64", "bool"}) {
    for (const Tensor* data :
         std::initializer_list<const Tensor*>{&wide, &reals, &halves, &ints, &bytes, &longs}) {
      if (std::string(dtype) == to_string(data->dtype())) continue;
      SCOPED_TRACE(std::string(to_string(data->dtype())) + " to " + dtype);
      expect_as_on_cpu("Cast", {{"dtype", dtype}}, {data}, {.tolerance = 0});
    }
  }
}

TEST(ElementwiseOnCuda, PostOps) {
  const Tensor a = random_tensor({2, 5, 8}, 1, -3, 3), b = random_tensor({2, 1, 8}, 2, -3, 3);
  const Tensor residual = random_tensor({2, 5, 8}, 3, -3, 3);
  using graph::Activation;
  for (const Activation activation :
       {Activation::relu, Activation::sigmoid, Activation::tanh, Activation::softrelu, Activation::softsign,
        Activation::clip, Activation::leaky, Activation::elu, Activation::gelu_erf, Activation::swish}) {
    test::OnCudaOptions options;
    options.post_ops.activation = activation;
    options.post_ops.alpha = 0.25f;
    options.post_ops.beta = 0.75f;
    expect_as_on_cpu("broadcast_sub", {}, {&a, &b}, options);
    options.post_ops.residual = true;
    expect_as_on_cpu("broadcast_mul", {}, {&a, &b, &residual}, options);
  }
}

TEST(ElementwiseOnCuda, SlopesOfPRelu) {
  const Tensor data = random_tensor({2, 8, 3, 5}, 1), slopes = random_tensor({8}, 2);
  const Tensor one = random_tensor({1}, 3), samples = random_tensor({2, 8}, 4);
  for (const Tensor* gamma : {&slopes, &one, &samples})
    expect_as_on_cpu("LeakyReLU", {{"act_type", "prelu"}}, {&data, gamma}, {.parameters = {1}});
  const Tensor last = random_tensor({2, 3, 5, 8}, 5);
  expect_as_on_cpu("_mxinfer_prelu_nhwc", {{"act_type", "prelu"}}, {&last, &slopes}, {.parameters = {1}});
}

TEST(ElementwiseOnCuda, SumsOfMany) {
  std::vector<Tensor> tensors;
  for (unsigned i = 0; i < 16; ++i) tensors.push_back(random_tensor({3, 33}, i));
  std::vector<const Tensor*> inputs;
  for (const Tensor& tensor : tensors) {
    inputs.push_back(&tensor);
    expect_as_on_cpu("add_n", {{"num_args", std::to_string(inputs.size())}}, inputs);
  }
}

TEST(ElementwiseOnCuda, Where) {
  const Tensor x = random_tensor({4, 3, 5}, 1), y = random_tensor({4, 3, 5}, 2);
  const Tensor each = integers<std::int32_t>({4, 3, 5}, 3, 0, 1), rows = random_tensor({4}, 4);
  const Tensor some = test::tensor_of<float>({4}, {0.0f, kNaN, -0.0f, 1e-37f});
  for (const Tensor* condition : {&each, &rows, &some})
    expect_as_on_cpu("where", {}, {condition, &x, &y}, {.tolerance = 0});
  const Tensor tiny = test::tensor_of<double>({4}, {1e-300, 0.0, -1e-300, 1.0});
  expect_as_on_cpu("where", {}, {&tiny, &x, &y}, {.tolerance = 0});
  const Tensor a = integers<std::int64_t>({4, 2}, 5, -9, 9), b = integers<std::int64_t>({4, 2}, 6, -9, 9);
  expect_as_on_cpu("where", {}, {&rows, &a, &b});
}

// A graph of element-wise operators as one chain, which runs on the GPU.
void expect_chain(graph::Graph graph, const std::vector<const Tensor*>& inputs) {
  passes::fuse_elementwise(graph);
  ASSERT_EQ(test::op_names(graph), std::vector<std::string>{"_mxinfer_elementwise_chain"});
  std::vector<ops::TensorType> types;
  for (const Tensor* input : inputs) types.push_back({input->dtype(), input->shape()});
  plan::WeightStore weights, device_weights;
  plan::PlanOptions options = test::cuda_plan_options();
  options.cpu_fallback = false;
  const auto on_cpu = plan::make_plan(graph, types, {kernels::Target::ref, 1}, weights);
  const auto on_cuda = plan::make_plan(graph, types, options, device_weights);
  const auto expected = test::run_on(on_cpu, inputs);
  test::for_each_schedule(
      [&] { test::expect_close(expected[0], test::run_on(on_cuda, inputs)[0], 1e-5, 0); });
}

TEST(ElementwiseOnCuda, AChainWithAGate) {
  for (const std::int64_t channels : {8, 5}) {
    test::GraphBuilder b;
    const auto x = b.input("x"), gate = b.input("gate");
    const auto open = b.op("sigmoid", {}, {gate});
    const auto scaled = b.op("broadcast_mul", {}, {x, open});
    b.head(b.op("relu", {}, {b.op("elemwise_add", {}, {scaled, x})}));
    const Tensor data = random_tensor({2, 3, 3, channels}, 1), gates = random_tensor({2, 1, 1, channels}, 2);
    expect_chain(b.graph(), {&data, &gates});
  }
}

// More values are read later than the next instruction keeps: each in a place of its own.
TEST(ElementwiseOnCuda, AChainThatKeepsValues) {
  test::GraphBuilder b;
  const auto x = b.input("x"), y = b.input("y");
  std::vector<graph::Value> kept;
  for (const char* op : {"sin", "cos", "exp", "tanh", "square", "abs"}) kept.push_back(b.op(op, {}, {x}));
  graph::Value sum = b.op("elemwise_sub", {}, {y, x});
  for (std::size_t i = 0; i < kept.size(); ++i)
    sum = b.op(i % 2 == 0 ? "elemwise_mul" : "elemwise_sub", {}, {kept[i], sum});
  b.head(sum);
  const Tensor data = random_tensor({3, 41}, 1), other = random_tensor({3, 41}, 2);
  expect_chain(b.graph(), {&data, &other});
}

TEST(ElementwiseOnCuda, IdentityIsAnAlias) {
  const Tensor data = random_tensor({3, 5}, 1);
  for (const char* op : {"_copyto", "BlockGrad", "MAERegressionOutput"})
    expect_as_on_cpu(op, {}, {&data}, {.tolerance = 0});
}

TEST(ElementwiseOnCuda, WhatTheKernelCannotDoRunsOnTheCpu) {
  const Tensor whole = integers<std::int32_t>({5}, 1, 1, 9);
  const test::OneOperator one = test::one_operator("exp", {}, {&whole});
  plan::WeightStore weights;
  const auto plan = plan::make_plan(one.graph, {{DType::int32, {5}}}, test::cuda_plan_options(), weights);
  EXPECT_FALSE(test::runs_on_cuda(*plan));
  ASSERT_FALSE(plan->info.steps.empty());
  std::string why;
  for (const StepInfo& step : plan->info.steps) {
    if (!step.rejected.empty()) why = step.rejected.front().reason;
  }
  EXPECT_EQ(why, "the GPU has no exp of int32");
}

}  // namespace
}  // namespace mxinfer
