// What the operators on shapes refuse, and how they say it: what was given and what was expected.
#include <gtest/gtest.h>
#include <mxinfer/error.h>

#include "support/run_op.h"

namespace mxinfer {
namespace {

using Attributes = std::map<std::string, std::string>;

struct ShapeRefusal {
  const char* name;
  const char* op;
  Attributes attrs;
  std::vector<Shape> shapes;
  ErrorCode code;
  const char* message;  // a part of it
};

void PrintTo(const ShapeRefusal& refusal, std::ostream* out) {
  *out << refusal.name;
}

class ShapeErrors : public testing::TestWithParam<ShapeRefusal> {};

TEST_P(ShapeErrors, SayWhatWasGiven) {
  const ShapeRefusal& refusal = GetParam();
  std::vector<Tensor> inputs;
  std::vector<const Tensor*> pointers;
  for (const Shape& shape : refusal.shapes) inputs.push_back(Tensor(DType::float32, shape));
  for (const Tensor& input : inputs) pointers.push_back(&input);
  try {
    test::run_op(refusal.op, refusal.attrs, pointers);
    FAIL() << "nothing was thrown";
  } catch (const Error& e) {
    EXPECT_STREQ(to_string(e.code()), to_string(refusal.code)) << e.what();
    EXPECT_NE(std::string(e.what()).find(refusal.message), std::string::npos) << e.what();
  }
}

constexpr ErrorCode kArgument = ErrorCode::invalid_argument;
constexpr ErrorCode kMalformed = ErrorCode::malformed;

const std::vector<ShapeRefusal> kShapeRefusals = {
    {"reshape_count",
     "Reshape",
     {{"shape", "(2, 4)"}},
     {{2, 3}},
     kArgument,
     "the input has 6 elements, 8 are asked for"},
    {"reshape_two_free", "Reshape", {{"shape", "(-1, -1)"}}, {{2, 3}}, kArgument, "more than one -1"},
    {"reshape_divide",
     "Reshape",
     {{"shape", "(-1, 4)"}},
     {{2, 3}},
     kArgument,
     "6 elements do not divide by 4"},
    {"reshape_zero_divides", "Reshape", {{"shape", "(-1, 0)"}}, {{2, 0}}, kArgument, "do not divide by 0"},
    {"reshape_beyond",
     "Reshape",
     {{"shape", "(0, 0, 0)"}},
     {{2, 3}},
     kArgument,
     "more dimensions than the input has"},
    {"reshape_merge_beyond", "Reshape", {{"shape", "(0, -3)"}}, {{2, 3}}, kArgument, "more dimensions than"},
    {"reshape_split_short", "Reshape", {{"shape", "(0, -4, 1)"}}, {{2, 3}}, kArgument, "-4 needs two sizes"},
    {"reshape_split_wrong",
     "Reshape",
     {{"shape", "(-4, 2, 2, 0)"}},
     {{2, 3}},
     kArgument,
     "do not multiply to 2"},
    {"reshape_split_free",
     "Reshape",
     {{"shape", "(-4, -1, -1, 0)"}},
     {{2, 3}},
     kArgument,
     "both sizes after -4"},
    {"reshape_code", "Reshape", {{"shape", "(-5,)"}}, {{2, 3}}, kArgument, "-5 is not a code"},
    {"reshape_overflow",
     "Reshape",
     {{"shape", "(4611686018427387904, 4)"}},
     {{2}},
     kArgument,
     "too many elements"},
    {"reshape_nothing", "Reshape", {}, {{2, 3}}, kMalformed, "attribute shape is empty"},
    {"squeeze_size", "squeeze", {{"axis", "0"}}, {{2, 1}}, kArgument, "has 2 elements"},
    {"squeeze_twice", "squeeze", {{"axis", "(0, -2)"}}, {{1, 1}}, kArgument, "named twice"},
    {"expand_far", "expand_dims", {{"axis", "3"}}, {{2, 1}}, kArgument, "axis=3 is not an axis"},
    {"reshape_like_count", "reshape_like", {}, {{2, 3}, {4}}, kArgument, "cannot take the shape (4,)"},
    {"reshape_like_range", "reshape_like", {{"lhs_begin", "3"}}, {{2, 3}, {6}}, kArgument, "lhs_begin"},
    {"transpose_rank", "transpose", {{"axes", "(0, 1)"}}, {{2, 3, 4}}, kArgument, "axes has 2 entries"},
    {"transpose_twice", "transpose", {{"axes", "(0, 0)"}}, {{2, 3}}, kArgument, "twice"},
    {"swap_far", "SwapAxis", {{"dim2", "2"}}, {{2, 3}}, kArgument, "dim2=2"},
    {"concat_shape", "Concat", {{"num_args", "2"}}, {{2, 3}, {3, 3}}, kArgument, "input 1 is float32 (3, 3)"},
    {"concat_rank", "Concat", {{"num_args", "2"}}, {{2, 3}, {2}}, kArgument, "input 1 is float32 (2,)"},
    {"concat_dim", "Concat", {{"num_args", "1"}, {"dim", "2"}}, {{2, 3}}, kArgument, "dim=2"},
    {"concat_none", "Concat", {{"num_args", "0"}}, {}, kMalformed, "num_args"},
    {"stack_shape", "stack", {{"num_args", "2"}}, {{2}, {3}}, kArgument, "cannot be concatenated"},
    {"slice_many",
     "slice",
     {{"begin", "(0, 0)"}, {"end", "(1, 1)"}},
     {{2}},
     kArgument,
     "begin has 2 entries"},
    {"slice_lengths",
     "slice",
     {{"begin", "(0, 0)"}, {"end", "(1,)"}},
     {{2, 2}},
     kMalformed,
     "must have the same number"},
    {"slice_step", "slice", {{"begin", "0"}, {"end", "1"}, {"step", "0"}}, {{2}}, kMalformed, "other than 0"},
    {"slice_axis",
     "slice_axis",
     {{"axis", "0"}, {"begin", "1"}, {"end", "9"}},
     {{3}},
     kArgument,
     "begin=1 and end=9"},
    {"slice_axis_end", "slice_axis", {{"axis", "0"}, {"begin", "1"}}, {{3}}, kMalformed, "end is required"},
    {"slice_like", "slice_like", {}, {{2, 3}, {3, 3}}, kArgument, "the second input has 3 elements"},
    {"crop_big", "Crop", {{"num_args", "1"}, {"h_w", "(3, 3)"}}, {{1, 1, 2, 4}}, kArgument, "into 2 rows"},
    {"split_uneven",
     "SliceChannel",
     {{"num_outputs", "2"}},
     {{2, 3}},
     kArgument,
     "cannot be cut into 2 equal pieces: its 3 elements are no multiple of 2"},
    {"split_squeeze",
     "SliceChannel",
     {{"num_outputs", "2"}, {"squeeze_axis", "1"}},
     {{2, 4}},
     kArgument,
     "axis 1 must have 2 elements, it has 4"},
    {"split_squeeze_uneven",
     "SliceChannel",
     {{"num_outputs", "5"}, {"squeeze_axis", "1"}},
     {{2, 7, 3}},
     kArgument,
     "unrolled for 5 steps"},
    {"split_v2_squeeze",
     "_split_v2",
     {{"indices", "(0, 1, 2)"}, {"axis", "1"}, {"squeeze_axis", "1"}},
     {{2, 4}},
     kArgument,
     "axis 1 must have 3 elements, it has 4"},
    {"split_v2_squeeze_stated",
     "_split_v2",
     {{"indices", "(0, 2)"}, {"axis", "1"}, {"squeeze_axis", "1"}},
     {{2, 3}},
     kMalformed,
     "piece 0 has 2"},
    {"split_v2_order", "_split_v2", {{"indices", "(0, 2, 1)"}}, {{2, 3}}, kArgument, "[2, 1)"},
    {"split_v2_first", "_split_v2", {{"indices", "(1, 2)"}}, {{2, 3}}, kMalformed, "must begin with 0"},
    {"broadcast", "broadcast_to", {{"shape", "(2, 4)"}}, {{1, 3}}, kArgument, "cannot be broadcast to 4"},
    {"broadcast_rank", "broadcast_to", {{"shape", "(2, 3)"}}, {{3}}, kArgument, "shape has 2 entries"},
    {"broadcast_axis", "broadcast_axis", {{"axis", "1"}, {"size", "4"}}, {{1, 3}}, kArgument, "axes of one"},
    {"tile_zero", "tile", {{"reps", "(0, 2)"}}, {{2, 3}}, kMalformed, "attribute reps holds 0"},
    {"repeat_many", "repeat", {{"repeats", "4611686018427387904"}}, {{4}}, kArgument, "too many"},
    {"pad_width", "Pad", {{"mode", "edge"}, {"pad_width", "(1, 1)"}}, {{2, 3}}, kArgument, "needs 4"},
    {"pad_reflect", "Pad", {{"mode", "reflect"}, {"pad_width", "(2, 0)"}}, {{2}}, kArgument, "adds 2 and 0"},
    {"pad_cut",
     "Pad",
     {{"mode", "constant"}, {"pad_width", "(-2, -1)"}},
     {{2}},
     kArgument,
     "does not fit axis 0"},
    {"depth",
     "depth_to_space",
     {{"block_size", "2"}},
     {{1, 3, 2, 2}},
     kArgument,
     "block_size=2 does not divide"},
    {"depth_huge",
     "depth_to_space",
     {{"block_size", "4611686018427387904"}},
     {{1, 4, 2, 2}},
     kArgument,
     "does not divide"},
    {"space_rank", "space_to_depth", {{"block_size", "2"}}, {{4, 2, 2}}, kArgument, "expected (n, c, h, w)"},
    {"upsample",
     "UpSampling",
     {{"scale", "2"}, {"sample_type", "nearest"}, {"num_args", "2"}},
     {{1, 1, 2, 2}, {1, 1, 3, 3}},
     kArgument,
     "does not enlarge by a whole factor"},
    {"zeros_open", "_zeros", {{"shape", "(2, 0)"}}, {}, ErrorCode::unsupported, "write the sizes into"},
    {"arange_empty", "_arange", {{"start", "5"}, {"stop", "1"}}, {}, kMalformed, "is an empty range"},
    {"arange_infer",
     "_arange",
     {{"start", "0"}, {"infer_range", "True"}},
     {},
     ErrorCode::unsupported,
     "infer_range"},
    {"pool_kernel", "Pooling", {{"kernel", "(9, 9)"}}, {{1, 1, 7, 7}}, kArgument, "kernel size 9 exceeds"},
    {"pool_missing",
     "Pooling",
     {},
     {{1, 1, 7, 7}},
     kMalformed,
     "attribute kernel is missing; expected 2 sizes"},
    {"pool_sizes", "Pooling", {{"kernel", "(2,)"}}, {{1, 1, 7, 7}}, kMalformed, "kernel has 1 sizes"},
    {"pool_stride", "Pooling", {{"kernel", "2"}, {"stride", "0"}}, {{1, 1, 7}}, kMalformed, "stride holds 0"},
    {"pool_rank", "Pooling", {{"kernel", "2"}}, {{1, 7}}, kArgument, "(batch, channel, x)"},
    {"pool_layout",
     "Pooling",
     {{"kernel", "(2, 2)"}, {"layout", "NWC"}},
     {{1, 7, 7, 1}},
     kArgument,
     "layout=NWC"},
    {"pool_lp",
     "Pooling",
     {{"kernel", "(2, 2)"}, {"pool_type", "lp"}},
     {{1, 1, 7, 7}},
     kMalformed,
     "p_value"},
    {"pool_empty", "Pooling", {{"kernel", "(2, 2)"}}, {{1, 1, 0, 7}}, kArgument, "nothing to pool"},
    {"group_norm",
     "GroupNorm",
     {{"num_groups", "2"}},
     {{1, 3, 4}, {2}, {2}},
     kArgument,
     "does not divide the 3 channels"},
    {"group_norm_gamma",
     "GroupNorm",
     {{"num_groups", "2"}},
     {{1, 4, 4}, {4}, {2}},
     kArgument,
     "gamma is float32 (4,)"},
    {"lrn_even", "LRN", {{"nsize", "2"}}, {{1, 3, 4, 4}}, kMalformed, "expected an odd number"},
};

INSTANTIATE_TEST_SUITE_P(All, ShapeErrors, testing::ValuesIn(kShapeRefusals),
                         [](const auto& test_case) { return std::string(test_case.param.name); });

// Shapes without elements, and without dimensions.

TEST(EmptyTensors, ComeOutEmpty) {
  const Tensor empty(DType::float32, {0, 3, 4, 4});
  EXPECT_EQ(test::run_op("transpose", {}, {&empty})[0].shape(), (Shape{4, 4, 3, 0}));
  EXPECT_EQ(test::run_op("Flatten", {}, {&empty})[0].shape(), (Shape{0, 48}));
  EXPECT_EQ(test::run_op("Pooling", {{"kernel", "(2, 2)"}}, {&empty})[0].shape(), (Shape{0, 3, 3, 3}));
  EXPECT_EQ(test::run_op("reverse", {{"axis", "0"}}, {&empty})[0].shape(), (Shape{0, 3, 4, 4}));
  EXPECT_EQ(test::run_op("tile", {{"reps", "(2, 1)"}}, {&empty})[0].shape(), (Shape{0, 3, 8, 4}));
  EXPECT_EQ(test::run_op("repeat", {{"repeats", "2"}}, {&empty})[0].shape(), (Shape{0}));
  EXPECT_EQ(test::run_op("LRN", {{"nsize", "3"}}, {&empty})[0].shape(), (Shape{0, 3, 4, 4}));
  const Attributes nearest{{"scale", "2"}, {"sample_type", "nearest"}, {"num_args", "1"}};
  EXPECT_EQ(test::run_op("UpSampling", nearest, {&empty})[0].shape(), (Shape{0, 3, 8, 8}));
  const Attributes cut{{"begin", "1"}, {"end", "1"}};
  EXPECT_EQ(test::run_op("slice", cut, {&empty})[0].shape(), (Shape{0, 3, 4, 4}));
}

TEST(EmptyTensors, JoinOthers) {
  const Tensor empty(DType::float32, {2, 0});
  const Tensor full = test::random_tensor({2, 3}, 1);
  const auto joined = test::run_op("Concat", {{"num_args", "2"}}, {&empty, &full});
  EXPECT_EQ(test::relative_difference(joined[0], full), 0);
  const Attributes pad{{"mode", "constant"}, {"pad_width", "(0, 0, 1, 2)"}, {"constant_value", "3"}};
  const auto padded = test::run_op("Pad", pad, {&empty});
  EXPECT_EQ(test::relative_difference(padded[0], test::tensor_of<float>({2, 3}, {3, 3, 3, 3, 3, 3})), 0);
}

TEST(Scalars, KeepTheirElement) {
  const Tensor scalar = test::tensor_of<float>({}, {5});
  EXPECT_EQ(test::run_op("transpose", {}, {&scalar})[0].data<float>()[0], 5);
  EXPECT_EQ(test::run_op("Reshape", {{"shape", "(1, 1)"}}, {&scalar})[0].shape(), (Shape{1, 1}));
  EXPECT_EQ(test::run_op("expand_dims", {{"axis", "0"}}, {&scalar})[0].shape(), (Shape{1}));
  const auto stacked = test::run_op("stack", {{"num_args", "2"}}, {&scalar, &scalar});
  EXPECT_EQ(stacked[0].shape(), (Shape{2}));
  EXPECT_EQ(stacked[0].data<float>()[1], 5);
  EXPECT_EQ(test::run_op("tile", {{"reps", "3"}}, {&scalar})[0].shape(), (Shape{3}));
}

TEST(Aliases, TakeNoStep) {
  const Tensor data = test::random_tensor({1, 3, 1, 5}, 1);
  const auto kernel_of = [&](const char* op, const Attributes& attrs) {
    std::string kernel;
    test::RunOpOptions options;
    options.kernel = &kernel;
    test::run_op(op, attrs, {&data}, options);
    return kernel;
  };
  EXPECT_EQ(kernel_of("Flatten", {}), "alias");
  EXPECT_EQ(kernel_of("Reshape", {{"shape", "(-1,)"}}), "alias");
  EXPECT_EQ(kernel_of("transpose", {{"axes", "(2, 1, 0, 3)"}}), "alias");
  EXPECT_EQ(kernel_of("slice_axis", {{"axis", "3"}, {"begin", "0"}, {"end", "None"}}), "alias");
  EXPECT_EQ(kernel_of("SliceChannel", {{"num_outputs", "1"}}), "alias");
  EXPECT_EQ(kernel_of("Concat", {{"num_args", "1"}}), "alias");
  EXPECT_EQ(kernel_of("tile", {{"reps", "(1, 1)"}}), "alias");
  EXPECT_NE(kernel_of("transpose", {}), "alias");
}

// These have kernels of three dtypes; the values of others would be read as if they were float32.
TEST(DTypeErrors, BFloat16WithoutAKernel) {
  const Tensor data(DType::bfloat16, {1, 2, 4, 4});
  for (const char* op : {"L2Normalization", "_contrib_BilinearResize2D", "im2col", "softmax_cross_entropy"}) {
    std::map<std::string, std::string> attrs;
    if (std::string(op) == "im2col") attrs["kernel"] = "(2, 2)";
    const std::vector<const Tensor*> inputs(std::string(op) == "softmax_cross_entropy" ? 2 : 1, &data);
    try {
      test::run_op(op, attrs, inputs);
      ADD_FAILURE() << op << " took bfloat16";
    } catch (const Error& e) {
      EXPECT_NE(e.code(), ErrorCode::internal) << e.what();
    }
  }
}

}  // namespace
}  // namespace mxinfer
