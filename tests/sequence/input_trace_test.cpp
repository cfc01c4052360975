// What the first operators that read an input say of it.
#include "sequence/input_trace.h"

#include <gtest/gtest.h>

#include "support/networks/build_graph.h"
#include "support/run_op.h"

namespace mxinfer::api {
namespace {

using test::GraphBuilder;

const std::map<std::string, std::string> kLstm = {{"mode", "lstm"},
                                                  {"state_size", "4"},
                                                  {"num_layers", "2"},
                                                  {"bidirectional", "True"},
                                                  {"state_outputs", "False"}};

/// An LSTM of two layers and directions for so many features.
graph::Value lstm(GraphBuilder& b, graph::Value data, std::int64_t features) {
  const std::int64_t parameters = 2 * 16 * (features + 4 + 2) + 2 * 16 * (8 + 4 + 2);
  const auto weights = b.parameter("weights", test::random_tensor({parameters}, 1));
  const auto h = b.parameter("h", test::random_tensor({4, 1, 4}, 2)),
             c = b.parameter("c", test::random_tensor({4, 1, 4}, 3));
  return b.op("RNN", kLstm, {data, weights, h, c});
}

TEST(InputTrace, FindsTheRowsOfAnEmbedding) {
  GraphBuilder b;
  const auto data = b.input("data");
  const auto cast = b.op("Cast", {{"dtype", "int32"}}, {b.op("_copy", {}, {data})});
  const auto weight = b.parameter("embed", test::random_tensor({13, 3}, 1));
  b.head(b.op("Embedding", {{"input_dim", "13"}, {"output_dim", "3"}}, {cast, weight}));
  const InputTrace trace = trace_input(b.graph(), variable_of(b.graph(), 0));
  EXPECT_EQ(trace.rows, 13);
  EXPECT_FALSE(trace.time_axis);
  EXPECT_FALSE(trace.features);
}

// A product in between changes what the ids are.
TEST(InputTrace, PassesNothingThatChangesValues) {
  GraphBuilder b;
  const auto data = b.op("_mul_scalar", {{"scalar", "2"}}, {b.input("data")});
  b.head(b.op("Embedding", {{"input_dim", "13"}, {"output_dim", "3"}},
              {data, b.parameter("embed", test::random_tensor({13, 3}, 1))}));
  EXPECT_FALSE(trace_input(b.graph(), variable_of(b.graph(), 0)).rows);
}

TEST(InputTrace, FindsTimeAndFeaturesOfAnRnn) {
  GraphBuilder first;
  first.head(lstm(first, first.input("data"), 7));
  const InputTrace time_first = trace_input(first.graph(), variable_of(first.graph(), 0));
  EXPECT_EQ(time_first.time_axis, 0U);
  EXPECT_EQ(time_first.features, 7);

  GraphBuilder second;
  second.head(lstm(second, second.op("SwapAxis", {{"dim1", "0"}, {"dim2", "1"}}, {second.input("data")}), 5));
  const InputTrace batch_first = trace_input(second.graph(), variable_of(second.graph(), 0));
  EXPECT_EQ(batch_first.time_axis, 1U);
  EXPECT_EQ(batch_first.features, 5);

  GraphBuilder third;
  third.head(lstm(third, third.op("transpose", {{"axes", "(1, 0, 2)"}}, {third.input("data")}), 5));
  EXPECT_EQ(trace_input(third.graph(), variable_of(third.graph(), 0)).time_axis, 1U);
}

TEST(InputTrace, FindsLengthsByWhatReadsThem) {
  for (const char* op : {"SequenceMask", "SequenceReverse", "SequenceLast"}) {
    GraphBuilder b;
    const auto data = b.input("data"), lengths = b.op("Cast", {{"dtype", "float32"}}, {b.input("n")});
    b.head(b.op(op, {{"use_sequence_length", "True"}}, {data, lengths}));
    EXPECT_FALSE(trace_input(b.graph(), variable_of(b.graph(), 0)).is_length) << op;
    EXPECT_TRUE(trace_input(b.graph(), variable_of(b.graph(), 1)).is_length) << op;
  }
}

}  // namespace
}  // namespace mxinfer::api
