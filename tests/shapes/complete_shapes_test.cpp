#include "shapes/complete_shapes.h"

#include <gtest/gtest.h>

#include "passes/passes.h"
#include "pipeline/pipeline.h"
#include "shapes/infer.h"
#include "support/expect_error.h"
#include "support/networks/build_graph.h"
#include "support/run_op.h"

namespace mxinfer::shapes {
namespace {

using test::GraphBuilder;

// One step of a plain cell whose initial state has an open batch: tanh(x W + h0 R).
graph::Value add_cell(GraphBuilder& b, graph::Value x, graph::Value state) {
  const auto w = b.parameter("w", test::random_tensor({4, 3}, 1));
  const auto r = b.parameter("r", test::random_tensor({4, 4}, 2));
  const auto from_input = b.op("FullyConnected", {{"num_hidden", "4"}, {"no_bias", "True"}}, {x, w});
  const auto from_state = b.op("FullyConnected", {{"num_hidden", "4"}, {"no_bias", "True"}}, {state, r});
  return b.op("Activation", {{"act_type", "tanh"}}, {b.op("elemwise_add", {}, {from_input, from_state})});
}

// One value as data and as weights of an RNN: each says another shape. What is known first stays.
TEST(CompleteShapes, AContradictionEnds) {
  GraphBuilder b;
  const auto open = b.op("_zeros_without_dtype", {}, {});
  b.head(b.op("RNN", {{"mode", "rnn_tanh"}, {"num_layers", "4"}, {"state_size", "1"}},
              {open, open, b.input("state")}));
  EXPECT_THROW(infer_types(b.graph(), {{DType::float32, {1, 3, 8, 8}}}), Error);
}

TEST(CompleteShapes, TakeTheBatchThroughTheProductThatReadsTheState) {
  GraphBuilder b;
  const auto x = b.input("data");
  b.head(add_cell(b, x, b.op("_zeros", {{"shape", "(0, 4)"}}, {})));
  for (const std::int64_t batch : {1, 5}) {
    const auto types = infer_types(b.graph(), {{DType::float32, {batch, 3}}});
    const graph::Value head = b.graph().heads[0];
    EXPECT_EQ(types[static_cast<std::size_t>(head.node)][0].shape, (Shape{batch, 4}));
  }
  const Tensor data = test::random_tensor({5, 3}, 3);
  GraphBuilder stated;
  const auto y = stated.input("data");
  stated.head(add_cell(stated, y, stated.op("_zeros", {{"shape", "(5, 4)"}}, {})));
  const auto open = test::run_graph(b.graph(), {&data}), fixed = test::run_graph(stated.graph(), {&data});
  EXPECT_EQ(test::relative_difference(open[0].view(), fixed[0].view()), 0.0);
}

TEST(CompleteShapes, TakeTheBatchThroughProductsOfBfloat16) {
  GraphBuilder b;
  const auto x = b.input("data");
  const auto once = add_cell(b, x, b.op("_zeros", {{"shape", "(0, 4)"}}, {}));
  b.head(add_cell(b, x, once));
  pipeline::optimise(b.graph(), {.folds_constants = false});
  passes::lower_precision(b.graph(), {.precision = kernels::Precision::bfloat16});
  const Tensor data = test::random_tensor({5, 3}, 3);
  EXPECT_EQ(test::run_graph(b.graph(), {&data})[0].shape(), (Shape{5, 4}));
}

TEST(CompleteShapes, TakeTheRowsThroughAProductOfMatrices) {
  GraphBuilder b;
  const auto x = b.input("data"), ones = b.op("_ones", {{"shape", "(0, 0, 2)"}}, {});
  const auto w = b.parameter("w", test::random_tensor({4, 2}, 1));
  const std::map<std::string, std::string> attrs{
      {"num_hidden", "4"}, {"no_bias", "True"}, {"flatten", "False"}};
  b.head(b.op("elemwise_add", {}, {x, b.op("FullyConnected", attrs, {ones, w})}));
  const Tensor data = test::random_tensor({5, 3, 4}, 3);
  EXPECT_EQ(test::run_graph(b.graph(), {&data})[0].shape(), (Shape{5, 3, 4}));
}

TEST(CompleteShapes, GoThroughGatesAndWhatIsMadeLikeThem) {
  // z * h + (1 - z) * n, as a cell of gates has it, with z cut out of a wider product.
  GraphBuilder b;
  const auto x = b.input("data");
  const auto state = b.op("_zeros", {{"shape", "(0, 2)"}}, {});
  const auto w = b.parameter("w", test::random_tensor({4, 3}, 1));
  const auto gates = b.op("FullyConnected", {{"num_hidden", "4"}, {"no_bias", "True"}}, {x, w});
  const auto cut = b.op("SliceChannel", {{"num_outputs", "2"}}, {gates});
  const auto z = b.op("sigmoid", {}, {cut});
  const auto rest = b.op("elemwise_sub", {}, {b.op("ones_like", {}, {state}), z});
  const auto n = graph::Value{cut.node, 1};
  b.head(
      b.op("elemwise_add", {}, {b.op("elemwise_mul", {}, {rest, n}), b.op("elemwise_mul", {}, {z, state})}));
  const Tensor data = test::random_tensor({7, 3}, 3);
  EXPECT_EQ(test::run_graph(b.graph(), {&data})[0].shape(), (Shape{7, 2}));
}

TEST(CompleteShapes, OfAnRnnsStatesComeFromItsData) {
  GraphBuilder b;
  const auto x = b.input("data");
  const auto parameters = b.parameter("p", test::random_tensor({4 * 2 * (3 + 2 + 2)}, 1));
  const auto h = b.op("_zeros", {{"shape", "(1, 0, 2)"}}, {}),
             c = b.op("_zeros", {{"shape", "(1, 0, 2)"}}, {});
  // Batch first, as Gluon's layers write it.
  const auto steps_first = b.op("SwapAxis", {{"dim1", "0"}, {"dim2", "1"}}, {x});
  b.head(b.op("RNN", {{"mode", "lstm"}, {"state_size", "2"}, {"num_layers", "1"}},
              {steps_first, parameters, h, c}));
  const Tensor data = test::random_tensor({6, 4, 3}, 3);
  EXPECT_EQ(test::run_graph(b.graph(), {&data})[0].shape(), (Shape{4, 6, 2}));
}

// As ConvRNNCell has it: the state is convolved, and added to what the data gives.
TEST(CompleteShapes, TakeTheBatchThroughAConvolution) {
  const auto network = [](const std::string& shape) {
    GraphBuilder b;
    const auto x = b.input("data"), state = b.op("_zeros", {{"shape", shape}}, {});
    const std::map<std::string, std::string> attrs{
        {"kernel", "(3, 3)"}, {"pad", "(1, 1)"}, {"num_filter", "2"}, {"no_bias", "True"}};
    const auto from_input =
        b.op("Convolution", attrs, {x, b.parameter("w", test::random_tensor({2, 3, 3, 3}, 1))});
    const auto from_state =
        b.op("Convolution", attrs, {state, b.parameter("r", test::random_tensor({2, 2, 3, 3}, 2))});
    b.head(b.op("elemwise_add", {}, {from_input, b.op("LeakyReLU", {}, {from_state})}));
    return b.graph();
  };
  const Tensor data = test::random_tensor({4, 3, 6, 5}, 3);
  for (const bool optimized : {false, true}) {
    graph::Graph open = network("(0, 2, 6, 5)"), fixed = network("(4, 2, 6, 5)");
    if (optimized) {
      pipeline::optimise(open, {.folds_constants = false});
      pipeline::optimise(fixed, {.folds_constants = false});
    }
    const auto a = test::run_graph(open, {&data}), b = test::run_graph(fixed, {&data});
    EXPECT_EQ(test::relative_difference(a[0].view(), b[0].view()), 0.0) << optimized;
  }
}

// As ZoneoutCell has it: where a mask is 0, the state stays.
TEST(CompleteShapes, TakeAShapeThroughAChoice) {
  GraphBuilder b;
  const auto x = b.input("data"), state = b.op("_zeros", {{"shape", "(0, 0)"}}, {});
  const auto kept = b.op("where", {}, {b.op("ones_like", {}, {x}), x, state});
  b.head(b.op("where", {},
              {b.op("_zeros", {{"shape", "(0,)"}}, {}), kept, b.op("_ones", {{"shape", "(0, 3)"}}, {})}));
  const Tensor data = test::random_tensor({2, 3}, 3);
  const auto out = test::run_graph(b.graph(), {&data});
  EXPECT_EQ(test::relative_difference(out[0], test::tensor_of<float>({2, 3}, {1, 1, 1, 1, 1, 1})), 0);
}

TEST(CompleteShapes, TakeAShapeThroughATranspose) {
  for (const char* axes : {"()", "(2, 0, 1)"}) {
    GraphBuilder b;
    const auto x = b.input("data"), ones = b.op("_ones", {{"shape", "(-1, 0, -1)"}}, {});
    b.head(b.op("elemwise_add", {}, {x, b.op("transpose", {{"axes", axes}}, {ones})}));
    const Tensor data = test::random_tensor({2, 3, 4}, 3);
    EXPECT_EQ(test::run_graph(b.graph(), {&data})[0].shape(), (Shape{2, 3, 4})) << axes;
  }
  GraphBuilder b;
  b.head(b.op("transpose", {{"axes", "(0, 3)"}}, {b.op("_ones", {{"shape", "(0, 2)"}}, {})}, "turn"));
  EXPECT_MXINFER_ERROR(infer_types(b.graph(), {}), ErrorCode::unsupported, {"_ones", "shape=(0, 2)"});
}

TEST(CompleteShapes, ARangeIsAsLongAsItsReadersSay) {
  GraphBuilder b;
  const auto range =
      b.op("_arange", {{"start", "1"}, {"step", "2"}, {"repeat", "2"}, {"infer_range", "True"}}, {});
  b.head(b.op("elemwise_add", {}, {b.input("data"), range}));
  const Tensor data = test::tensor_of<float>({5}, {0, 0, 0, 0, 0});
  const auto out = test::run_graph(b.graph(), {&data});
  EXPECT_EQ(test::relative_difference(out[0], test::tensor_of<float>({5}, {1, 1, 3, 3, 5})), 0);
  GraphBuilder alone;
  alone.head(alone.op("_arange", {{"start", "1"}, {"infer_range", "True"}}, {}));
  EXPECT_MXINFER_ERROR(infer_types(alone.graph(), {}), ErrorCode::unsupported, {"infer_range", "write stop"});
  GraphBuilder ended;
  ended.head(ended.op("_arange", {{"start", "1"}, {"stop", "4"}, {"infer_range", "True"}}, {}));
  EXPECT_EQ(infer_types(ended.graph(), {})[0][0].shape, Shape{3});
}

TEST(CompleteShapes, ABatchOfNoneIsASize) {
  GraphBuilder b;
  b.head(add_cell(b, b.input("data"), b.op("_zeros", {{"shape", "(0, 4)"}}, {})));
  const Tensor none(DType::float32, {0, 3});
  EXPECT_EQ(test::run_graph(b.graph(), {&none})[0].shape(), (Shape{0, 4}));
}

TEST(CompleteShapes, SizesThatFollowFromNothingAreAnError) {
  GraphBuilder b;
  b.head(b.op("relu", {}, {b.op("_zeros", {{"shape", "(0, 4)"}}, {}, "state")}));
  EXPECT_MXINFER_ERROR(infer_types(b.graph(), {}), ErrorCode::unsupported,
                       {"node 'state' (_zeros)", "shape=(0, 4)", "write the sizes"});
}

}  // namespace
}  // namespace mxinfer::shapes
