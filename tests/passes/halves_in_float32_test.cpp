// Networks of halves that MXNet computes on GPUs alone.
#include <gtest/gtest.h>

#include <algorithm>

#include "passes/infer_outputs.h"
#include "passes/passes.h"
#include "pipeline/pipeline.h"
#include "support/networks/build_graph.h"
#include "support/run_op.h"

namespace mxinfer {
namespace {

using graph::Value;
using test::GraphBuilder;

template <typename T>
Tensor as(const Tensor& tensor) {
  Tensor half(DTypeOf<T>::value, tensor.shape());
  for (std::int64_t i = 0; i < tensor.elements(); ++i) half.data<T>()[i] = T(tensor.data<float>()[i]);
  return half;
}
Tensor stored_as(DType dtype, const Tensor& tensor) {
  if (dtype == DType::float16) return as<Half>(tensor);
  return dtype == DType::bfloat16 ? as<BFloat16>(tensor) : tensor.clone();
}
template <typename T>
Tensor back(const Tensor& tensor) {
  Tensor wide(DType::float32, tensor.shape());
  for (std::int64_t i = 0; i < tensor.elements(); ++i)
    wide.data<float>()[i] = static_cast<float>(tensor.data<T>()[i]);
  return wide;
}
Tensor as_floats(const Tensor& tensor) {
  if (tensor.dtype() == DType::float16) return back<Half>(tensor);
  return tensor.dtype() == DType::bfloat16 ? back<BFloat16>(tensor) : tensor.clone();
}

/// Convolution, BatchNorm, FullyConnected, with parameters of that dtype: the batch norm's gamma too, or not.
/// float32 gives the same numbers, rounded to `rounded`.
graph::Graph halves_network(DType dtype, DType rounded, bool half_gamma = false) {
  GraphBuilder b;
  const auto parameter = [&](const char* name, const Shape& shape, unsigned seed, bool stored = true) {
    Tensor value = as_floats(stored_as(rounded, test::random_tensor(shape, seed, 0.1f, 1.0f)));
    return b.parameter(name, stored ? stored_as(dtype, value) : std::move(value));
  };
  Value x = b.op("Convolution", {{"kernel", "(3, 3)"}, {"num_filter", "4"}, {"no_bias", "True"}},
                 {b.input("data"), parameter("weight", {4, 3, 3, 3}, 2)});
  x = b.op("BatchNorm", {{"fix_gamma", "False"}},
           {x, parameter("gamma", {4}, 3, half_gamma), parameter("beta", {4}, 4, false),
            parameter("mean", {4}, 5, false), parameter("var", {4}, 6, half_gamma)});
  b.head(b.op("FullyConnected", {{"num_hidden", "5"}, {"no_bias", "True"}},
              {b.op("Activation", {{"act_type", "relu"}}, {x}), parameter("fc", {5, 64}, 7)}));
  return b.graph();
}

Tensor run_optimised(graph::Graph graph, const Tensor& data) {
  pipeline::optimise(graph, {kernels::best_target()});
  graph::verify(graph);
  return std::move(test::run_graph(graph, {&data})[0]);
}

TEST(HalvesInFloat32, StoredHalvesGiveTheNumbersOfFloat32) {
  const Tensor data = test::random_tensor({2, 3, 6, 6}, 1);
  for (const DType dtype : {DType::float16, DType::bfloat16}) {
    const Tensor expected = run_optimised(halves_network(DType::float32, dtype), data);
    for (const bool half_gamma : {false, true}) {
      const Tensor output = run_optimised(halves_network(dtype, dtype, half_gamma), data);
      EXPECT_EQ(output.dtype(), DType::float32);
      EXPECT_LE(test::relative_difference(output, expected), 1e-6) << to_string(dtype);
    }
  }
}

TEST(HalvesInFloat32, OutputsHaveTheDtypeOfTheData) {
  const Tensor data = test::random_tensor({2, 3, 6, 6}, 1);
  for (const DType dtype : {DType::float16, DType::bfloat16}) {
    const Tensor half = stored_as(dtype, data);
    const Tensor output = run_optimised(halves_network(dtype, dtype), half);
    ASSERT_EQ(output.dtype(), dtype);
    const Tensor expected = run_optimised(halves_network(DType::float32, dtype), as_floats(half));
    EXPECT_LE(test::relative_difference(as_floats(output), expected), dtype == DType::float16 ? 1e-3 : 8e-3);
    const auto types = passes::infer_outputs(halves_network(dtype, dtype), {{dtype, data.shape()}});
    EXPECT_EQ(types[0], (ops::TensorType{dtype, Shape{2, 5}}));
  }
}

TEST(HalvesInFloat32, PlansForGpusKeepTheirType) {
  for (const DType dtype : {DType::float16, DType::bfloat16}) {
    for (const bool has_bfloat16 : {true, false}) {
      passes::Goal goal;
      goal.has_bfloat16 = has_bfloat16;
      graph::Graph on_cpu = halves_network(dtype, dtype), on_gpu = halves_network(dtype, dtype);
      passes::halves_in_float32(on_cpu, goal);
      EXPECT_EQ(on_cpu.was_halves, std::nullopt);
      goal.device = device::Kind::cuda;
      passes::halves_in_float32(on_gpu, goal);
      const bool has_it = dtype == DType::float16 || has_bfloat16;
      EXPECT_EQ(on_gpu.was_halves, has_it ? std::optional(dtype) : std::nullopt);
    }
  }
}

/// Casts of a model around what MXNet has on GPUs alone.
graph::Graph with_casts(DType dtype) {
  GraphBuilder b;
  const auto cast = [&](Value x, DType to) { return b.op("Cast", {{"dtype", to_string(to)}}, {x}); };
  Value x = cast(b.input("data"), dtype);
  x = b.op("FullyConnected", {{"num_hidden", "4"}, {"no_bias", "True"}},
           {x, b.parameter("w", stored_as(dtype, test::random_tensor({4, 3}, 2)))});
  x = cast(b.op("exp", {}, {cast(x, DType::float32)}), dtype);
  b.head(b.op("_mul_scalar", {{"scalar", "2"}}, {x}));
  b.head(cast(x, DType::float32));
  return b.graph();
}

TEST(HalvesInFloat32, CastsGoAndOutputsKeepTheirDtypes) {
  for (const DType dtype : {DType::float16, DType::bfloat16}) {
    graph::Graph graph = with_casts(dtype);
    passes::halves_in_float32(graph);
    // Of the input, whose dtype is not known yet, and of the output.
    const auto ops = test::op_names(graph);
    EXPECT_EQ(std::count(ops.begin(), ops.end(), "Cast"), 2);
    for (const DType given : {DType::float32, DType::float64, DType::float16}) {
      Tensor data(given, Shape{2, 3});
      const auto outputs = test::run_graph(graph, {&data});
      EXPECT_EQ(outputs[0].dtype(), dtype);
      EXPECT_EQ(outputs[1].dtype(), DType::float32);
      EXPECT_EQ(as_floats(outputs[0]).data<float>()[0], 2.0f);
      EXPECT_EQ(outputs[1].data<float>()[0], 1.0f);
    }
  }
}

// What MXNet computes on CPUs too keeps its roundings.
/// Rows divided by their norms, which are asked for in halves.
graph::Graph with_norms(DType dtype) {
  GraphBuilder b;
  const Value x = b.op("FullyConnected", {{"num_hidden", "5"}, {"no_bias", "True"}},
                       {b.op("Cast", {{"dtype", to_string(dtype)}}, {b.input("data")}),
                        b.parameter("fc", stored_as(dtype, test::random_tensor({5, 12}, 7)))});
  const Value norms =
      b.op("norm", {{"axis", "1"}, {"keepdims", "True"}, {"out_dtype", to_string(dtype)}}, {x});
  b.head(b.op("broadcast_div", {}, {x, norms}));
  return b.graph();
}

TEST(HalvesInFloat32, NormsAreKeptInFloat32) {
  const Tensor data = test::random_tensor({3, 12}, 1);
  const Tensor output = run_optimised(with_norms(DType::float16), data);
  ASSERT_EQ(output.dtype(), DType::float16);
  EXPECT_LE(test::relative_difference(as_floats(output), run_optimised(with_norms(DType::float32), data)),
            1e-3);
}

TEST(HalvesInFloat32, OtherNetworksStayAsTheyAre) {
  GraphBuilder b;
  const Value x = b.op("Cast", {{"dtype", "float16"}}, {b.input("data")});
  b.head(b.op("broadcast_add", {}, {x, b.parameter("p", as<Half>(test::random_tensor({1, 3}, 1)))}));
  graph::Graph graph = b.graph();
  EXPECT_FALSE(passes::has_halves_for_gpus(graph));
  passes::halves_in_float32(graph);
  EXPECT_EQ(test::op_names(graph), (std::vector<std::string>{"Cast", "broadcast_add"}));
}

TEST(HalvesInFloat32, SeveralOutputsOfAnOperator) {
  GraphBuilder b;
  graph::Value rnn =
      b.op("RNN", {{"mode", "gru"}, {"state_size", "3"}, {"num_layers", "1"}, {"state_outputs", "True"}},
           {b.input("data"), b.parameter("p", as<Half>(test::random_tensor({72}, 2))),
            b.parameter("state", as<Half>(test::random_tensor({1, 2, 3}, 3)))});
  b.head(rnn);
  b.head({rnn.node, 1});
  const Tensor data = as<Half>(test::random_tensor({4, 2, 3}, 1));
  graph::Graph graph = b.graph();
  pipeline::optimise(graph, {kernels::best_target()});
  const auto outputs = test::run_graph(graph, {&data});
  ASSERT_EQ(outputs.size(), 2u);
  EXPECT_EQ(outputs[0].dtype(), DType::float16);
  EXPECT_EQ(outputs[1].dtype(), DType::float16);
}

}  // namespace
}  // namespace mxinfer
