// What a GPU computes otherwise than a CPU: the emulator either does as the GPU, or says that a kernel must
// not do it.
#include <cmath>
#include <limits>

#include "kernels/common/element_type.h"
#include "simt/tests/test_support.h"

namespace mxinfer::simt {
namespace {

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kInfinity = std::numeric_limits<float>::infinity();

#ifdef MXINFER_SIMT_CHECKS  // a sanitizer of the whole build has no such messages
template <typename To, typename From>
void cast_plainly(const From* in, To* out) {
  out[threadIdx.x] = static_cast<To>(in[threadIdx.x]);
}

template <typename To, typename From>
std::string message_of_cast(From value) {
  const DeviceArray<From> in(std::vector<From>(32, value));
  const DeviceArray<To> out(32);
  return run_kernel(cast_plainly<To, From>, 1, 32, 0, static_cast<const From*>(in.data()), out.data());
}

TEST(Arithmetic, ACastOfAFloatOutsideOfTheIntegersRange) {
  for (const float value : {kNan, kInfinity, -kInfinity, 3e9f, -3e9f}) {
    const std::string text = message_of_cast<std::int32_t>(value);
    expect_contains(text, "thread (0,0,0): a cast in ");
    expect_contains(text, "arithmetic_test.cpp:");
    expect_contains(text, "makes 'int' of ");
    expect_contains(text, "call convert()");
  }
  expect_contains(message_of_cast<std::int32_t>(3e9f), "of 3e+09:");
  expect_contains(message_of_cast<std::int64_t>(-1e19), "of -1e+19:");
  expect_contains(message_of_cast<std::uint8_t>(-1.5f), "of -1.5:");
  expect_contains(message_of_cast<std::int8_t>(128.0), "of 128:");
  EXPECT_EQ(message_of_cast<std::int32_t>(-2147483648.0), kNoError);
  EXPECT_EQ(message_of_cast<std::int64_t>(9.2e18f), kNoError);
  EXPECT_EQ(message_of_cast<std::uint8_t>(255.9f), kNoError);
}
#endif

template <typename To, typename From>
void convert_all(const From* in, To* out) {
  out[threadIdx.x] = kernels::convert<To>(in[threadIdx.x]);
}

template <typename To, typename From>
void expect_converted() {
  const double limits[] = {128, 256, 2147483648.0, 9223372036854775808.0};
  std::vector<From> values{From(kNan), From(kInfinity), From(-kInfinity), From(0.25), From(-0.0f)};
  for (const double limit : limits) {
    for (const double factor : {1.0, 0.99, 1.01, -1.0, -0.99, -1.01, 1.5, -1.5})
      values.push_back(static_cast<From>(limit * factor));
  }
  const DeviceArray<From> in(values);
  const DeviceArray<To> out(values.size());
  ASSERT_EQ(run_kernel(convert_all<To, From>, 1, dim3(static_cast<unsigned>(values.size())), 0,
                       static_cast<const From*>(in.data()), out.data()),
            kNoError);
  using Wide = std::conditional_t<sizeof(To) == 8, std::int64_t, std::int32_t>;
  const double limit = std::ldexp(1.0, sizeof(Wide) == 8 ? 63 : 31);
  const std::vector<To> actual = out.read();
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double value = static_cast<double>(values[i]);
    // What cvttss2si gives, whose low bits narrower integers are.
    const Wide whole =
        value >= -limit && value < limit ? static_cast<Wide>(value) : std::numeric_limits<Wide>::min();
    EXPECT_EQ(actual[i], static_cast<To>(whole)) << value;
  }
}

TEST(Arithmetic, ConvertGivesWhatCpusGive) {
  expect_converted<std::uint8_t, float>();
  expect_converted<std::int8_t, float>();
  expect_converted<std::int32_t, float>();
  expect_converted<std::int64_t, float>();
  expect_converted<std::uint8_t, double>();
  expect_converted<std::int8_t, double>();
  expect_converted<std::int32_t, double>();
  expect_converted<std::int64_t, double>();
}

template <typename T>
void divide_rest(T dividend, T divisor, T* out) {
  out[threadIdx.x] = dividend % divisor;
}

TEST(Arithmetic, TheRestHasTheSignOfTheDividend) {
  const DeviceArray<std::int32_t> out(32);
  ASSERT_EQ(run_kernel(divide_rest<std::int32_t>, 1, 32, 0, -7, 3, out.data()), kNoError);
  EXPECT_EQ(out.read()[0], -1);
}

#ifdef MXINFER_SIMT_CHECKS
template <typename T>
void shift_left(T value, int count, T* out) {
  out[threadIdx.x] = static_cast<T>(value << count);
}
// Compilers name types as they are written, or what they are.
void shift_right(int value, int count, int* out) {
  out[threadIdx.x] = value >> count;
}

TEST(Arithmetic, AShiftByAsManyBitsAsThereAre) {
  const DeviceArray<std::uint32_t> out(32);
  const DeviceArray<int> whole(32);
  const DeviceArray<std::uint64_t> wide(32);
  const std::string text = run_kernel(shift_left<std::uint32_t>, 1, 32, 0, 5u, 32, out.data());
  expect_contains(text, "a shift in ");
  expect_contains(text, "moves 5, which is 'unsigned int', by 32 bits");
  expect_contains(run_kernel(shift_right, 1, 32, 0, -5, 40, whole.data()),
                  "moves -5, which is 'int', by 40 bits");
  expect_contains(run_kernel(shift_left<std::uint64_t>, 1, 32, 0, std::uint64_t{1}, -1, wide.data()),
                  "by -1 bits");
  EXPECT_EQ(run_kernel(shift_left<std::uint64_t>, 1, 32, 0, std::uint64_t{1}, 63, wide.data()), kNoError);
  EXPECT_EQ(wide.read()[0], std::uint64_t{1} << 63);
}

template <typename T>
void divide(T dividend, T divisor, T* out) {
  out[threadIdx.x] = dividend / divisor;
}

TEST(Arithmetic, ADivisionBy0) {
  const DeviceArray<std::int32_t> out(32);
  const DeviceArray<std::uint64_t> wide(32);
  expect_contains(run_kernel(divide<std::int32_t>, 1, 32, 0, -7, 0, out.data()), "a division in ");
  expect_contains(run_kernel(divide<std::int32_t>, 1, 32, 0, -7, 0, out.data()), "divides -7 by 0");
  expect_contains(
      run_kernel(divide_rest<std::uint64_t>, 1, 32, 0, std::uint64_t{7}, std::uint64_t{0}, wide.data()),
      "divides 7 by 0");
}
#endif

void make_float16(const float* in, std::uint16_t* out) {
  out[threadIdx.x] = to_float16(in[threadIdx.x]);
}

TEST(Arithmetic, Float16IsRoundedToEvenOverflowsAndHasOneNan) {
  const std::vector<float> values{kNan,       -kNan,  bits_float(0x7f800001u), kInfinity,         65519.0f,
                                  65520.0f,   -1e30f, 1.0f + 0x1p-11f,         1.0f + 0x1.8p-10f, 0x1p-25f,
                                  0x1.8p-25f, -0.0f};
  const std::vector<std::uint16_t> expected{0x7fff, 0x7fff, 0x7fff, 0x7c00, 0x7bff, 0x7c00,
                                            0xfc00, 0x3c00, 0x3c02, 0x0000, 0x0001, 0x8000};
  const DeviceArray<float> in(values);
  const DeviceArray<std::uint16_t> out(values.size());
  ASSERT_EQ(run_kernel(make_float16, 1, dim3(static_cast<unsigned>(values.size())), 0,
                       static_cast<const float*>(in.data()), out.data()),
            kNoError);
  EXPECT_EQ(out.read(), expected);
  for (std::size_t i = 0; i < values.size(); ++i)
    EXPECT_EQ(to_float16_by_bits(values[i]), expected[i]) << values[i];
}

void make_pairs(float low, float high, std::uint32_t* out) {
  out[0] = to_float16_pair(low, high);
  out[1] = to_bfloat16_pair(low, high);
}

TEST(Arithmetic, PairsOfHalves) {
  const DeviceArray<std::uint32_t> out(2);
  ASSERT_EQ(run_kernel(make_pairs, 1, 1, 0, 1.0f + 0x1p-11f, -2.0f, out.data()), kNoError);
  EXPECT_EQ(out.read(), (std::vector<std::uint32_t>{0xc0003c00, 0xc0003f80}));
  ASSERT_EQ(run_kernel(make_pairs, 1, 1, 0, kNan, 1.0f + 0x1.8p-7f, out.data()), kNoError);
  EXPECT_EQ(out.read(), (std::vector<std::uint32_t>{0x3c0c7fff, 0x3f827fff}));
}

#if defined(__FMA__) || defined(__aarch64__)
void multiply_and_add(float x, float y, float z, float* out) {
  *out = x * y + z;
}
void multiply_then_add(float x, float y, float z, float* out) {
  *out = add_rn(mul_rn(x, y), z);
}

TEST(Arithmetic, AProductAndASumAreRoundedOnceUnlessAKernelSaysOtherwise) {
  const DeviceArray<float> out(1);
  const float x = 1 + 0x1p-12f, z = -(1 + 0x1p-11f);
  ASSERT_EQ(run_kernel(multiply_and_add, 1, 1, 0, x, x, z, out.data()), kNoError);
  EXPECT_EQ(out.read()[0], 0x1p-24f);
  ASSERT_EQ(run_kernel(multiply_then_add, 1, 1, 0, x, x, z, out.data()), kNoError);
  EXPECT_EQ(out.read()[0], 0);
}
#endif

struct Extremes {
  float larger[4], smaller[4];
};
void take_extremes(float x, float y, Extremes* out) {
  *out = {{fmaxf(x, y), fmaxf(y, x), fmaxf(kNan, x), fmaxf(x, kNan)},
          {fminf(x, y), fminf(y, x), fminf(kNan, x), fminf(x, kNan)}};
}

TEST(Arithmetic, LargestAndSmallestOfNanIsTheOtherNumber) {
  const DeviceArray<Extremes> out(1);
  ASSERT_EQ(run_kernel(take_extremes, 1, 1, 0, -2.0f, 3.0f, out.data()), kNoError);
  const Extremes found = out.read()[0];
  EXPECT_EQ(found.larger[0], 3);
  EXPECT_EQ(found.larger[1], 3);
  EXPECT_EQ(found.smaller[0], -2);
  EXPECT_EQ(found.smaller[1], -2);
  for (int i = 2; i < 4; ++i) {
    EXPECT_EQ(found.larger[i], -2);
    EXPECT_EQ(found.smaller[i], -2);
  }
}

}  // namespace
}  // namespace mxinfer::simt
