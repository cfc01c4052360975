// Attributes and shapes at the ends of what files can say: every operator gives an Error or a result for
// them, and takes no memory or time that its outputs do not.
#include <gtest/gtest.h>
#include <mxinfer/error.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "ops/registry.h"
#include "ops/scratch_layout.h"
#include "support/build_graph.h"
#include "support/expect_error.h"
#include "support/run_op.h"

namespace mxinfer {
namespace {

using Attributes = std::map<std::string, std::string>;

constexpr const char* kLargest = "9223372036854775807";
constexpr const char* kSmallest = "-9223372036854775808";

/// As a plan runs it, which checks the sizes of all values and leaves out what is empty.
std::vector<Tensor> run(const std::string& op, const Attributes& attrs, const std::vector<Tensor>& inputs) {
  test::GraphBuilder b;
  std::vector<graph::Value> values;
  std::vector<const Tensor*> pointers;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    values.push_back(b.input("input" + std::to_string(i)));
    pointers.push_back(&inputs[i]);
  }
  graph::Value value = b.op(op, attrs, values);
  const std::int32_t outputs = b.graph().nodes[static_cast<std::size_t>(value.node)].num_outputs;
  for (value.index = 0; value.index < outputs; ++value.index) b.head(value);
  return test::run_graph(b.graph(), pointers);
}

template <typename... Tensors>
std::vector<Tensor> inputs(Tensors&&... tensors) {
  std::vector<Tensor> list;
  (list.push_back(std::forward<Tensors>(tensors)), ...);
  return list;
}

struct Refused {
  const char* name;
  const char* op;
  Attributes attrs;
  std::vector<Shape> shapes;  ///< of inputs of float32
  const char* message;        ///< a part of it
};

void PrintTo(const Refused& refused, std::ostream* out) {
  *out << refused.name;
}

class Refusals : public testing::TestWithParam<Refused> {};

TEST_P(Refusals, SayWhatIsTooLarge) {
  const Refused& refused = GetParam();
  std::vector<Tensor> tensors;
  for (const Shape& shape : refused.shapes) tensors.emplace_back(DType::float32, shape);
  EXPECT_MXINFER_ERROR(run(refused.op, refused.attrs, tensors), ErrorCode::invalid_argument,
                       {refused.message});
}

constexpr std::int64_t kHuge = std::int64_t{1} << 40;

const std::vector<Refused> kRefused = {
    {"box_nms_start",
     "_contrib_box_nms",
     {{"coord_start", kLargest}, {"in_format", "center"}, {"out_format", "corner"}},
     {{1, 40, 6}},
     "leaves no 4 coordinates"},
    {"box_nms_start_near_the_end",
     "_contrib_box_nms",
     {{"coord_start", "9223372036854775804"}, {"in_format", "center"}},
     {{1, 40, 6}},
     "leaves no 4 coordinates"},
    {"box_nms_score", "_contrib_box_nms", {{"score_index", kLargest}}, {{1, 40, 6}}, "is outside the 6"},
    {"box_nms_id", "_contrib_box_nms", {{"id_index", kLargest}}, {{1, 40, 6}}, "is outside the 6"},
    {"resize_height",
     "_contrib_BilinearResize2D",
     {{"height", "4000000000000000000"}, {"width", "1"}},
     {{1, 1, 1, 1}},
     "is too large"},
    // 2^62 elements of 4 bytes: 2^64.
    {"bytes_of_a_value", "broadcast_to", {{"shape", "(4611686018427387904,)"}}, {{1}}, "is too large"},
    {"one_hot_depth", "one_hot", {{"depth", "4611686018427387904"}}, {{1}}, "is too large"},
    {"empty_with_huge_sides",
     "_linalg_extracttrian",
     {{"offset", "0"}},
     {{0, 1000000000, 1000000000}},
     "is too large"},
    {"reshape_merges", "Reshape", {{"shape", "(0, -3)"}}, {{0, kHuge, kHuge}}, "is too large"},
};

INSTANTIATE_TEST_SUITE_P(Operators, Refusals, testing::ValuesIn(kRefused),
                         [](const auto& of) { return std::string(of.param.name); });

// A value between others, whose memory would be 0 bytes of 2^64.
TEST(ExtremeAttributes, AHugeValueBetweenOthersIsRefused) {
  test::GraphBuilder b;
  const graph::Value wide = b.op("broadcast_to", {{"shape", "(4611686018427387904,)"}}, {b.input("x")});
  b.head(b.op("slice_axis", {{"axis", "0"}, {"begin", "0"}, {"end", "1"}}, {wide}));
  const Tensor x = test::tensor_of<float>({1}, {3});
  EXPECT_MXINFER_ERROR(test::run_graph(b.graph(), {&x}), ErrorCode::invalid_argument,
                       {"broadcast_to", "(4611686018427387904,)", "is too large"});
}

TEST(ExtremeAttributes, AnIntegerMeanOfNothingIsZero) {
  for (const DType dtype : {DType::int8, DType::uint8, DType::int32, DType::int64}) {
    const auto of = [&](const Shape& shape) { return Tensor(dtype, shape); };
    const auto all = run("mean", {}, inputs(of({0, 3})));
    EXPECT_EQ(all[0].shape(), Shape{1}) << to_string(dtype);
    const auto rows = run("mean", {{"axis", "1"}}, inputs(of({2, 0})));
    EXPECT_EQ(rows[0].shape(), Shape{2}) << to_string(dtype);
    for (const Tensor* mean : {&all[0], &rows[0]}) {
      const auto* bytes = static_cast<const std::uint8_t*>(mean->raw());
      EXPECT_TRUE(std::all_of(bytes, bytes + mean->bytes(), [](std::uint8_t b) { return b == 0; }))
          << to_string(dtype);
    }
  }
  EXPECT_TRUE(std::isnan(run("mean", {}, inputs(Tensor(DType::float32, {0, 3})))[0].data<float>()[0]));
}

TEST(ExtremeAttributes, StatisticsOfNothingAreNan) {
  for (const DType dtype : {DType::float32, DType::float64, DType::float16}) {
    const auto outputs = run("LayerNorm", {{"output_mean_var", "True"}},
                             inputs(Tensor(dtype, {2, 0}), Tensor(dtype, {0}), Tensor(dtype, {0})));
    const Tensor nan = dtype == DType::float64   ? test::tensor_of<double>({2, 1}, {NAN, NAN})
                       : dtype == DType::float32 ? test::tensor_of<float>({2, 1}, {NAN, NAN})
                                                 : test::tensor_of<Half>({2, 1}, {Half(NAN), Half(NAN)});
    for (const std::size_t o : {1, 2})
      EXPECT_EQ(test::relative_difference(outputs[o], nan), 0) << to_string(dtype);
  }
}

// The machine traps where the smallest integer is divided by -1; a NaN becomes that integer.
TEST(ExtremeAttributes, PositionsAreDividedBySizesOfMinusOne) {
  const auto smallest = std::numeric_limits<std::int64_t>::min();
  auto result = run("_unravel_index", {{"shape", "(2, -1)"}},
                    inputs(test::tensor_of<std::int64_t>({2}, {smallest, 5})));
  EXPECT_EQ(result[0].data<std::int64_t>()[0], smallest);
  EXPECT_EQ(result[0].data<std::int64_t>()[1], -5);
  EXPECT_EQ(result[0].data<std::int64_t>()[2], 0);
  result = run("_unravel_index", {{"shape", "(2, -1)"}}, inputs(test::tensor_of<float>({1}, {NAN})));
  EXPECT_EQ(result[0].shape(), (Shape{2, 1}));
}

TEST(ExtremeAttributes, TrianglesAreCountedWithoutBeingListed) {
  const Tensor none(DType::float32, {0, 5000000, 5000000});
  EXPECT_EQ(run("_linalg_extracttrian", {{"offset", "0"}}, inputs(none.clone()))[0].shape(),
            (Shape{0, 12500002500000}));
  EXPECT_EQ(run("_linalg_extracttrian", {{"offset", "-4999998"}}, inputs(none.clone()))[0].shape(),
            (Shape{0, 3}));
}

TEST(ExtremeAttributes, EachOfManyOutputsIsNamedByItself) {
  for (const auto& [op, attrs] :
       {std::pair{"SliceChannel", Attributes{{"num_outputs", "65536"}, {"axis", "0"}}},
        std::pair{"_split_v2", Attributes{{"sections", "65536"}, {"indices", "()"}, {"axis", "0"}}}}) {
    test::GraphBuilder b;
    graph::Value value = b.op(op, attrs, {b.input("x")}, "cut");
    std::set<std::string> names;
    for (value.index = 0; value.index < 65536; ++value.index)
      names.insert(ops::output_name(b.graph(), value));
    EXPECT_EQ(names.size(), 65536u) << op;
    EXPECT_EQ(names.count("cut_output0") + names.count("cut_output65535"), 2u) << op;
  }
}

TEST(ExtremeAttributes, RoomToWorkInIsANumber) {
  ops::ScratchLayout layout;
  EXPECT_EQ(layout.take<float>(3), 0u);
  EXPECT_EQ(layout.take<double>(1), 64u);
  for (const std::int64_t elements : {std::int64_t{-1}, std::int64_t{1} << 62, std::int64_t{1} << 60})
    EXPECT_MXINFER_ERROR(layout.take<double>(elements), ErrorCode::out_of_memory, {std::to_string(elements)});
  EXPECT_EQ(layout.bytes(), 128u);
}

}  // namespace
}  // namespace mxinfer
