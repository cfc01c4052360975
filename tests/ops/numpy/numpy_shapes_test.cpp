// What operators of mx.np on shapes, places and masks refuse, and how they run.
#include <gtest/gtest.h>

#include <cmath>

#include "support/expect_error.h"
#include "support/run_op.h"

namespace mxinfer {
namespace {

using Attributes = std::map<std::string, std::string>;

std::vector<Tensor> run(const std::string& op, const Attributes& attrs, const std::vector<Tensor>& inputs,
                        std::string* kernel = nullptr) {
  std::vector<const Tensor*> pointers;
  for (const Tensor& input : inputs) pointers.push_back(&input);
  test::RunOpOptions options;
  options.numpy_shapes = true;
  options.kernel = kernel;
  return test::run_op(op, attrs, pointers, options);
}

std::vector<Tensor> of(const std::vector<Shape>& shapes) {
  std::vector<Tensor> tensors;
  for (const Shape& shape : shapes) tensors.push_back(test::random_tensor(shape, 1));
  return tensors;
}

struct RefusedInput {
  const char* name;
  const char* op;
  Attributes attrs;
  std::vector<Shape> shapes;  ///< of inputs of float32
  const char* message;        ///< a part of it
};

void PrintTo(const RefusedInput& refused, std::ostream* out) {
  *out << refused.name;
}

class NumpyRefusals : public testing::TestWithParam<RefusedInput> {};

TEST_P(NumpyRefusals, SayWhatDoesNotFit) {
  const RefusedInput& refused = GetParam();
  try {
    run(refused.op, refused.attrs, of(refused.shapes));
    ADD_FAILURE() << "it was not refused";
  } catch (const Error& e) {
    EXPECT_NE(e.code(), ErrorCode::internal);
    EXPECT_NE(std::string(e.what()).find(refused.message), std::string::npos) << e.what();
  }
}

const std::vector<RefusedInput> kRefusedInputs = {
    {"reshape_code", "_np_reshape", {{"newshape", "(-2, 3)"}}, {{2, 3}}, "-2 is not a size"},
    {"reshape_order", "_np_reshape", {{"newshape", "(6,)"}, {"order", "F"}}, {{2, 3}}, "C only"},
    {"reshape_two_open", "_np_reshape", {{"newshape", "(-1, -1)"}}, {{2, 3}}, "more than one -1"},
    {"reshape_elements", "_np_reshape", {{"newshape", "(4,)"}}, {{2, 3}}, "4 are asked for"},
    {"npx_leaves_out_two", "_npx_reshape", {{"newshape", "(-3, -4)"}}, {{2, 3}}, "leaves out a size of 1"},
    {"npx_too_many", "_npx_reshape", {{"newshape", "(-2, -2, -2)"}}, {{2, 3}}, "more dimensions"},
    {"npx_split", "_npx_reshape", {{"newshape", "(-6, 4, 2, -4)"}}, {{6, 3}}, "do not multiply to 6"},
    {"npx_split_ends", "_npx_reshape", {{"newshape", "(-6, 2)"}}, {{6}}, "two sizes after it"},
    {"squeeze", "_np_squeeze", {{"axis", "0"}}, {{2, 1}}, "only axes of one"},
    {"transpose", "_np_transpose", {{"axes", "(0, 0)"}}, {{2, 1}}, "twice"},
    {"moveaxis", "_np_moveaxis", {{"source", "(0, 0)"}, {"destination", "(0, 1)"}}, {{2, 1}}, "twice"},
    {"moveaxis_count",
     "_np_moveaxis",
     {{"source", "(0,)"}, {"destination", "(0, 1)"}},
     {{2, 1}},
     "same number"},
    {"rot90", "_npi_rot90", {{"axes", "(0,)"}}, {{2, 1}}, "two of a plane"},
    {"roll_shifts", "_np_roll", {{"shift", "(1, 2)"}, {"axis", "0"}}, {{2, 1}}, "same number"},
    {"roll_nothing", "_np_roll", {}, {{2, 1}}, "shift has no value"},
    {"broadcast", "_npi_broadcast_to", {{"shape", "(3, 2)"}}, {{2, 2}}, "cannot be broadcast"},
    {"broadcast_rank", "_npi_broadcast_to", {{"shape", "(2,)"}}, {{2, 2}}, "1 entries"},
    {"concatenate_scalars", "_npi_concatenate", {{"num_args", "1"}, {"axis", "0"}}, {{}}, "not an axis"},
    {"vstack", "_npi_vstack", {{"num_args", "2"}}, {{2}, {3}}, "does not fit beside"},
    {"hstack", "_npi_hstack", {{"num_args", "2"}}, {{2, 2}, {3}}, "does not fit beside"},
    {"split", "_npi_hsplit", {{"indices", "(0, 3)"}, {"axis", "1"}}, {{2}}, "piece"},
    {"pad_words", "_npi_pad", {{"pad_width", "((1, x))"}}, {{2}}, "a tuple of integers"},
    {"pad_negative", "_npi_pad", {{"pad_width", "((1, -1))"}}, {{2}}, "sizes of 0 or more"},
    {"pad_count", "_npi_pad", {{"pad_width", "((1, 1))"}}, {{2, 2}}, "needs 4"},
    {"pad_nothing",
     "_npi_pad",
     {{"pad_width", "((1, 1))"}, {"mode", "edge"}},
     {{0}},
     "no elements to pad with"},
    {"diag", "_np_diag", {}, {{2, 2, 2}}, "a vector or a matrix"},
    {"diagonal", "_np_diagonal", {{"axis1", "1"}, {"axis2", "-1"}}, {{2, 2}}, "both axis 1"},
    {"indices_from", "_npi_diag_indices_from", {}, {{2, 3}}, "dimensions of one size"},
    {"identity", "_npi_identity", {{"shape", "(2, 3)"}}, {}, "a square"},
    {"indices", "_npi_indices", {{"dimensions", "(-1, 3)"}}, {}, "expected sizes"},
    {"window", "_npi_hanning", {}, {}, "M has no value"},
    {"diff_many", "_npi_diff", {{"n", "61"}}, {{99}}, "at most 60"},
    {"delete", "_npi_delete", {{"int_ind", "3"}, {"axis", "0"}}, {{3}}, "outside the 3 elements"},
    {"insert",
     "_npi_insert_scalar",
     {{"int_ind", "4"}, {"axis", "0"}, {"val", "1"}},
     {{3}},
     "outside the 3 elements"},
    {"insert_values",
     "_npi_insert_scalar",
     {{"int_ind", "1"}, {"axis", "1"}},
     {{3, 4}, {3, 2}},
     "cannot be repeated"},
    {"insert_rank", "_npi_insert_scalar", {{"int_ind", "1"}}, {{3, 4}, {2, 1}}, "more dimensions"},
    {"insert_obj", "_npi_insert_tensor", {{"axis", "0"}}, {{3}, {1}, {1}}, "one dimension of int64"},
    {"mask", "_npi_boolean_mask_assign_scalar", {{"value", "1"}}, {{3, 2}, {2}}, "does not fit data"},
    {"mask_value",
     "_npi_boolean_mask_assign_tensor",
     {},
     {{3, 2}, {3}, {3, 1}},
     "does not fit the chosen rows"},
    {"mask_rows", "_npi_boolean_mask_assign_tensor", {}, {{3}, {3}, {2}}, "the value has 2"},
    {"unique", "_npi_unique", {{"axis", "2"}}, {{3, 2}}, "not an axis"},
};

INSTANTIATE_TEST_SUITE_P(Operators, NumpyRefusals, testing::ValuesIn(kRefusedInputs),
                         [](const auto& refused) { return std::string(refused.param.name); });

TEST(NumpyShapes, OnlyAnotherShapeCostsNothing) {
  for (const auto& [op, attrs] :
       {std::pair{"_np_reshape", Attributes{{"newshape", "(3, 2)"}}},
        std::pair{"_npx_reshape", Attributes{{"newshape", "(-5, 1)"}}},
        std::pair{"_np_squeeze", Attributes{}}, std::pair{"expand_dims", Attributes{{"axis", "0"}}},
        std::pair{"_np_atleast_3d", Attributes{{"num_args", "1"}}},
        std::pair{"_np_roll", Attributes{{"shift", "6"}}},
        std::pair{"_npi_vstack", Attributes{{"num_args", "1"}}}}) {
    std::string kernel;
    run(op, attrs, of({{2, 3}}), &kernel);
    EXPECT_EQ(kernel, "alias") << op;
  }
}

TEST(NumpyShapes, AnIndexOutsideIsRefusedWhenItIsRead) {
  std::vector<Tensor> inputs = of({{3}, {1}});
  inputs.push_back(test::tensor_of<std::int64_t>({1}, {4}));
  EXPECT_MXINFER_ERROR(run("_npi_insert_tensor", {{"axis", "0"}}, inputs), ErrorCode::invalid_argument,
                       {"index 4", "outside the 3 elements"});
}

// std::sort needs an order of all elements.
TEST(NumpyUnique, PutsNanBehindAllNumbers) {
  std::vector<Tensor> data;
  data.push_back(Tensor(DType::float32, {1000}));
  for (std::int64_t i = 0; i < 1000; ++i)
    data[0].data<float>()[i] = i % 3 == 0 ? NAN : static_cast<float>(i % 7);
  const auto unique = run("_npi_unique", {{"return_counts", "True"}}, data);
  ASSERT_EQ(unique[0].shape(), Shape{8});
  EXPECT_EQ(unique[0].data<float>()[6], 6);
  EXPECT_TRUE(std::isnan(unique[0].data<float>()[7]));
  EXPECT_EQ(unique[1].data<std::int64_t>()[7], 334);
}

}  // namespace
}  // namespace mxinfer
