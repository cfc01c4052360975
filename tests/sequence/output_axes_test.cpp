// Which axes of outputs are samples and times, for networks that are nothing but their shapes.
#include "sequence/output_axes.h"

#include <gtest/gtest.h>

#include <functional>
#include <optional>
#include <vector>

namespace mxinfer::api {
namespace {

using ShapeOf = std::function<Shape(std::int64_t batch, std::int64_t length)>;

/// The layout of a network with one output.
SequenceLayout find(const ShapeOf& shape_of, const std::vector<std::int64_t>& lengths,
                    std::optional<std::int64_t> only_batch = {}, const std::string& layout_of_output = "",
                    bool follows = false) {
  SequenceLayout layout;
  layout.outputs.resize(1);
  layout.batch = only_batch;
  DataDesc desc;
  desc.layout = layout_of_output;
  const auto infer = [&](std::int64_t batch,
                         std::int64_t length) -> std::optional<std::vector<ops::TensorType>> {
    if (only_batch && batch != *only_batch) return std::nullopt;
    return std::vector<ops::TensorType>{{DType::float32, shape_of(batch, length)}};
  };
  find_output_axes(infer, lengths, {desc}, {follows}, layout);
  return layout;
}

TEST(OutputAxes, AreThoseThatChange) {
  const auto batch_first = find([](auto n, auto t) { return Shape{n, t, 16}; }, {16, 17});
  EXPECT_EQ(batch_first.outputs[0].axes, (Axes{0, 1}));  // 16 features, 16 times
  EXPECT_FALSE(batch_first.batch);
  const auto time_first = find([](auto n, auto t) { return Shape{t, n, 2}; }, {2, 3});
  EXPECT_EQ(time_first.outputs[0].axes, (Axes{1, 0}));
  const auto pooled = find([](auto n, auto) { return Shape{n, 16}; }, {16, 17});
  EXPECT_EQ(pooled.outputs[0].axes, (Axes{0, std::nullopt}));
  const auto constant = find([](auto, auto) { return Shape{2, 16}; }, {16, 17});
  EXPECT_EQ(constant.outputs[0].axes, (Axes{}));
}

// Half as long, or one more: padding cannot be cut off by a sequence's length.
TEST(OutputAxes, OfOtherLengthsAreNoTimes) {
  EXPECT_FALSE(find([](auto n, auto t) { return Shape{n, t / 2}; }, {16, 32}).outputs[0].axes.time);
  EXPECT_FALSE(find([](auto n, auto t) { return Shape{n, t + 1}; }, {16, 32}).outputs[0].axes.time);
  EXPECT_FALSE(find([](auto n, auto t) { return Shape{n, t, t}; }, {16, 32}).outputs[0].axes.time);
}

// Rows of all samples, one after another: nobody can tell which are whose but in a batch of one.
TEST(OutputAxes, MixedSamplesRunAlone) {
  const auto layout = find([](auto n, auto t) { return Shape{n * t, 5}; }, {16, 17});
  EXPECT_EQ(layout.batch, 1);
  EXPECT_EQ(layout.outputs[0].axes, (Axes{std::nullopt, 0}));
}

// A loss of all samples is none of theirs.
TEST(OutputAxes, SamplesThatAreSummedRunAlone) {
  const auto total = [](auto, auto) { return Shape{16}; };
  EXPECT_EQ(find(total, {16, 17}, {}, "", true).batch, 1);
  EXPECT_FALSE(find(total, {16, 17}).batch);  // a constant is the same for all
  EXPECT_FALSE(find([](auto n, auto) { return Shape{n, 16}; }, {16, 17}, {}, "", true).batch);
  EXPECT_EQ(find(total, {16, 17}, 4, "", true).batch, 4);
}

TEST(OutputAxes, OfOneLengthAreStatedOrNone) {
  const auto shape_of = [](auto n, auto t) { return Shape{n, t, 16}; };
  EXPECT_FALSE(find(shape_of, {16}).outputs[0].axes.time);
  EXPECT_EQ(find(shape_of, {16}, {}, "NTC").outputs[0].axes.time, 1U);
}

TEST(OutputAxes, OfOneBatchAreTheFirst) {
  const auto layout = find([](auto n, auto t) { return Shape{n, t}; }, {16, 17}, 4);
  EXPECT_EQ(layout.batch, 4);
  EXPECT_EQ(layout.outputs[0].axes, (Axes{0, 1}));
  EXPECT_EQ(find(
                [](auto n, auto t) {
                  return Shape{t, n};
                },
                {16, 17}, 4, "TN")
                .outputs[0]
                .axes,
            (Axes{1, 0}));
}

}  // namespace
}  // namespace mxinfer::api
