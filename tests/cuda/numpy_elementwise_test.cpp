// NumPy's element-wise operators on a GPU: two dtypes, questions about numbers, choices between tensors.
#include <gtest/gtest.h>

#include <string>
#include <utility>

#include "cuda/support.h"
#include "support/special_floats.h"

namespace mxinfer {
namespace {

using test::expect_as_on_cpu;
using test::kInfinity;
using test::kNaN;
using test::random_tensor;

constexpr DType kNumbers[] = {DType::float16, DType::float32, DType::float64, DType::uint8,
                              DType::int8,    DType::int32,   DType::int64,   DType::boolean};

Tensor numbers(DType dtype, const Shape& shape, unsigned seed) {
  const Tensor reals = random_tensor(shape, seed, 1, 8);
  return std::move(test::run_op("Cast", {{"dtype", to_string(dtype)}}, {&reals})[0]);
}

bool is_floating(DType dtype) {
  return dtype == DType::float16 || dtype == DType::float32 || dtype == DType::float64;
}

TEST(NumpyElementwiseOnCuda, TwoDtypes) {
  for (const DType left : kNumbers) {
    for (const DType right : kNumbers) {
      const bool bytes =
          (left == DType::uint8 && right == DType::int8) || (left == DType::int8 && right == DType::uint8);
      if (bytes) continue;
      const Tensor a = numbers(left, {2, 3, 8}, 1), b = numbers(right, {3, 1}, 2);
      for (const char* op : {"_npi_add", "_npi_multiply"}) expect_as_on_cpu(op, {}, {&a, &b});
      if (left == DType::boolean && right == DType::boolean) continue;
      expect_as_on_cpu("_npi_subtract", {}, {&a, &b});
      if (is_floating(left) != is_floating(right)) expect_as_on_cpu("_npi_true_divide", {}, {&a, &b});
    }
    const Tensor a = numbers(left, {2, 3, 8}, 1), b = numbers(left, {3, 1}, 2);
    expect_as_on_cpu("_npi_true_divide", {}, {&a, &b});
  }
}

// An integer beyond float16's digits is rounded before it is added.
TEST(NumpyElementwiseOnCuda, IntegersBesideHalves) {
  const Tensor whole = test::tensor_of<std::int64_t>({4}, {2049, 70000, -70000, 3});
  const Tensor half = numbers(DType::float16, {4}, 3);
  expect_as_on_cpu("_npi_add", {}, {&whole, &half}, {.tolerance = 0});
  expect_as_on_cpu("_npi_subtract", {}, {&half, &whole}, {.tolerance = 0});
}

Tensor broken(DType dtype) {
  const Tensor floats =
      test::tensor_of<float>({8}, {kNaN, kInfinity, -kInfinity, 0.0f, -0.0f, 1.5f, -2.5f, 2.5f});
  return std::move(test::run_op("Cast", {{"dtype", to_string(dtype)}}, {&floats})[0]);
}

TEST(NumpyElementwiseOnCuda, Questions) {
  for (const char* op :
       {"_npi_isnan", "_npi_isinf", "_npi_isposinf", "_npi_isneginf", "_npi_isfinite", "_npi_logical_not"}) {
    for (const DType dtype : kNumbers) {
      const Tensor data = is_floating(dtype) ? broken(dtype) : numbers(dtype, {5}, 1);
      expect_as_on_cpu(op, {}, {&data}, {.tolerance = 0});
    }
  }
}

TEST(NumpyElementwiseOnCuda, NumbersInPlaceOfBroken) {
  for (const DType dtype : {DType::float16, DType::float32, DType::float64}) {
    const Tensor data = broken(dtype);
    expect_as_on_cpu("_npi_nan_to_num", {}, {&data}, {.tolerance = 0});
    expect_as_on_cpu("_npi_nan_to_num", {{"nan", "1.5"}, {"posinf", "nan"}, {"neginf", "-7"}}, {&data},
                     {.tolerance = 0});
  }
}

TEST(NumpyElementwiseOnCuda, Rounding) {
  const Tensor data = random_tensor({3, 7}, 1, -300, 300), special = broken(DType::float32);
  for (const char* decimals : {"0", "1", "2", "-1", "-2"}) {
    expect_as_on_cpu("_npi_around", {{"decimals", decimals}}, {&data});
    expect_as_on_cpu("_npi_around", {{"decimals", decimals}}, {&special});
  }
}

TEST(NumpyElementwiseOnCuda, SignsBitsAndPowersOfTwo) {
  const Tensor special = broken(DType::float32), other = random_tensor({8, 1}, 2, -3, 3);
  expect_as_on_cpu("_npi_copysign", {}, {&other, &special}, {.tolerance = 0});
  expect_as_on_cpu("_npi_copysign", {}, {&special, &other}, {.tolerance = 0});
  const Tensor exponents = random_tensor({8}, 3, -3, 3);
  expect_as_on_cpu("_npi_ldexp", {}, {&other, &exponents});
  expect_as_on_cpu("_npi_copysign_scalar", {{"scalar", "-2.0"}}, {&other}, {.tolerance = 0});
  expect_as_on_cpu("_npi_rldexp_scalar", {{"scalar", "1.5"}}, {&exponents});
  for (const DType dtype : {DType::uint8, DType::int8, DType::int32, DType::int64, DType::boolean}) {
    const Tensor a = numbers(dtype, {2, 3, 4}, 1), b = numbers(dtype, {3, 1}, 2);
    for (const char* op : {"_npi_bitwise_and", "_npi_bitwise_or", "_npi_bitwise_xor"}) {
      expect_as_on_cpu(op, {}, {&a, &b}, {.tolerance = 0});
      expect_as_on_cpu(std::string(op) + "_scalar", {{"scalar", "6.0"}}, {&a}, {.tolerance = 0});
    }
    expect_as_on_cpu("_npi_bitwise_not", {}, {&a}, {.tolerance = 0});
  }
}

TEST(NumpyElementwiseOnCuda, Choices) {
  const Tensor condition = test::tensor_of<std::int64_t>({2, 1, 3}, {0, 1, std::int64_t{1} << 40, -1, 0, 0});
  for (const DType dtype : kNumbers) {
    const Tensor x = numbers(dtype, {4, 1}, 1), y = numbers(dtype, {3}, 2);
    expect_as_on_cpu("_npi_where", {}, {&condition, &x, &y}, {.tolerance = 0});
    for (const char* scalar : {"2.5", "0.5", "-1.0", "300.0"}) {
      expect_as_on_cpu("_npi_where_lscalar", {{"scalar", scalar}}, {&condition, &x}, {.tolerance = 0});
      expect_as_on_cpu("_npi_where_rscalar", {{"scalar", scalar}}, {&condition, &x}, {.tolerance = 0});
    }
    expect_as_on_cpu("_npi_full_like", {{"fill_value", "2.5"}}, {&x}, {.tolerance = 0});
  }
  expect_as_on_cpu("_npi_where_scalar2", {{"x", "1.5"}, {"y", "-2"}}, {&condition}, {.tolerance = 0});
}

// Integers beside a number that is none are compared as float64.
TEST(NumpyElementwiseOnCuda, ComparisonsWithFractions) {
  const Tensor whole = test::tensor_of<std::int64_t>({4}, {1, 2, -1, (std::int64_t{1} << 53) + 1});
  for (const char* op : {"_npi_less_scalar", "_npi_equal_scalar", "_npi_greater_equal_scalar"}) {
    for (const char* is_int : {"True", "False"})
      expect_as_on_cpu(op, {{"scalar", "1.5"}, {"is_int", is_int}}, {&whole}, {.tolerance = 0});
  }
}

}  // namespace
}  // namespace mxinfer
