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
#include "support/expect_error.h"
#include "support/networks/build_graph.h"
#include "support/recorded_cases.h"
#include "support/refuse_large_memory.h"
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
    // 2^32 places down and across: 0 modulo 2^64.
    {"im2col_places",
     "im2col",
     {{"kernel", "(1, 1)"}, {"pad", "(2147483647, 2147483647)"}},
     {{1, 1, 2, 2}},
     "the columns would have"},
    {"col2im_places",
     "col2im",
     {{"output_size", "(2, 2)"}, {"kernel", "(1, 1)"}, {"pad", "(2147483647, 2147483647)"}},
     {{1, 1, 0}},
     "the columns would have"},
    {"col2im_sides",
     "col2im",
     {{"output_size", "(-9223372036854775808, 2)"}, {"kernel", "(1, 1)"}},
     {{1, 1, 0}},
     "expected sides of 1"},
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
    {"heads_of_nothing",
     "_contrib_interleaved_matmul_selfatt_qk",
     {{"heads", "4611686018427387905"}},
     {{2, 4, 0}},
     "times heads="},
    {"groups_of_nothing",
     "GroupNorm",
     {{"num_groups", "4611686018427387904"}},
     {{4, 0, 2}, {0}, {0}},
     "num_groups="},
    {"crop_size",
     "Crop",
     {{"num_args", "1"}, {"h_w", "(-9223372036854775808, 2)"}, {"center_crop", "True"}},
     {{1, 1, 4, 4}},
     "does not fit"},
    {"pooling_kernel",
     "Pooling",
     {{"kernel", "(2147483648, 2147483648, 2147483648)"},
      {"pad", "(1073741824, 1073741824, 1073741824)"},
      {"pool_type", "avg"}},
     {{1, 1, 1, 1, 1}},
     "is too large"},
    {"deformable_offsets",
     "_contrib_DeformableConvolution",
     {{"kernel", "(2147483647, 2147483647)"},
      {"pad", "(2147483647, 2147483647)"},
      {"num_filter", "1"},
      {"num_deformable_group", "4"},
      {"no_bias", "True"}},
     {{1, 4, 4, 4}, {1, 8, 4, 4}, {1, 4, 1, 1}},
     "too many offsets"},
    {"reshape_merges", "Reshape", {{"shape", "(0, -3)"}}, {{0, kHuge, kHuge}}, "is too large"},
};

INSTANTIATE_TEST_SUITE_P(Operators, Refusals, testing::ValuesIn(kRefused),
                         [](const auto& of) { return std::string(of.param.name); });

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

TEST(ExtremeAttributes, AKernelOfPaddingTakesNoTime) {
  const Tensor a = test::random_tensor({1, 2, 3, 3}, 1), b = test::random_tensor({1, 2, 3, 3}, 2);
  const auto result =
      run("Correlation", {{"kernel_size", "2000001"}, {"pad_size", "1000000"}, {"max_displacement", "1"}},
          inputs(a.clone(), b.clone()));
  EXPECT_EQ(result[0].shape(), (Shape{1, 9, 1, 1}));
}

TEST(ExtremeAttributes, ATurnedRegionNeedsNoMoreSamplesThanAMapHas) {
  const Attributes attrs = {{"pooled_size", "(2, 2)"}, {"spatial_scale", "1"}};
  const Tensor data = test::random_tensor({1, 1, 8, 8}, 1);
  const auto pool = [&](float width, float height, const char* samples) {
    Attributes all = attrs;
    all["sampling_ratio"] = samples;
    return run("_contrib_RROIAlign", all,
               inputs(data.clone(), test::tensor_of<float>({1, 6}, {0, 4, 4, width, height, 30})));
  };
  EXPECT_MXINFER_ERROR(pool(1e9f, 4, "-1"), ErrorCode::invalid_argument, {"region 0", "width", "samples"});
  EXPECT_MXINFER_ERROR(pool(4, 1e9f, "-1"), ErrorCode::invalid_argument, {"region 0", "height", "samples"});
  EXPECT_EQ(pool(8, 8, "-1")[0].shape(), (Shape{1, 1, 2, 2}));
  EXPECT_EQ(pool(1e9f, 1e9f, "2")[0].shape(), (Shape{1, 1, 2, 2}));
}

TEST(ExtremeAttributes, TrianglesAreCountedWithoutBeingListed) {
  const Tensor none(DType::float32, {0, 5000000, 5000000});
  EXPECT_EQ(run("_linalg_extracttrian", {{"offset", "0"}}, inputs(none.clone()))[0].shape(),
            (Shape{0, 12500002500000}));
  EXPECT_EQ(run("_linalg_extracttrian", {{"offset", "-4999998"}}, inputs(none.clone()))[0].shape(),
            (Shape{0, 3}));
}

TEST(ExtremeAttributes, LengthsOfASequenceMayBeAnything) {
  const Tensor data = test::tensor_of<float>({2, 2}, {1, 2, 3, 4});
  const auto last = run(
      "SequenceLast", {{"use_sequence_length", "True"}},
      inputs(data.clone(), test::tensor_of<std::int64_t>({2}, {std::numeric_limits<std::int64_t>::min(),
                                                               std::numeric_limits<std::int64_t>::max()})));
  EXPECT_EQ(last[0].data<float>()[0], 1);
  EXPECT_EQ(last[0].data<float>()[1], 4);
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

// What passes make is asked like any other operator.
TEST(ExtremeAttributes, ChannelsLastDataHasTwoDimensionsAtLeast) {
  const Attributes conv = {{"kernel", "(3, 3)"}, {"num_filter", "2"}, {"no_bias", "True"}};
  for (const Shape& shape : {Shape{}, Shape{3}}) {
    const std::vector<Tensor> data =
        inputs(Tensor(DType::float32, shape), Tensor(DType::float32, {2, 1, 3, 3}));
    EXPECT_MXINFER_ERROR(run("_mxinfer_convolution_nhwc", conv, data), ErrorCode::invalid_argument,
                         {"at least 2 dimensions"});
    EXPECT_MXINFER_ERROR(run("_mxinfer_prelu_nhwc", {{"act_type", "prelu"}}, data),
                         ErrorCode::invalid_argument, {"at least 2 dimensions"});
  }
}

// Every operator that MXNet was recorded for, with one attribute or size at a time at an end of its range.

/// The recorded case of each operator that has the fewest elements.
struct Case {
  Attributes attrs;
  std::vector<Tensor> inputs;
  std::int64_t elements = 0;
};

const std::map<std::string, Case>& smallest_cases() {
  static const std::map<std::string, Case> all = [] {
    std::map<std::string, Case> cases;
    test::for_each_recorded([&](const test::RecordedCase& recorded) {
      const ops::OpDef* op = ops::find_op(recorded.op);
      if (op == nullptr) return;
      std::int64_t elements = 0;
      for (const Tensor* input : recorded.inputs) elements += input->elements();
      const auto known = cases.find(op->name);
      if (known != cases.end() && known->second.elements <= elements) return;
      Case smallest{recorded.attrs, {}, elements};
      for (const Tensor* input : recorded.inputs) smallest.inputs.push_back(input->clone());
      cases[op->name] = std::move(smallest);
    });
    return cases;
  }();
  return all;
}

/// An Error that tells what was wrong, or a result.
void expect_ends_well(const std::string& op, const Attributes& attrs, const std::vector<Tensor>& inputs) {
  std::string text = op;
  for (const auto& [name, value] : attrs) text += " " + name + "=" + value;
  for (const Tensor& input : inputs) text += " " + to_string(input.shape());
  SCOPED_TRACE(text);
  try {
    run(op, attrs, inputs);
  } catch (const Error& e) {
    EXPECT_STRNE(to_string(e.code()), "internal") << e.what();
  } catch (const std::exception& e) {
    ADD_FAILURE() << e.what();
  }
}

/// Texts for an attribute, each with one number at an end of its range.
std::vector<std::string> extremes(const graph::AttrSpec& spec, const std::string& given) {
  static const std::vector<std::string> kIntegers = {"0", "-1", "4611686018427387904", kLargest, kSmallest};
  static const std::vector<std::string> kNumbers = {"0",    "-1",    "nan",    "inf",
                                                    "-inf", "1e308", "-1e308", "1e-320"};
  const bool numbers = spec.kind == graph::AttrKind::number || spec.kind == graph::AttrKind::number_tuple;
  const auto& values = numbers ? kNumbers : kIntegers;
  if (spec.kind == graph::AttrKind::integer || spec.kind == graph::AttrKind::number) return values;
  std::vector<std::string> texts{"()", "None"};
  const std::size_t count = 1 + static_cast<std::size_t>(std::count(given.begin(), given.end(), ','));
  for (const std::string& value : values) {
    for (std::size_t at = 0; at <= count; ++at) {  // the last one: all of them
      std::string text = "(";
      for (std::size_t i = 0; i < count; ++i) text += (i == at || at == count ? value : "1") + ",";
      texts.push_back(text + ")");
    }
  }
  return texts;
}

bool is_number(const graph::AttrSpec& spec) {
  using graph::AttrKind;
  return spec.kind == AttrKind::integer || spec.kind == AttrKind::number ||
         spec.kind == AttrKind::int_tuple || spec.kind == AttrKind::number_tuple;
}

/// Attributes from which ports are made; files are held to a limit for them.
bool counts_ports(const std::string& name) {
  static const std::set<std::string> kCounts = {"num_args", "num_outputs", "num_arrays", "sections"};
  return kCounts.count(name) > 0;
}

/// Inputs of zeros of the same types, with every dimension of size `empty` as 0 and, where that is none of
/// them, the first of size `wide` as kHuge.
std::vector<Tensor> emptied(const std::vector<Tensor>& tensors, std::int64_t empty, std::int64_t wide) {
  std::vector<Tensor> all;
  for (const Tensor& tensor : tensors) {
    Shape shape = tensor.shape();
    bool is_wide = wide == empty;
    for (std::size_t d = 0; d < shape.rank(); ++d) {
      if (shape[d] == empty) {
        shape[d] = 0;
      } else if (shape[d] == wide && !is_wide) {
        shape[d] = kHuge;
        is_wide = true;
      }
    }
    all.emplace_back(tensor.dtype(), shape);
  }
  return all;
}

bool all_have(const std::vector<Tensor>& tensors, std::int64_t size) {
  return std::all_of(tensors.begin(), tensors.end(), [&](const Tensor& tensor) {
    const Shape& shape = tensor.shape();
    return std::find(shape.begin(), shape.end(), size) != shape.end();
  });
}

TEST(ExtremeAttributes, OfEveryOperatorGiveAnErrorOrAResult) {
  ASSERT_GT(smallest_cases().size(), 200u);
  for (const auto& [name, base] : smallest_cases()) {
    for (const graph::AttrSpec& spec : ops::find_op(name)->attrs) {
      if (spec.ignored || !is_number(spec) || counts_ports(spec.name)) continue;
      const auto given = base.attrs.find(spec.name);
      for (const std::string& text : extremes(spec, given == base.attrs.end() ? "" : given->second)) {
        Attributes attrs = base.attrs;
        attrs[spec.name] = text;
        expect_ends_well(name, attrs, base.inputs);
      }
    }
  }
}

TEST(ExtremeAttributes, EmptyInputsOfEveryOperatorGiveAnErrorOrAResult) {
  for (const auto& [name, base] : smallest_cases()) {
    std::set<std::int64_t> sizes;
    for (const Tensor& input : base.inputs) sizes.insert(input.shape().begin(), input.shape().end());
    for (const std::int64_t empty : sizes) {
      expect_ends_well(name, base.attrs, emptied(base.inputs, empty, empty));
      if (!all_have(base.inputs, empty)) continue;
      for (const std::int64_t wide : sizes)
        expect_ends_well(name, base.attrs, emptied(base.inputs, empty, wide));
    }
  }
}

}  // namespace
}  // namespace mxinfer
