// What becomes of a graph once the types of its inputs are known.
#include "passes/bind/bind.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "passes/passes.h"
#include "pipeline/pipeline.h"
#include "support/networks/build_graph.h"
#include "support/run_op.h"

namespace mxinfer::passes {
namespace {

using test::GraphBuilder;
using Names = std::vector<std::string>;

Names bound_ops(const graph::Graph& graph, DType dtype) {
  const Bound bound = bind(graph, {{dtype, {1, 2, 6, 6}}}, {});
  if (!bound.rewritten) return test::op_names(graph);
  graph::verify(*bound.rewritten);
  EXPECT_EQ(bound.types.size(), bound.rewritten->nodes.size());
  return test::op_names(*bound.rewritten);
}

TEST(Bind, Float16IsComputedInFloat32BetweenCasts) {
  GraphBuilder b;
  auto x = b.op("Pooling", {{"kernel", "(2, 2)"}}, {b.input("data")});
  x = b.op("Pooling", {{"kernel", "(3, 3)"}}, {x});
  b.head(x);
  EXPECT_EQ(bound_ops(b.graph(), DType::float32), (Names{"Pooling", "Pooling"}));
  // What is between them is rounded, as in the model.
  EXPECT_EQ(bound_ops(b.graph(), DType::float16),
            (Names{"Cast", "Pooling", "Cast", "Cast", "Pooling", "Cast"}));
  const auto types = shapes::head_types(b.graph(), {{DType::float16, {1, 2, 6, 6}}});
  EXPECT_EQ(types[0].dtype, DType::float16);
}

TEST(Bind, AValueIsWidenedOnceForAllItsReaders) {
  GraphBuilder b;
  const auto x = b.input("data");
  b.head(b.op("Pooling", {{"kernel", "(2, 2)"}}, {x}));
  b.head(b.op("Pooling", {{"kernel", "(3, 3)"}}, {x}));
  EXPECT_EQ(bound_ops(b.graph(), DType::float16), (Names{"Cast", "Pooling", "Pooling", "Cast", "Cast"}));
}

TEST(Bind, ParametersOfFloat16AreWidenedWithTheModel) {
  GraphBuilder b;
  const auto half = [](float value) {
    Tensor tensor(DType::float16, {6});
    for (std::int64_t i = 0; i < 6; ++i) tensor.data<Half>()[i] = Half(value);
    return tensor;
  };
  b.head(
      b.op("LayerNorm", {}, {b.input("data"), b.parameter("gamma", half(2)), b.parameter("beta", half(1))}));
  graph::Graph optimised = b.graph();
  pipeline::optimise(optimised, {.folds_constants = false});
  EXPECT_EQ(bound_ops(optimised, DType::float16), (Names{"Cast", "LayerNorm", "Cast"}));
  for (const graph::Node& node : optimised.nodes) {
    if (!node.constant) continue;
    EXPECT_EQ(node.constant->dtype(), DType::float32);
    EXPECT_EQ(node.constant->value()->data<float>()[0], node.name.rfind("gamma", 0) == 0 ? 2.0f : 1.0f);
  }
}

TEST(Bind, BilinearUpSamplingIsADeconvolution) {
  GraphBuilder b;
  b.head(b.op("UpSampling",
              {{"scale", "2"}, {"sample_type", "bilinear"}, {"num_filter", "2"}, {"num_args", "2"}},
              {b.input("data"), b.parameter("w", test::random_tensor({2, 1, 4, 4}, 1))}));
  const Bound bound = bind(b.graph(), {{DType::float32, {1, 2, 6, 6}}}, {});
  ASSERT_TRUE(bound.rewritten);
  const graph::Node& node = bound.rewritten->nodes.back();
  EXPECT_EQ(node.op->name, "Deconvolution");
  EXPECT_EQ(node.op_name, "UpSampling") << "errors and explain speak of what the file has";
  EXPECT_EQ(bound.types.back()[0].shape, (Shape{1, 2, 12, 12}));
}

}  // namespace
}  // namespace mxinfer::passes
