// _mxinfer_quantize, _mxinfer_dequantize and _mxinfer_pooling_int8 against plain arithmetic.
#include <gtest/gtest.h>

#include <array>

#include "ops/op_error.h"
#include "support/int8_arrays.h"
#include "support/run_op.h"
#include "support/same_bits.h"

namespace mxinfer {
namespace {

using Texts = std::map<std::string, std::string>;

TEST(Int8Quantize, RoundsAndLimits) {
  const float infinity = std::numeric_limits<float>::infinity();
  // Repeated, so that vectors have them as well as what is left behind vectors.
  const std::vector<float> given{0.5F,     1.5F,      2.5F,    -0.5F,  -1.5F,  126.6F,
                                 127.5F,   -128.4F,   -129.0F, 254.5F, 255.5F, 300.0F,
                                 infinity, -infinity, 3e9F,    -3e9F,  -0.0F};
  const std::vector<int> signed_values{0,   2,   2,   0,   -2,   127, 127,  -128, -128,
                                       127, 127, 127, 127, -128, 127, -128, 0};
  const std::vector<int> unsigned_values{0, 2, 2, 0, 0, 127, 128, 0, 0, 254, 255, 255, 255, 0, 255, 0, 0};
  const auto count = static_cast<std::int64_t>(given.size()) * 5;
  Tensor data(DType::float32, {5, count / 5});
  Tensor s8(DType::int8, data.shape()), u8(DType::uint8, data.shape());
  for (std::int64_t i = 0; i < count; ++i) {
    const auto at = static_cast<std::size_t>(i) % given.size();
    data.data<float>()[i] = given[at] * 4.0F;
    s8.data<std::int8_t>()[i] = static_cast<std::int8_t>(signed_values[at]);
    u8.data<std::uint8_t>()[i] = static_cast<std::uint8_t>(unsigned_values[at]);
  }
  for (const kernels::Target target : test::targets()) {
    SCOPED_TRACE(to_string(target));
    const auto quantized = [&](const char* dtype) {
      return std::move(test::run_op("_mxinfer_quantize", {{"scale", "0.25"}, {"dtype", dtype}}, {&data},
                                    {.target = target})[0]);
    };
    test::expect_same_bits(quantized("int8"), s8);
    test::expect_same_bits(quantized("uint8"), u8);
  }
}

TEST(Int8Quantize, MakesTheLargestValueOfNaN) {
  Tensor data(DType::float32, {33});
  std::fill_n(data.data<float>(), 33, std::numeric_limits<float>::quiet_NaN());
  for (const kernels::Target target : test::targets()) {
    const auto out = test::run_op("_mxinfer_quantize", {{"scale", "2"}}, {&data}, {.target = target});
    for (std::int64_t i = 0; i < 33; ++i)
      EXPECT_EQ(out[0].data<std::int8_t>()[i], 127) << to_string(target) << i;
  }
}

TEST(Int8Quantize, HandsOnDataOfItsDType) {
  const Tensor data = test::random_integers<std::uint8_t>({2, 3}, 1);
  const auto out = test::run_op("_mxinfer_quantize", {{"scale", "9"}, {"dtype", "uint8"}}, {&data});
  test::expect_same_bits(out[0], data);
}

TEST(Int8Dequantize, MultipliesByTheStep) {
  for (const DType dtype : {DType::int8, DType::uint8}) {
    const Tensor data = test::random_bytes(dtype, {3, 67}, 7);
    Tensor expected(DType::float32, data.shape());
    for (std::int64_t i = 0; i < data.elements(); ++i)
      expected.data<float>()[i] = test::number_at(data, i) * 0.0371F;
    for (const kernels::Target target : test::targets()) {
      test::expect_same_bits(
          test::run_op("_mxinfer_dequantize", {{"scale", "0.0371"}}, {&data}, {.target = target})[0],
          expected);
    }
  }
}

TEST(Int8Values, RefuseWhatDoesNotFit) {
  const Tensor floats = test::random_tensor({4}, 1), bytes = test::random_integers<std::int8_t>({4}, 1);
  const Tensor doubles(DType::float64, {4});
  for (const char* scale : {"0", "-1", "nan", "inf", "1e-60", "1e60"}) {
    for (const char* op : {"_mxinfer_quantize", "_mxinfer_dequantize"}) {
      SCOPED_TRACE(testing::Message() << op << " " << scale);
      test::expect_op_error(op, {{"scale", scale}}, {&floats}, ErrorCode::malformed,
                            "expected a finite float32 above 0");
    }
  }
  test::expect_op_error("_mxinfer_quantize", {}, {&floats}, ErrorCode::malformed, "scale");
  test::expect_op_error("_mxinfer_quantize", {{"scale", "1"}}, {&doubles}, ErrorCode::invalid_argument,
                        "data is float64 (4,); expected float32");
  test::expect_op_error("_mxinfer_quantize", {{"scale", "1"}, {"dtype", "uint8"}}, {&bytes},
                        ErrorCode::invalid_argument, "data is int8 (4,); expected float32");
  test::expect_op_error("_mxinfer_dequantize", {{"scale", "1"}}, {&floats}, ErrorCode::invalid_argument,
                        "data is float32 (4,); expected int8 or uint8");
}

struct Pooled {
  std::string name;
  bool is_max;
  std::array<std::int64_t, 2> kernel, stride, pad;
  std::int64_t channels = 35;
  bool global = false, counts_pad = true, full = false;

  friend void PrintTo(const Pooled& c, std::ostream* out) { *out << c.name; }
};

class Int8Pooling : public ::testing::TestWithParam<Pooled> {
 protected:
  static constexpr std::int64_t kHeight = 9, kWidth = 7;

  Texts attrs(bool channels_last) const {
    const Pooled& c = GetParam();
    const auto pair = [](const auto& p) {
      return "(" + std::to_string(p[0]) + ", " + std::to_string(p[1]) + ")";
    };
    Texts attrs{{"pool_type", c.is_max ? "max" : "avg"},
                {"count_include_pad", c.counts_pad ? "True" : "False"},
                {"pooling_convention", c.full ? "full" : "valid"},
                {"channels_last", channels_last ? "True" : "False"}};
    if (c.global) {
      attrs["global_pool"] = "True";
    } else {
      attrs.insert({{"kernel", pair(c.kernel)}, {"stride", pair(c.stride)}, {"pad", pair(c.pad)}});
    }
    return attrs;
  }

  static std::int64_t outputs(const Pooled& c, std::size_t d, std::int64_t size) {
    const std::int64_t room = size + 2 * c.pad[d] - c.kernel[d];
    return (c.full ? (room + c.stride[d] - 1) / c.stride[d] : room / c.stride[d]) + 1;
  }

  /// The window of one output over a plane.
  static float window(const Pooled& c, const Tensor& data, std::int64_t plane, std::int64_t y,
                      std::int64_t x) {
    float largest = data.dtype() == DType::int8 ? -128.0F : 0.0F;
    std::int64_t sum = 0, inside = 0, padded = 0;
    for (std::int64_t ky = 0; ky < c.kernel[0]; ++ky) {
      for (std::int64_t kx = 0; kx < c.kernel[1]; ++kx) {
        const std::int64_t at_y = y * c.stride[0] + ky - c.pad[0], at_x = x * c.stride[1] + kx - c.pad[1];
        if (at_y < kHeight + c.pad[0] && at_x < kWidth + c.pad[1]) ++padded;
        if (at_y < 0 || at_x < 0 || at_y >= kHeight || at_x >= kWidth) continue;
        const float value = test::number_at(data, (plane * kHeight + at_y) * kWidth + at_x);
        largest = std::max(largest, value);
        sum += static_cast<std::int64_t>(value);
        ++inside;
      }
    }
    if (c.is_max) return largest;
    return static_cast<float>(sum) / static_cast<float>(c.counts_pad ? padded : inside);
  }
};

TEST_P(Int8Pooling, HasTheBitsOfPlainArithmetic) {
  Pooled c = GetParam();
  if (c.global) c.kernel = {kHeight, kWidth};
  const std::int64_t height = outputs(c, 0, kHeight), width = outputs(c, 1, kWidth);
  for (const DType dtype : {DType::int8, DType::uint8}) {
    const Tensor data = test::random_bytes(dtype, {2, c.channels, kHeight, kWidth}, 3);
    Tensor expected(dtype, {2, c.channels, height, width});
    for (std::int64_t i = 0; i < expected.elements(); ++i)
      test::round_to(expected, i, window(c, data, i / (height * width), i / width % height, i % width));
    const Tensor last = test::channels_last_of(data), expected_last = test::channels_last_of(expected);
    for (const kernels::Target target : test::targets()) {
      for (const int threads : {1, 3}) {
        SCOPED_TRACE(testing::Message() << to_string(dtype) << ", " << to_string(target) << ", " << threads);
        const test::RunOpOptions options{.target = target, .threads = threads};
        test::expect_same_bits(test::run_op("_mxinfer_pooling_int8", attrs(false), {&data}, options)[0],
                               expected);
        test::expect_same_bits(test::run_op("_mxinfer_pooling_int8", attrs(true), {&last}, options)[0],
                               expected_last);
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(
    Int8, Int8Pooling,
    ::testing::Values(Pooled{"max", true, {3, 3}, {2, 2}, {1, 1}},
                      Pooled{"max_wide", true, {2, 3}, {1, 2}, {0, 0}, 150},
                      Pooled{"max_few", true, {2, 2}, {2, 2}, {0, 0}, 3},
                      Pooled{"max_full", true, {2, 2}, {2, 2}, {0, 0}, 67, false, true, true},
                      Pooled{"mean", false, {3, 3}, {2, 2}, {1, 1}},
                      Pooled{"mean_inside", false, {3, 3}, {1, 1}, {1, 1}, 66, false, false},
                      Pooled{"mean_few", false, {2, 2}, {1, 1}, {0, 0}, 3},
                      Pooled{"mean_full", false, {3, 2}, {2, 2}, {1, 0}, 20, false, true, true},
                      Pooled{"global_mean", false, {1, 1}, {1, 1}, {0, 0}, 70, true},
                      Pooled{"global_max", true, {1, 1}, {1, 1}, {0, 0}, 70, true}),
    [](const auto& param) { return param.param.name; });

TEST(Int8PoolingErrors, RefuseWhatDoesNotFit) {
  const Tensor bytes = test::random_integers<std::int8_t>({1, 2, 4, 4}, 1),
               floats = test::random_tensor({1, 2, 4, 4}, 1);
  const Texts attrs{{"kernel", "(2, 2)"}};
  test::expect_op_error("_mxinfer_pooling_int8", attrs, {&floats}, ErrorCode::invalid_argument,
                        "data is float32 (1, 2, 4, 4); expected int8 or uint8");
  test::expect_op_error("_mxinfer_pooling_int8", {{"kernel", "(2, 2)"}, {"pool_type", "sum"}}, {&bytes},
                        ErrorCode::unsupported, "pool_type=sum of 8-bit data: expected max or avg");
  test::expect_op_error("_mxinfer_pooling_int8", {{"kernel", "(5, 5)"}}, {&bytes},
                        ErrorCode::invalid_argument, "kernel size 5 exceeds");
  test::expect_op_error("_mxinfer_pooling_int8", {{"kernel", "(2, 2)"}, {"layout", "NHWC"}}, {&bytes},
                        ErrorCode::malformed, "layout");
}

}  // namespace
}  // namespace mxinfer
