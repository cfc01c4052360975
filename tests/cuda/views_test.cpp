// Operators that only move elements, and element-wise ones around them, as one launch.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "cuda/support.h"
#include "ops/backend.h"
#include "ops/fused/view_program.h"

namespace mxinfer {
namespace {

using graph::Value;
using test::GraphBuilder;

// The steps of a graph that are launches, all on the GPU, with the results of the CPU.
std::vector<std::string> launches_of_views(GraphBuilder& b, const std::vector<const Tensor*>& inputs) {
  test::expect_graph_as_on_cpu(b.graph(), inputs, 1e-6);
  std::vector<ops::TensorType> types;
  for (const Tensor* input : inputs) types.push_back({input->dtype(), input->shape()});
  plan::WeightStore weights;
  const auto made = plan::make_plan(b.graph(), types, test::cuda_plan_options(), weights);
  EXPECT_EQ(made->info.steps_on_cpu, 0);
  std::vector<std::string> launches;
  for (const StepInfo& step : made->info.steps) {
    const bool is_launch =
        step.kernel != "alias" && step.op != "_mxinfer_copy_to_device" && step.op != "_mxinfer_copy_to_host";
    if (is_launch) launches.push_back(step.kernel.substr(0, step.kernel.find(' ')));
  }
  return launches;
}

using Launches = std::vector<std::string>;
const Launches kOneLaunch{"view_segments"};

Value part(GraphBuilder& b, Value x, int axis, int begin, int end) {
  return b.op(
      "slice_axis",
      {{"axis", std::to_string(axis)}, {"begin", std::to_string(begin)}, {"end", std::to_string(end)}}, {x});
}
Value transposed(GraphBuilder& b, Value x, const char* axes) {
  return b.op("transpose", {{"axes", axes}}, {x});
}
Value concat(GraphBuilder& b, int axis, const std::vector<Value>& parts) {
  return b.op("Concat", {{"dim", std::to_string(axis)}, {"num_args", std::to_string(parts.size())}}, parts);
}

TEST(ViewsOnCuda, SlicesAndTransposes) {
  GraphBuilder b;
  const Value x = transposed(b, b.input("data"), "(0, 2, 1)");
  b.head(b.op("exp", {}, {part(b, part(b, x, 2, 3, 17), 1, 1, 6)}));
  const Tensor data = test::random_tensor({3, 20, 7}, 1);
  EXPECT_EQ(launches_of_views(b, {&data}), kOneLaunch);
}

TEST(ViewsOnCuda, FourNeighboursAtATime) {
  GraphBuilder b;
  const Value x = b.input("data");
  const Value up = b.op("repeat", {{"axis", "1"}, {"repeats", "2"}}, {x});
  b.head(concat(b, -1, {b.op("relu", {}, {up}), b.op("repeat", {{"axis", "1"}, {"repeats", "2"}}, {x}), up}));
  const Tensor data = test::random_tensor({2, 5, 64}, 2);
  EXPECT_EQ(launches_of_views(b, {&data}), kOneLaunch);
}

TEST(ViewsOnCuda, ReshapesThatJoinAndCutAxes) {
  for (const char* shape :
       {"(6, 20)", "(3, 40)", "(10, 12)", "(120,)", "(2, 3, 4, 5)", "(5, 4, 3, 2)", "(8, 15)"}) {
    SCOPED_TRACE(shape);
    GraphBuilder b;
    Value x = b.op("Reshape", {{"shape", shape}}, {transposed(b, b.input("data"), "(1, 0, 2)")});
    x = b.op("_mul_scalar", {{"scalar", "3"}}, {part(b, x, 0, 1, 2)});
    b.head(b.op("_plus_scalar", {{"scalar", "1"}}, {part(b, x, -1, 0, 1)}));
    const Tensor data = test::random_tensor({4, 6, 5}, 3);
    launches_of_views(b, {&data});
  }
}

TEST(ViewsOnCuda, ConcatenationsOfConcatenations) {
  GraphBuilder b;
  const Value x = b.input("data"), y = b.input("other");
  std::vector<Value> rows;
  for (int c = 0; c < 5; ++c) {
    const Value one = part(b, x, -1, c, c + 1);
    rows.push_back(concat(b, -1, {b.op("sigmoid", {}, {one}), one, y}));
  }
  b.head(concat(b, 1, rows));
  const Tensor data = test::random_tensor({2, 33, 5}, 4), other = test::random_tensor({2, 33, 4}, 5);
  EXPECT_EQ(launches_of_views(b, {&data, &other}), kOneLaunch);
}

TEST(ViewsOnCuda, BroadcastsAndTiles) {
  GraphBuilder b;
  const Value x = b.input("data"), row = b.input("row"), column = b.input("column");
  Value y = b.op("broadcast_add", {}, {b.op("broadcast_mul", {}, {x, row}), column});
  y = b.op("tile", {{"reps", "(3, 1, 2)"}}, {b.op("SwapAxis", {{"dim1", "0"}, {"dim2", "2"}}, {y})});
  b.head(b.op("expand_dims", {{"axis", "0"}}, {y}));
  const Tensor data = test::random_tensor({2, 4, 6}, 6), r = test::random_tensor({6}, 7),
               c = test::random_tensor({2, 1, 1}, 8);
  EXPECT_EQ(launches_of_views(b, {&data, &r, &c}), kOneLaunch);
}

TEST(ViewsOnCuda, StacksAndSplits) {
  GraphBuilder b;
  const Value x = b.input("data");
  const Value halves = b.op("SliceChannel", {{"num_outputs", "2"}, {"axis", "1"}}, {x});
  const Value low{halves.node, 0}, high{halves.node, 1};
  b.head(b.op("stack", {{"axis", "2"}, {"num_args", "2"}}, {b.op("elemwise_sub", {}, {low, high}), high}));
  const Tensor data = test::random_tensor({3, 8, 5}, 9);
  EXPECT_EQ(launches_of_views(b, {&data}), kOneLaunch);
}

TEST(ViewsOnCuda, ChoicesByAValue) {
  GraphBuilder b;
  const Value x = part(b, b.input("data"), 1, 1, 8);
  const Value positive = b.op("_greater_scalar", {{"scalar", "0.1"}}, {x});
  const Value other = b.op("_mul_scalar", {{"scalar", "-1"}}, {b.op("ones_like", {}, {x})});
  b.head(transposed(b, b.op("where", {}, {positive, x, other}), "(1, 0)"));
  const Tensor data = test::random_tensor({9, 10}, 10);
  EXPECT_EQ(launches_of_views(b, {&data}), kOneLaunch);
}

TEST(ViewsOnCuda, ShapesAloneAreNotComputed) {
  GraphBuilder b;
  const Value like =
      b.op("dot", {}, {b.input("data"), b.parameter("weight", test::random_tensor({4, 3}, 1))});
  const Value all = b.parameter("all", test::random_tensor({8, 8}, 2));
  const Value some = b.op("slice_like", {}, {all, transposed(b, like, "(1, 0)")});
  b.head(concat(b, 1,
                {b.op("Reshape", {{"shape", "(1, -1)"}}, {some}),
                 b.op("Reshape", {{"shape", "(1, -1)"}}, {part(b, all, 0, 0, 1)})}));
  const Tensor data = test::random_tensor({5, 4}, 11);
  EXPECT_EQ(launches_of_views(b, {&data}), Launches{});  // a constant
}

TEST(ViewsOnCuda, OneKernelStaysWhatItIs) {
  GraphBuilder b;
  b.head(b.op("Reshape", {{"shape", "(4, -1)"}}, {transposed(b, b.input("data"), "(1, 0)")}));
  const Tensor data = test::random_tensor({40, 64}, 12);
  EXPECT_EQ(launches_of_views(b, {&data}), Launches{"copy"});
}

TEST(ViewsOnCuda, SmallOutputsAreOneCopy) {
  GraphBuilder b;
  const Value x = b.op("softmax", {}, {b.input("data")});
  for (int c = 0; c < 3; ++c) b.head(part(b, x, 1, 2 * c, 2 * c + 1 + c % 2));
  const Tensor data = test::random_tensor({7, 6}, 13);
  EXPECT_EQ(launches_of_views(b, {&data}), (Launches{"softmax_f32", "view_segments"}));
}

}  // namespace
}  // namespace mxinfer
