// What the recorded cases cannot show: fused activations, errors, threads, aliases.
#include "ops/elementwise/elementwise.h"

#include <gtest/gtest.h>
#include <mxinfer/error.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "op_error.h"
#include "ops/common/broadcast.h"
#include "ops/registry.h"
#include "support/run_op.h"

namespace mxinfer {
namespace {

using test::message_of;
using test::random_tensor;
using test::run_op;
using test::RunOpOptions;

class Fused : public testing::TestWithParam<kernels::Target> {};

// An activation fused behind an operator gives the bits of the activation run by itself.
TEST_P(Fused, ActivationEqualsTheTwoOperators) {
  struct Form {
    graph::PostOps post_ops;
    std::string op;
    std::map<std::string, std::string> attrs;
  };
  using graph::Activation;
  const std::vector<Form> forms = {
      {{Activation::relu}, "Activation", {{"act_type", "relu"}}},
      {{Activation::sigmoid}, "Activation", {{"act_type", "sigmoid"}}},
      {{Activation::tanh}, "Activation", {{"act_type", "tanh"}}},
      {{Activation::softrelu}, "Activation", {{"act_type", "softrelu"}}},
      {{Activation::softsign}, "Activation", {{"act_type", "softsign"}}},
      {{Activation::clip, 0.0f, 0.5f}, "clip", {{"a_min", "0"}, {"a_max", "0.5"}}},
      {{Activation::leaky, 0.1f}, "LeakyReLU", {{"slope", "0.1"}}},
      {{Activation::elu, 0.3f}, "LeakyReLU", {{"act_type", "elu"}, {"slope", "0.3"}}},
      {{Activation::gelu_erf}, "LeakyReLU", {{"act_type", "gelu"}}},
  };
  const Tensor a = random_tensor({3, 7, 41, 53}, 1, -2, 2), b = random_tensor({3, 7, 41, 53}, 2, -2, 2);
  const Tensor bias = random_tensor({1, 7, 1, 1}, 3);
  struct Case {
    std::string op;
    std::map<std::string, std::string> attrs;
    std::vector<const Tensor*> inputs;
  };
  const std::vector<Case> cases = {{"elemwise_add", {}, {&a, &b}},
                                   {"broadcast_mul", {}, {&a, &bias}},
                                   {"_rminus_scalar", {{"scalar", "0.25"}}, {&a}},
                                   {"add_n", {{"num_args", "3"}}, {&a, &b, &a}},
                                   {"add_n", {{"num_args", "1"}}, {&a}},
                                   {"square", {}, {&a}}};
  for (const Form& form : forms) {
    for (const Case& one : cases) {
      RunOpOptions options;
      options.target = GetParam();
      options.threads = 2;
      const Tensor middle = std::move(run_op(one.op, one.attrs, one.inputs, options)[0]);
      const Tensor apart = std::move(run_op(form.op, form.attrs, {&middle}, options)[0]);
      options.post_ops = form.post_ops;
      const Tensor fused = std::move(run_op(one.op, one.attrs, one.inputs, options)[0]);
      EXPECT_EQ(test::relative_difference(fused, apart), 0) << one.op << " then " << form.op;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Targets, Fused, testing::ValuesIn(test::targets()),
                         [](const auto& target) { return std::string(to_string(target.param)); });

TEST(Elementwise, GivesTheSameBitsAtAnyThreadCount) {
  const Tensor a = random_tensor({2, 5, 101, 97}, 1, -3, 3), bias = random_tensor({5, 1, 1}, 2);
  for (const std::string op : {"broadcast_add", "broadcast_power", "broadcast_greater"}) {
    RunOpOptions options;
    const auto one = run_op(op, {}, {&a, &bias}, options);
    options.threads = 4;
    const auto four = run_op(op, {}, {&a, &bias}, options);
    EXPECT_EQ(test::relative_difference(one[0], four[0]), 0) << op;
  }
}

TEST(Elementwise, SaysWhichShapesDoNotFit) {
  const Tensor a = random_tensor({2, 3}, 1), b = random_tensor({2, 4}, 2);
  EXPECT_NE(message_of("broadcast_add", {}, {&a, &b}).find("(2, 3) and (2, 4) do not broadcast"),
            std::string::npos);
  EXPECT_NE(message_of("elemwise_add", {}, {&a, &b}).find("(2, 4): expected the same shape"),
            std::string::npos);
  const Tensor whole(DType::int32, {2, 3});
  EXPECT_NE(message_of("broadcast_add", {}, {&a, &whole}).find("expected the same dtype"), std::string::npos);
  EXPECT_NE(message_of("add_n", {{"num_args", "2"}}, {&a, &b}).find("input 1 is float32 (2, 4)"),
            std::string::npos);
  EXPECT_NE(message_of("where", {}, {&b, &a, &a}).find("condition has the shape (2, 4)"), std::string::npos);
}

TEST(Elementwise, RefusesWhatMxnetRefuses) {
  const Tensor whole(DType::int32, {2, 3}), data = random_tensor({2, 3}, 1), gamma = random_tensor({5}, 1);
  EXPECT_NE(message_of("Activation", {{"act_type", "relu"}}, {&whole}).find("floating point"),
            std::string::npos);
  EXPECT_NE(message_of("softmax", {}, {&whole}).find("floating point"), std::string::npos);
  EXPECT_NE(message_of("Dropout", {{"mode", "always"}}, {&data}).find("at random"), std::string::npos);
  EXPECT_NE(
      message_of("LeakyReLU", {{"act_type", "prelu"}}, {&data, &gamma}).find("gamma has the shape (5,)"),
      std::string::npos);
  EXPECT_NE(message_of("softmax", {{"axis", "2"}}, {&data}).find("axis=2 is not an axis"), std::string::npos);
  EXPECT_NE(message_of("sum", {{"axis", "(1, -1)"}}, {&data}).find("twice"), std::string::npos);
  EXPECT_NE(message_of("sum", {{"axis", "-3"}}, {&data}).find("expected -2 to 1"), std::string::npos);
  EXPECT_NE(message_of("norm", {{"ord", "3"}}, {&data}).find("ord=3"), std::string::npos);
  const Tensor none(DType::float32, {0, 3});
  EXPECT_NE(message_of("argmax", {}, {&none}).find("has no elements"), std::string::npos);
}

// MXNet's sum of squares of integers loses parts (4 for 3 and 4); here it is made in double, and the root
// cut.
TEST(Reduce, TakesTheNormOfIntegersInDouble) {
  const Tensor narrow = test::tensor_of<std::int8_t>({2}, {100, 5});
  EXPECT_EQ(run_op("norm", {}, {&narrow})[0].data<std::int8_t>()[0], 100);
  const Tensor small = test::tensor_of<std::int32_t>({2, 2}, {3, 4, 50000, -50000});
  const auto norms = run_op("norm", {{"axis", "1"}}, {&small});
  EXPECT_EQ(norms[0].dtype(), DType::int32);
  EXPECT_EQ(norms[0].data<std::int32_t>()[0], 5);
  EXPECT_EQ(norms[0].data<std::int32_t>()[1], 70710);
  const Tensor large = test::tensor_of<std::int64_t>({2, 1}, {3000000000000, 4000000000000});
  EXPECT_EQ(run_op("norm", {}, {&large})[0].data<std::int64_t>()[0], 5000000000000);
  EXPECT_EQ(run_op("norm", {{"axis", "0"}}, {&large})[0].data<std::int64_t>()[0], 5000000000000);
}

// With another type of the results, nothing is cut before it is there.
TEST(Reduce, TakesTheNormInAnotherType) {
  const Tensor small = test::tensor_of<std::int8_t>({2, 2}, {3, 4, 100, 100});
  const auto roots = run_op("norm", {{"axis", "1"}, {"out_dtype", "float64"}}, {&small});
  ASSERT_EQ(roots[0].dtype(), DType::float64);
  EXPECT_EQ(roots[0].data<double>()[0], 5);
  EXPECT_DOUBLE_EQ(roots[0].data<double>()[1], std::sqrt(20000.0));
  const auto sums = run_op("norm", {{"ord", "1"}, {"out_dtype", "int32"}}, {&small});
  EXPECT_EQ(sums[0].data<std::int32_t>()[0], 207);
  const Tensor wide = test::random_tensor({70, 130}, 1);
  for (const char* axis : {"0", "1"}) {
    const auto same = run_op("norm", {{"axis", axis}}, {&wide});
    const auto doubles = run_op("norm", {{"axis", axis}, {"out_dtype", "float64"}}, {&wide});
    for (std::int64_t i = 0; i < same[0].elements(); ++i)
      EXPECT_NEAR(doubles[0].data<double>()[i], static_cast<double>(same[0].data<float>()[i]), 1e-5);
  }
}

// MXNet 1.9.1 refuses an axis below 0.
TEST(Cumsum, CountsAnAxisFromTheEnd) {
  const Tensor data = random_tensor({2, 3, 4}, 1);
  for (const int axis : {0, 1, 2}) {
    const auto front = run_op("cumsum", {{"axis", std::to_string(axis)}}, {&data});
    const auto back = run_op("cumsum", {{"axis", std::to_string(axis - 3)}}, {&data});
    EXPECT_EQ(test::relative_difference(back[0], front[0]), 0) << axis;
  }
  EXPECT_NE(message_of("cumsum", {{"axis", "3"}}, {&data}).find("axis=3"), std::string::npos);
  const Tensor truth(DType::boolean, {2, 3});
  EXPECT_EQ(run_op("cumsum", {}, {&truth})[0].dtype(), DType::int64);
}

TEST(Elementwise, RunsOnNoElements) {
  const Tensor none(DType::float32, {0, 3}), row = random_tensor({1, 3}, 1);
  EXPECT_EQ(run_op("relu", {}, {&none})[0].elements(), 0);
  EXPECT_EQ(run_op("broadcast_add", {}, {&none, &row})[0].shape(), (Shape{0, 3}));
  EXPECT_EQ(run_op("softmax", {}, {&none})[0].elements(), 0);
  EXPECT_EQ(run_op("softmax", {{"axis", "0"}}, {&none})[0].elements(), 0);
  EXPECT_EQ(run_op("sum", {{"axis", "1"}}, {&none})[0].elements(), 0);
  EXPECT_EQ(run_op("sum", {{"axis", "0"}}, {&none})[0].data<float>()[2], 0.0f);
}

TEST(Elementwise, HandsItsInputOnWhereNothingChanges) {
  const Tensor data = random_tensor({2, 3}, 1);
  for (const std::string op : {"_copy", "BlockGrad", "Dropout", "MakeLoss", "LinearRegressionOutput"}) {
    RunOpOptions options;
    std::string kernel;
    options.kernel = &kernel;
    EXPECT_EQ(test::relative_difference(run_op(op, {}, {&data}, options)[0], data), 0) << op;
    EXPECT_EQ(kernel, "alias") << op;
  }
}

TEST(Elementwise, MarksIdentitiesAndLosses) {
  EXPECT_EQ(ops::find_op("Dropout")->op_class, ops::OpClass::identity);
  EXPECT_EQ(ops::find_op("identity")->op_class, ops::OpClass::identity);
  EXPECT_EQ(ops::find_op("Softmax")->op_class, ops::OpClass::loss_output);
  EXPECT_EQ(ops::find_op("SoftmaxOutput")->training_inputs, std::vector<std::string>{"label"});
}

// Every element is visited once, at the offsets that counting through the dimensions gives.
TEST(Broadcast, WalksAsCountingThroughTheDimensionsDoes) {
  const Shape out{2, 3, 1, 4, 5}, lhs{3, 1, 1, 5}, rhs{2, 1, 1, 4, 1};
  const ops::Broadcast<2> walk({&lhs, &rhs}, out);
  for (const std::int64_t piece : {1, 3, 7, 20, 120}) {
    std::int64_t expected = 0;
    for (std::int64_t begin = 0; begin < 120; begin += piece) {
      walk.rows(begin, std::min<std::int64_t>(120, begin + piece),
                [&](const std::array<std::int64_t, 2>& at, std::int64_t dst, std::int64_t n) {
                  for (std::int64_t i = 0; i < n; ++i, ++expected) {
                    ASSERT_EQ(dst + i, expected);
                    const std::int64_t e = expected % 5, d = expected / 5 % 4, b = expected / 20 % 3,
                                       a = expected / 60;
                    ASSERT_EQ(at[0] + (walk.advances(0) ? i : 0), b * 5 + e);
                    ASSERT_EQ(at[1] + (walk.advances(1) ? i : 0), a * 4 + d);
                  }
                });
    }
    EXPECT_EQ(expected, 120);
  }
}

}  // namespace
}  // namespace mxinfer
