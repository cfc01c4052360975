// How operators between convolutions go on channels-last.
#include <gtest/gtest.h>

#include "passes/passes.h"
#include "support/networks/build_graph.h"
#include "support/run_op.h"
#include "usual_ops.h"

namespace mxinfer {
namespace {

using graph::Value;
using test::GraphBuilder;
using Attrs = std::map<std::string, std::string>;
using Names = std::vector<std::string>;
using test::kConv;

// From 3 channels to 12, of the image's size.
Value image_convolution(GraphBuilder& b, Value x) {
  return b.op("Convolution", {{"kernel", "(3, 3)"}, {"pad", "(1, 1)"}, {"num_filter", "12"}},
              {x, b.parameter("w", test::random_tensor({12, 3, 3, 3}, 20)),
               b.parameter("b", test::random_tensor({12}, 21))});
}

// Rewrites a copy and expects the same numbers, and these operators.
void expect_rewritten(GraphBuilder& b, const Names& ops) {
  const Tensor data = test::random_tensor({2, 3, 9, 8}, 3);
  graph::Graph rewritten = b.graph();
  passes::channels_last(rewritten);
  graph::verify(rewritten);
  EXPECT_EQ(test::op_names(rewritten), ops);
  const auto before = test::run_graph(b.graph(), {&data}), after = test::run_graph(rewritten, {&data});
  ASSERT_EQ(before.size(), after.size());
  for (std::size_t i = 0; i < before.size(); ++i) {
    ASSERT_EQ(after[i].shape(), before[i].shape());
    EXPECT_LE(test::relative_difference(after[i], before[i]), 4e-6) << "output " << i;
  }
}

// One operator behind a convolution: it goes on channels-last as `rewritten`.
void expect_goes_on(const std::string& op, const std::map<std::string, std::string>& attrs,
                    const std::string& rewritten) {
  GraphBuilder b;
  b.head(b.op(op, attrs, {image_convolution(b, b.input("data"))}));
  expect_rewritten(b, {kConv, rewritten, "transpose"});
}

// ... or it reads the model's order.
void expect_stays(const std::string& op, const std::map<std::string, std::string>& attrs) {
  GraphBuilder b;
  b.head(b.op(op, attrs, {image_convolution(b, b.input("data"))}));
  expect_rewritten(b, {kConv, "transpose", op});
}

TEST(LayoutRules, NearestUpSampling) {
  for (const char* scale : {"1", "2", "3"}) {
    expect_goes_on("UpSampling", {{"scale", scale}, {"sample_type", "nearest"}, {"num_args", "1"}},
                   "_mxinfer_upsampling_nhwc");
  }
}

TEST(LayoutRules, UpSamplingOfSeveralStays) {
  GraphBuilder b;
  const Value x = image_convolution(b, b.input("data"));
  b.head(b.op("UpSampling", {{"scale", "2"}, {"sample_type", "nearest"}, {"num_args", "2"}}, {x, x}));
  expect_rewritten(b, {kConv, "transpose", "UpSampling"});
}

TEST(LayoutRules, SlicesOfPlanes) {
  expect_goes_on("slice", {{"begin", "(None, None, 1, 1)"}, {"end", "(None, None, None, -1)"}}, "slice");
  expect_goes_on("slice", {{"begin", "(0, 2)"}, {"end", "(1, 7)"}}, "slice");
  expect_goes_on("slice", {{"begin", "(0, 11, 8)"}, {"end", "(2, 1, 0)"}, {"step", "(1, -3, -2)"}}, "slice");
}

TEST(LayoutRules, SliceLikeOfTwo) {
  for (const char* axes : {"()", "(2, 3)", "(-1, 1)"}) {
    GraphBuilder b;
    const Value x = image_convolution(b, b.input("data"));
    const Value part = b.op("slice", {{"begin", "(0, 0, 0, 0)"}, {"end", "(1, 5, 4, 3)"}}, {x});
    b.head(b.op("slice_like", {{"axes", axes}}, {x, part}));
    expect_rewritten(b, {kConv, "slice", "slice_like", "transpose"});
  }
}

// As YOLO cuts the offsets of its anchors.
TEST(LayoutRules, ParametersAreSlicedLikeValues) {
  GraphBuilder b;
  const Value x = image_convolution(b, b.input("data"));
  b.head(b.op("slice_like", {{"axes", "(2, 3)"}},
              {b.parameter("offset", test::random_tensor({1, 2, 20, 30}, 7)), x}));
  expect_rewritten(b, {kConv, "transpose", "slice_like", "transpose"});
}

TEST(LayoutRules, Repetition) {
  for (const char* axis : {"1", "-1", "-2", "0"})
    expect_goes_on("repeat", {{"repeats", "2"}, {"axis", axis}}, "repeat");
  expect_stays("repeat", {{"repeats", "2"}});
}

TEST(LayoutRules, RepetitionAlongBothSidesIsUpsampling) {
  const auto repeated = [](const char* first, const char* second, const char* times, const Names& ops) {
    GraphBuilder b;
    const Value x =
        b.op("repeat", {{"repeats", "2"}, {"axis", first}}, {image_convolution(b, b.input("data"))});
    b.head(b.op("repeat", {{"repeats", times}, {"axis", second}}, {x}));
    expect_rewritten(b, ops);
  };
  repeated("-1", "-2", "2", {kConv, "_mxinfer_upsampling_nhwc", "transpose"});
  repeated("3", "2", "2", {kConv, "_mxinfer_upsampling_nhwc", "transpose"});
  repeated("-1", "-2", "3", {kConv, "repeat", "repeat", "transpose"});
  repeated("-1", "-1", "2", {kConv, "repeat", "repeat", "transpose"});
}

TEST(LayoutRules, PaddingOfPlanesAndChannels) {
  for (const char* mode : {"constant", "edge", "reflect"}) {
    expect_goes_on(
        "Pad", {{"mode", mode}, {"pad_width", "(0, 0, 0, 0, 1, 2, 3, 0)"}, {"constant_value", "2"}}, "Pad");
  }
  expect_goes_on("Pad", {{"mode", "constant"}, {"pad_width", "(0, 0, 2, 1, 0, 0, 1, 1)"}}, "Pad");
}

TEST(LayoutRules, GatesThatWereVectors) {
  using Steps = std::vector<std::pair<std::string, std::map<std::string, std::string>>>;
  const Steps expanded = {{"expand_dims", {{"axis", "2"}}}, {"expand_dims", {{"axis", "2"}}}};
  const Steps reshaped = {{"Reshape", {{"shape", "(0, -1, 1, 1)"}}}};
  for (const Steps& steps : {expanded, reshaped}) {
    GraphBuilder b;
    const Value x = image_convolution(b, b.input("data"));
    const Value mean = b.op("Pooling", {{"global_pool", "True"}, {"pool_type", "avg"}}, {x});
    Value gate = b.op("FullyConnected", {{"num_hidden", "12"}},
                      {mean, b.parameter("wf", test::random_tensor({12, 12}, 5)),
                       b.parameter("bf", test::random_tensor({12}, 6))});
    gate = b.op("Activation", {{"act_type", "sigmoid"}}, {gate});
    Names names = {kConv, "Pooling", "transpose", "FullyConnected", "Activation"};
    for (const auto& [op, attrs] : steps) {
      gate = b.op(op, attrs, {gate});
      names.push_back(op);
    }
    b.head(b.op("broadcast_mul", {}, {x, gate}));
    names.insert(names.end(), {"transpose", "broadcast_mul", "transpose"});
    expect_rewritten(b, names);
  }
}

// Behind codes that stand for any number of dimensions, a vector could be anything.
TEST(LayoutRules, GatesOfUnknownRankReadTheModelsOrder) {
  GraphBuilder b;
  const Value x = image_convolution(b, b.input("data"));
  const Value mean = b.op("Pooling", {{"global_pool", "True"}, {"pool_type", "avg"}}, {x});
  b.head(b.op("broadcast_mul", {},
              {x, b.op("Reshape", {{"shape", "(-2, 1, 1)"}}, {b.op("Flatten", {}, {mean})})}));
  expect_rewritten(b, {kConv, "Pooling", "transpose", "Flatten", "Reshape", "transpose", "broadcast_mul"});
}

Value shuffle(GraphBuilder& b, Value x, const std::string& split, const std::string& join) {
  x = b.op("Reshape", {{"shape", split}}, {x});
  return b.op("Reshape", {{"shape", join}}, {b.op("SwapAxis", {{"dim1", "1"}, {"dim2", "2"}}, {x})});
}

TEST(LayoutRules, ChannelsAreShuffledInPlace) {
  GraphBuilder b;
  b.head(shuffle(b, image_convolution(b, b.input("data")), "(0, -4, 3, -1, -2)", "(0, -3, -2)"));
  expect_rewritten(b, {kConv, "Reshape", "SwapAxis", "Reshape", "transpose"});
}

TEST(LayoutRules, OtherReshapesStay) {
  {
    GraphBuilder b;
    b.head(shuffle(b, image_convolution(b, b.input("data")), "(0, -4, 3, -1, -2)", "(0, -1, 9, 8)"));
    expect_rewritten(b, {kConv, "transpose", "Reshape", "SwapAxis", "Reshape"});
  }
  {
    GraphBuilder b;
    const Value split =
        b.op("Reshape", {{"shape", "(0, -4, 3, -1, -2)"}}, {image_convolution(b, b.input("data"))});
    b.head(b.op("Reshape", {{"shape", "(0, -3, -2)"}},
                {b.op("SwapAxis", {{"dim1", "1"}, {"dim2", "2"}}, {split})}));
    b.head(split);
    expect_rewritten(b, {kConv, "transpose", "Reshape", "SwapAxis", "Reshape"});
  }
  expect_stays("Reshape", {{"shape", "(0, -1)"}});
}

TEST(LayoutRules, OtherBatchNormsAreFoldedToo) {
  for (const auto& [op, attrs] :
       {std::pair<std::string, Attrs>{"BatchNorm_v1", {{"fix_gamma", "True"}}},
        std::pair<std::string, Attrs>{"_contrib_SyncBatchNorm", {{"key", "k"}, {"fix_gamma", "False"}}}}) {
    GraphBuilder b;
    b.head(b.op(
        op, attrs,
        {image_convolution(b, b.input("data")), b.parameter("gamma", test::random_tensor({12}, 4)),
         b.parameter("beta", test::random_tensor({12}, 5)), b.parameter("mean", test::random_tensor({12}, 6)),
         b.parameter("var", test::random_tensor({12}, 7, 0.5f, 2.0f))}));
    graph::Graph folded = b.graph();
    passes::fold_batch_norm(folded);
    EXPECT_EQ(test::op_names(folded), Names{"Convolution"});
    const Tensor data = test::random_tensor({2, 3, 9, 8}, 3);
    const auto before = test::run_graph(b.graph(), {&data}), after = test::run_graph(folded, {&data});
    EXPECT_LE(test::relative_difference(after[0], before[0]), 4e-6) << op;
  }
}

}  // namespace
}  // namespace mxinfer
