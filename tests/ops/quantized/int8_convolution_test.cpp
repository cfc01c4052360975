// _mxinfer_convolution_int8 and _mxinfer_fully_connected_int8 against plain arithmetic.
#include <gtest/gtest.h>

#include <array>

#include "ops/op_error.h"
#include "support/int8_arrays.h"
#include "support/run_op.h"
#include "support/same_bits.h"

namespace mxinfer {
namespace {

using Attributes = std::map<std::string, std::string>;
using test::number_at;
using test::random_integers;
using test::round_to;
using Sizes = std::array<std::int64_t, 2>;

enum class Function : std::uint8_t { none, relu, clip, leaky };

/// The numbers of kernels::Activation, and what they compute with alpha and beta.
const char* number_of(Function function) {
  constexpr const char* kNumbers[] = {"0", "1", "6", "7"};
  return kNumbers[static_cast<std::size_t>(function)];
}
constexpr float kAlpha = 0.25F, kBeta = 90.0F;
float apply(Function function, float x) {
  switch (function) {
    case Function::relu:
      return std::max(x, 0.0F);
    case Function::clip:
      return std::clamp(x, kAlpha, kBeta);
    case Function::leaky:
      return x > 0 ? x : kAlpha * x;
    default:
      return x;
  }
}

struct Convolved {
  std::string name;
  std::int64_t channels, filters;
  Sizes kernel;
  Sizes stride{1, 1}, pad{0, 0}, dilate{1, 1};
  std::int64_t groups = 1;
  DType data = DType::uint8, output = DType::int8;
  bool bias = true;
  std::optional<DType> residual{};
  Function before = Function::none, after = Function::none;
  float dst_factor = 1;
  Sizes size{9, 8};

  friend void PrintTo(const Convolved& c, std::ostream* out) { *out << c.name; }
};

std::string text_of(const Sizes& sizes) {
  return "(" + std::to_string(sizes[0]) + ", " + std::to_string(sizes[1]) + ")";
}

void add_function(Attributes& attrs, const std::string& prefix, Function function) {
  attrs[prefix + "_function"] = number_of(function);
  attrs[prefix + "_alpha"] = std::to_string(kAlpha);
  attrs[prefix + "_beta"] = std::to_string(kBeta);
}

class Int8Arrays {
 public:
  explicit Int8Arrays(const Convolved& c) : c_(c) {
    for (std::size_t d = 0; d < 2; ++d)
      out_[d] = (c.size[d] + 2 * c.pad[d] - c.dilate[d] * (c.kernel[d] - 1) - 1) / c.stride[d] + 1;
    data_ = test::random_bytes(c.data, {2, c.channels, c.size[0], c.size[1]}, 1);
    weight_ = random_integers<std::int8_t>({c.filters, depth(), c.kernel[0], c.kernel[1]}, 2);
    scale_ = test::random_tensor({c.filters}, 3, 0.0002F, 0.0015F);
    bias_ = random_integers<std::int32_t>({c.filters}, 4, -30000, 30000);
    const Shape output{2, c.filters, out_[0], out_[1]};
    if (c.residual) {
      residual_ = *c.residual == DType::float32 ? test::random_tensor(output, 5, -50.0F, 50.0F)
                                                : test::random_bytes(*c.residual, output, 5);
    }
    expected_ = Tensor(c.output, output);
  }

  Attributes attrs(bool channels_last) const {
    Attributes attrs{{"kernel", text_of(c_.kernel)},
                     {"stride", text_of(c_.stride)},
                     {"pad", text_of(c_.pad)},
                     {"dilate", text_of(c_.dilate)},
                     {"num_filter", std::to_string(c_.filters)},
                     {"num_group", std::to_string(c_.groups)},
                     {"no_bias", c_.bias ? "False" : "True"},
                     {"with_sum", c_.residual ? "True" : "False"},
                     {"residual_scale", "0.375"},
                     {"dst_factor", std::to_string(c_.dst_factor)},
                     {"dtype", to_string(c_.output)},
                     {"channels_last", channels_last ? "True" : "False"}};
    add_function(attrs, "before", c_.before);
    add_function(attrs, "after", c_.after);
    return attrs;
  }

  Tensor compute() {
    for (std::int64_t i = 0; i < expected_.elements(); ++i) round_to(expected_, i, element(i));
    return std::move(expected_);
  }

  Tensor run(bool channels_last, const test::RunOpOptions& options) const {
    const Tensor data = channels_last ? test::channels_last_of(data_) : data_.clone();
    const Tensor residual =
        channels_last && c_.residual ? test::channels_last_of(residual_) : residual_.clone();
    std::vector<const Tensor*> inputs{&data, &weight_, &scale_};
    if (c_.bias) inputs.push_back(&bias_);
    if (c_.residual) inputs.push_back(&residual);
    return std::move(test::run_op("_mxinfer_convolution_int8", attrs(channels_last), inputs, options)[0]);
  }

 private:
  std::int64_t depth() const { return c_.channels / c_.groups; }

  std::int64_t sum(std::int64_t n, std::int64_t m, std::int64_t y, std::int64_t x) const {
    std::int64_t total = 0;
    for (std::int64_t c = 0; c < depth(); ++c) {
      const std::int64_t channel = m / (c_.filters / c_.groups) * depth() + c;
      for (std::int64_t ky = 0; ky < c_.kernel[0]; ++ky) {
        for (std::int64_t kx = 0; kx < c_.kernel[1]; ++kx) {
          const std::int64_t at_y = y * c_.stride[0] + ky * c_.dilate[0] - c_.pad[0];
          const std::int64_t at_x = x * c_.stride[1] + kx * c_.dilate[1] - c_.pad[1];
          if (at_y < 0 || at_y >= c_.size[0] || at_x < 0 || at_x >= c_.size[1]) continue;
          const std::int64_t at = ((n * c_.channels + channel) * c_.size[0] + at_y) * c_.size[1] + at_x;
          const std::int64_t w = ((m * depth() + c) * c_.kernel[0] + ky) * c_.kernel[1] + kx;
          total += static_cast<std::int64_t>(number_at(data_, at)) * weight_.data<std::int8_t>()[w];
        }
      }
    }
    return total;
  }

  float element(std::int64_t i) const {
    const std::int64_t x = i % out_[1], y = i / out_[1] % out_[0];
    const std::int64_t m = i / (out_[0] * out_[1]) % c_.filters, n = i / (out_[0] * out_[1] * c_.filters);
    auto value = static_cast<float>(sum(n, m, y, x));
    if (c_.bias) value += static_cast<float>(bias_.data<std::int32_t>()[m]);
    value = apply(c_.before, value * scale_.data<float>()[m]);
    if (c_.residual) value = std::fma(number_at(residual_, i), 0.375F, value);
    return c_.dst_factor * apply(c_.after, value);
  }

  const Convolved& c_;
  Sizes out_{};
  Tensor data_, weight_, scale_, bias_, residual_, expected_;
};

class Int8Convolution : public ::testing::TestWithParam<Convolved> {};

TEST_P(Int8Convolution, HasTheBitsOfPlainArithmetic) {
  Int8Arrays arrays(GetParam());
  const Tensor expected = arrays.compute(), expected_last = test::channels_last_of(expected);
  for (const bool channels_last : {false, true}) {
    for (const kernels::Target target : test::targets()) {
      for (const int threads : {1, 3}) {
        SCOPED_TRACE(testing::Message() << (channels_last ? "channels-last, " : "channels-first, ")
                                        << to_string(target) << ", threads " << threads);
        test::RunOpOptions options{.target = target, .threads = threads, .parameters = {1, 2}};
        if (GetParam().bias) options.parameters.push_back(3);
        const Tensor actual = arrays.run(channels_last, options);
        test::expect_same_bits(actual, channels_last ? expected_last : expected);
      }
    }
  }
}

std::vector<Convolved> convolved_cases() {
  const DType s8 = DType::int8, u8 = DType::uint8, s32 = DType::int32, f32 = DType::float32;
  return {
      {.name = "pointwise", .channels = 19, .filters = 37, .kernel = {1, 1}},
      {.name = "pointwise_strided",
       .channels = 64,
       .filters = 32,
       .kernel = {1, 1},
       .stride = {2, 2},
       .data = s8,
       .output = u8,
       .before = Function::relu},
      {.name = "padded", .channels = 16, .filters = 24, .kernel = {3, 3}, .pad = {1, 1}},
      {.name = "image",
       .channels = 3,
       .filters = 20,
       .kernel = {7, 7},
       .stride = {2, 2},
       .pad = {3, 3},
       .data = s8,
       .size = {21, 18}},
      {.name = "dilated",
       .channels = 5,
       .filters = 7,
       .kernel = {3, 2},
       .stride = {2, 1},
       .pad = {2, 0},
       .dilate = {2, 3},
       .bias = false},
      {.name = "groups", .channels = 12, .filters = 8, .kernel = {3, 3}, .groups = 4, .data = s8},
      {.name = "depthwise",
       .channels = 40,
       .filters = 40,
       .kernel = {3, 3},
       .pad = {1, 1},
       .groups = 40,
       .output = u8,
       .before = Function::clip},
      {.name = "residual_uint8",
       .channels = 16,
       .filters = 33,
       .kernel = {1, 1},
       .output = u8,
       .residual = u8,
       .after = Function::relu},
      {.name = "residual_int8",
       .channels = 33,
       .filters = 16,
       .kernel = {3, 3},
       .pad = {1, 1},
       .data = s8,
       .residual = s8,
       .before = Function::leaky,
       .after = Function::clip},
      {.name = "residual_float",
       .channels = 8,
       .filters = 16,
       .kernel = {3, 3},
       .output = f32,
       .bias = false,
       .residual = f32,
       .after = Function::leaky},
      {.name = "to_int32", .channels = 17, .filters = 5, .kernel = {2, 2}, .data = s8, .output = s32},
      {.name = "to_float",
       .channels = 17,
       .filters = 48,
       .kernel = {1, 3},
       .output = f32,
       .before = Function::relu,
       .dst_factor = 0.5F},
      {.name = "whole_image", .channels = 6, .filters = 9, .kernel = {9, 8}, .dst_factor = 2.0F},
  };
}

INSTANTIATE_TEST_SUITE_P(Int8, Int8Convolution, ::testing::ValuesIn(convolved_cases()),
                         [](const auto& param) { return param.param.name; });

TEST(Int8ConvolutionRank, OneAndThreeSpatialDimensions) {
  // The same row of 8 positions under other shapes.
  const Tensor weight = random_integers<std::int8_t>({4, 6, 1, 3}, 2);
  const Tensor scale = test::random_tensor({4}, 3, 0.001F, 0.002F);
  const Tensor flat = random_integers<std::uint8_t>({2, 6, 1, 8}, 1);
  const test::RunOpOptions options{.parameters = {1, 2}};
  const Attributes common{{"num_filter", "4"}, {"no_bias", "True"}};
  const auto run = [&](const char* kernel, const Shape& data, const Shape& filters) {
    Attributes attrs = common;
    attrs["kernel"] = kernel;
    Tensor x(DType::uint8, data), w(DType::int8, filters);
    std::copy_n(flat.data<std::uint8_t>(), x.elements(), x.data<std::uint8_t>());
    std::copy_n(weight.data<std::int8_t>(), w.elements(), w.data<std::int8_t>());
    return std::move(test::run_op("_mxinfer_convolution_int8", attrs, {&x, &w, &scale}, options)[0]);
  };
  const Tensor plane = run("(1, 3)", {2, 6, 1, 8}, {4, 6, 1, 3});
  const Tensor row = run("(3,)", {2, 6, 8}, {4, 6, 3}),
               volume = run("(1, 1, 3)", {2, 6, 1, 1, 8}, {4, 6, 1, 1, 3});
  EXPECT_EQ(row.shape(), (Shape{2, 4, 6}));
  EXPECT_EQ(volume.shape(), (Shape{2, 4, 1, 1, 6}));
  for (std::int64_t i = 0; i < plane.elements(); ++i) {
    ASSERT_EQ(row.data<std::int8_t>()[i], plane.data<std::int8_t>()[i]) << i;
    ASSERT_EQ(volume.data<std::int8_t>()[i], plane.data<std::int8_t>()[i]) << i;
  }
}

TEST(Int8FullyConnected, HasTheBitsOfPlainArithmetic) {
  const Tensor weight = random_integers<std::int8_t>({21, 70}, 2),
               bias = random_integers<std::int32_t>({21}, 4, -9000, 9000);
  const Tensor scale = test::random_tensor({21}, 3, 0.0005F, 0.002F);
  for (const DType dtype : {DType::int8, DType::uint8}) {
    const Tensor data = test::random_bytes(dtype, {3, 7, 10}, 1);
    for (const DType made : {DType::int8, DType::uint8, DType::int32, DType::float32}) {
      Tensor expected(made, {3, 21});
      for (std::int64_t i = 0; i < expected.elements(); ++i) {
        std::int64_t sum = 0;
        for (std::int64_t k = 0; k < 70; ++k)
          sum += static_cast<std::int64_t>(number_at(data, i / 21 * 70 + k)) *
                 weight.data<std::int8_t>()[i % 21 * 70 + k];
        const float x = (static_cast<float>(sum) + static_cast<float>(bias.data<std::int32_t>()[i % 21])) *
                        scale.data<float>()[i % 21];
        round_to(expected, i, 0.5F * std::max(x, 0.0F));
      }
      for (const kernels::Target target : test::targets()) {
        const Attributes attrs{{"num_hidden", "21"},
                               {"dtype", to_string(made)},
                               {"before_function", "1"},
                               {"dst_factor", "0.5"}};
        test::expect_same_bits(
            test::run_op("_mxinfer_fully_connected_int8", attrs, {&data, &weight, &scale, &bias},
                         {.target = target, .parameters = {1, 2, 3}})[0],
            expected);
      }
    }
  }
}

TEST(Int8FullyConnected, KeepsLeadingDimensionsWithoutFlatten) {
  const Tensor data = random_integers<std::uint8_t>({3, 7, 10}, 1);
  const Tensor rows = random_integers<std::uint8_t>({21, 10}, 1);
  const Tensor weight = random_integers<std::int8_t>({4, 10}, 2),
               scale = test::random_tensor({4}, 3, 0.001F, 0.01F);
  const test::RunOpOptions options{.parameters = {1, 2}};
  Attributes attrs{{"num_hidden", "4"}, {"no_bias", "True"}, {"flatten", "False"}};
  Tensor deep =
      std::move(test::run_op("_mxinfer_fully_connected_int8", attrs, {&data, &weight, &scale}, options)[0]);
  const Tensor flat =
      std::move(test::run_op("_mxinfer_fully_connected_int8", attrs, {&rows, &weight, &scale}, options)[0]);
  EXPECT_EQ(deep.shape(), (Shape{3, 7, 4}));
  deep.reshape({21, 4});
  test::expect_same_bits(deep, flat);
}

TEST(Int8Products, RefuseWhatDoesNotFit) {
  const Tensor data = random_integers<std::uint8_t>({1, 4, 5, 5}, 1),
               floats = test::random_tensor({1, 4, 5, 5}, 1);
  const Tensor weight = random_integers<std::int8_t>({6, 4, 3, 3}, 2),
               few = random_integers<std::int8_t>({6, 3, 3, 3}, 2);
  const Tensor scale = test::random_tensor({6}, 3), short_scale = test::random_tensor({5}, 3);
  const Tensor bias = random_integers<std::int32_t>({6}, 4), float_bias = test::random_tensor({6}, 4);
  const Tensor residual = random_integers<std::int8_t>({1, 6, 4, 3}, 5);
  const Tensor fitting = random_integers<std::int8_t>({1, 6, 3, 3}, 5);
  const Attributes attrs{{"kernel", "(3, 3)"}, {"num_filter", "6"}};
  const auto refuses = [&](Attributes more, const std::vector<const Tensor*>& inputs, ErrorCode code,
                           const char* part) {
    more.insert(attrs.begin(), attrs.end());
    test::expect_op_error("_mxinfer_convolution_int8", more, inputs, code, part);
  };
  const ErrorCode invalid = ErrorCode::invalid_argument;
  refuses({}, {&floats, &weight, &scale, &bias}, invalid,
          "data is float32 (1, 4, 5, 5); expected int8 or uint8");
  refuses({}, {&data, &few, &scale, &bias}, invalid,
          "weight is int8 (6, 3, 3, 3); expected int8 (6, 4, 3, 3)");
  refuses({}, {&data, &weight, &short_scale, &bias}, invalid, "scale is float32 (5,); expected float32 (6,)");
  refuses({}, {&data, &weight, &scale, &float_bias}, invalid, "bias is float32 (6,); expected int32 (6,)");
  refuses(
      {{"with_sum", "True"}}, {&data, &weight, &scale, &bias, &residual}, invalid,
      "residual is int8 (1, 6, 4, 3); expected int8, uint8 or float32 of the output's shape (1, 6, 3, 3)");
  refuses({{"dst_factor", "nan"}}, {&data, &weight, &scale, &bias}, ErrorCode::malformed,
          "attribute dst_factor=nan: expected a finite float32");
  refuses({{"with_sum", "True"}, {"residual_scale", "1e300"}}, {&data, &weight, &scale, &bias, &fitting},
          ErrorCode::malformed, "attribute residual_scale=1e+300: expected a finite float32");
  refuses({{"before_function", "15"}}, {&data, &weight, &scale, &bias}, ErrorCode::malformed,
          "before_function");
  refuses({{"dtype", "float16"}}, {&data, &weight, &scale, &bias}, ErrorCode::malformed, "dtype");
  refuses({{"layout", "NHWC"}}, {&data, &weight, &scale, &bias}, ErrorCode::malformed, "layout");
  refuses({}, {&data, &weight, &scale, &bias}, ErrorCode::unsupported,
          "weight is computed; expected a parameter of the model");
}

}  // namespace
}  // namespace mxinfer
