// A target that is asked for runs: each operator that has vector code says so of every target of the CPU, and
// has the reference on Target::ref. tests/kernels/targets_test.cpp shows that the functions behind differ.
#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "support/kernel_label.h"
#include "support/run_op.h"

namespace mxinfer {
namespace {

using kernels::Target;

struct VectorisedOp {
  std::string op;
  std::map<std::string, std::string> attrs;
  std::vector<Shape> inputs;
  std::vector<std::size_t> parameters{};
};

const std::vector<VectorisedOp>& vectorised_ops() {
  const Shape image{1, 8, 9, 9}, vectors{5, 19};
  static const std::vector<VectorisedOp> all = {
      {"Activation", {{"act_type", "tanh"}}, {vectors}},
      {"elemwise_add", {}, {vectors, vectors}},
      {"_plus_scalar", {{"scalar", "2"}}, {vectors}},
      {"add_n", {{"num_args", "2"}}, {vectors, vectors}},
      {"softmax", {}, {vectors}},
      {"softmax", {{"axis", "1"}}, {image}},
      {"sum", {{"axis", "1"}}, {vectors}},
      {"L2Normalization", {}, {vectors}},
      {"LayerNorm", {}, {vectors, {19}, {19}}},
      {"InstanceNorm", {}, {image, {8}, {8}}},
      {"BatchNorm", {}, {image, {8}, {8}, {8}, {8}}, {1, 2, 3, 4}},
      {"LRN", {{"nsize", "3"}}, {image}},
      {"Pooling", {{"kernel", "(3, 3)"}, {"pool_type", "max"}}, {image}},
      {"Pooling", {{"global_pool", "1"}, {"kernel", "(1, 1)"}, {"pool_type", "avg"}}, {image}},
      {"FullyConnected", {{"num_hidden", "7"}, {"no_bias", "1"}}, {vectors, {7, 19}}, {1}},
      {"FullyConnected", {{"num_hidden", "7"}, {"no_bias", "1"}}, {{64, 19}, {7, 19}}, {1}},
      {"dot", {}, {vectors, {19, 3}}},
      {"batch_dot", {}, {{2, 5, 19}, {2, 19, 3}}},
      {"Convolution",
       {{"kernel", "(3, 3)"}, {"num_filter", "8"}, {"no_bias", "1"}},
       {image, {8, 8, 3, 3}},
       {1}},
      {"Deconvolution",
       {{"kernel", "(3, 3)"}, {"num_filter", "8"}, {"no_bias", "1"}},
       {image, {8, 8, 3, 3}},
       {1}},
      {"RNN",
       {{"mode", "lstm"}, {"state_size", "4"}, {"num_layers", "1"}},
       {{3, 2, 5}, {176}, {1, 2, 4}, {1, 2, 4}},
       {1}},
  };
  return all;
}

class VectorisedOpOn : public testing::TestWithParam<Target> {};

TEST_P(VectorisedOpOn, SaysTheTargetThatWasAskedFor) {
  for (const VectorisedOp& vectorised : vectorised_ops()) {
    std::vector<Tensor> tensors;
    for (const Shape& shape : vectorised.inputs) tensors.push_back(test::random_tensor(shape, 1, 0.5f, 1.0f));
    std::vector<const Tensor*> inputs;
    for (const Tensor& tensor : tensors) inputs.push_back(&tensor);
    std::string kernel;
    test::RunOpOptions options;
    options.target = GetParam();
    options.parameters = vectorised.parameters;
    options.kernel = &kernel;
    test::run_op(vectorised.op, vectorised.attrs, inputs, options);
    EXPECT_EQ(test::instructions_of(kernel), to_string(GetParam())) << vectorised.op << ": " << kernel;
    EXPECT_EQ(test::label_fault(kernel, GetParam()), "") << vectorised.op << ": " << kernel;
  }
}

INSTANTIATE_TEST_SUITE_P(Targets, VectorisedOpOn, testing::ValuesIn(test::targets()),
                         [](const auto& target) { return std::string(to_string(target.param)); });

TEST(KernelLabel, FaultsAreFound) {
  EXPECT_EQ(test::label_fault("lrn_rows_f32 [avx2]", Target::avx2), "");
  EXPECT_EQ(test::label_fault("lrn_ref_f32 [ref]", Target::avx2), "");
  EXPECT_NE(test::label_fault("lrn_ref_f32 [avx2]", Target::avx2), "");
  EXPECT_NE(test::label_fault("row_norm_rows_f32 [avx2]", Target::ref), "");
  EXPECT_NE(test::label_fault("where_rows_simd_float32 [avx2]", Target::avx2), "");
  EXPECT_NE(test::label_fault("take_rows", Target::avx2), "");
  EXPECT_EQ(test::label_fault("alias", Target::avx2), "");
}

}  // namespace
}  // namespace mxinfer
