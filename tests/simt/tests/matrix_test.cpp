#include <random>

#include "simt/tests/test_support.h"

namespace mxinfer::simt {
namespace {

struct alignas(16) Halves {
  std::uint16_t rows[32][8];
};

void load_matrices(std::uint32_t* out, bool transposed) {
  Halves& halves = shared_memory<Halves>();
  const unsigned lane = threadIdx.x;
  for (unsigned i = 0; i < 8; ++i) halves.rows[lane][i] = static_cast<std::uint16_t>(100 * lane + i);
  __syncthreads();
  std::uint32_t r[4];
  if (transposed) {
    ldmatrix_x4_trans(r, halves.rows[lane]);
  } else {
    ldmatrix_x4(r, halves.rows[lane]);
  }
  for (unsigned j = 0; j < 4; ++j) out[lane * 4 + j] = r[j];
}

TEST(Matrix, LoadsEightByEight) {
  for (const bool transposed : {false, true}) {
    const DeviceArray<std::uint32_t> out(128);
    ASSERT_EQ(run_kernel(load_matrices, 1, 32, sizeof(Halves), out.data(), transposed), kNoError);
    const std::vector<std::uint32_t> values = out.read();
    for (unsigned lane = 0; lane < 32; ++lane) {
      for (unsigned j = 0; j < 4; ++j) {
        const unsigned g = lane / 4, t = lane % 4;
        const auto element = [&](unsigned row, unsigned column) { return 100 * (8 * j + row) + column; };
        const std::uint32_t expected = transposed ? element(2 * t, g) | element(2 * t + 1, g) << 16
                                                  : element(g, 2 * t) | element(g, 2 * t + 1) << 16;
        EXPECT_EQ(values[lane * 4 + j], expected) << lane << " " << j;
      }
    }
  }
}

constexpr int kM = 2, kN = 3, kRows = 16 * kM, kColumns = 8 * kN;

std::uint32_t pair_of(const std::uint16_t* halves) {
  return halves[0] | static_cast<std::uint32_t>(halves[1]) << 16;
}

// a: kRows x 16, b: kColumns x 16, d: kRows x kColumns.
template <bool kBfloat16>
void multiply_halves(const std::uint16_t* a, const std::uint16_t* b, float* d) {
  const unsigned g = threadIdx.x / 4, t = threadIdx.x % 4;
  std::uint32_t of_a[kM][4], of_b[kN][2];
  float of_d[kM][kN][4];
  for (unsigned m = 0; m < kM; ++m) {
    for (unsigned r = 0; r < 4; ++r)
      of_a[m][r] = pair_of(a + (16 * m + g + 8 * (r % 2)) * 16 + 2 * t + 8 * (r / 2));
  }
  for (unsigned n = 0; n < kN; ++n) {
    for (unsigned r = 0; r < 2; ++r) of_b[n][r] = pair_of(b + (8 * n + g) * 16 + 2 * t + 8 * r);
  }
  const auto place = [&](unsigned m, unsigned n, unsigned r) {
    return (16 * m + g + 8 * (r / 2)) * kColumns + 8 * n + 2 * t + r % 2;
  };
  for (unsigned m = 0; m < kM; ++m) {
    for (unsigned n = 0; n < kN; ++n) {
      for (unsigned r = 0; r < 4; ++r) of_d[m][n][r] = d[place(m, n, r)];
    }
  }
  if constexpr (kBfloat16) {
    mma_bf16(of_d, of_a, of_b);
  } else {
    mma_f16(of_d, of_a, of_b);
  }
  for (unsigned m = 0; m < kM; ++m) {
    for (unsigned n = 0; n < kN; ++n) {
      for (unsigned r = 0; r < 4; ++r) d[place(m, n, r)] = of_d[m][n][r];
    }
  }
}

// a: kRows x 8, b: kColumns x 8.
void multiply_tf32(const float* a, const float* b, float* d) {
  const unsigned g = threadIdx.x / 4, t = threadIdx.x % 4;
  std::uint32_t of_a[kM][4], of_b[kN][2];
  float of_d[kM][kN][4] = {};
  for (unsigned m = 0; m < kM; ++m) {
    for (unsigned r = 0; r < 4; ++r)
      of_a[m][r] = float_bits(a[(16 * m + g + 8 * (r % 2)) * 8 + t + 4 * (r / 2)]);
  }
  for (unsigned n = 0; n < kN; ++n) {
    for (unsigned r = 0; r < 2; ++r) of_b[n][r] = float_bits(b[(8 * n + g) * 8 + t + 4 * r]);
  }
  mma_tf32(of_d, of_a, of_b);
  for (unsigned m = 0; m < kM; ++m) {
    for (unsigned n = 0; n < kN; ++n) {
      for (unsigned r = 0; r < 4; ++r)
        d[(16 * m + g + 8 * (r / 2)) * kColumns + 8 * n + 2 * t + r % 2] = of_d[m][n][r];
    }
  }
}

std::vector<float> random_floats(std::size_t count, unsigned seed) {
  std::mt19937 generator(seed);
  std::uniform_real_distribution<float> distribution(-2, 2);
  std::vector<float> values(count);
  for (float& value : values) value = distribution(generator);
  return values;
}

/// d + a b of rows and columns of `depth`, in float64.
void expect_product(const std::vector<float>& a, const std::vector<float>& b,
                    const std::vector<float>& before, const std::vector<float>& actual, std::size_t depth) {
  for (std::size_t i = 0; i < kRows; ++i) {
    for (std::size_t j = 0; j < kColumns; ++j) {
      double sum = before[i * kColumns + j];
      for (std::size_t k = 0; k < depth; ++k) sum += double{a[i * depth + k]} * b[j * depth + k];
      EXPECT_NEAR(actual[i * kColumns + j], sum, 1e-5) << i << " " << j;
    }
  }
}

template <bool kBfloat16>
void expect_halves_multiplied() {
  const auto round = [](std::vector<float>& values) {
    std::vector<std::uint16_t> bits;
    for (float& value : values) {
      bits.push_back(kBfloat16 ? static_cast<std::uint16_t>(float_bits(value) >> 16) : to_float16(value));
      value =
          kBfloat16 ? bits_float(static_cast<std::uint32_t>(bits.back()) << 16) : from_float16(bits.back());
    }
    return bits;
  };
  std::vector<float> a = random_floats(kRows * 16, 1), b = random_floats(kColumns * 16, 2);
  const std::vector<float> before = random_floats(kRows * kColumns, 3);
  const DeviceArray<std::uint16_t> device_a(round(a)), device_b(round(b));
  for (const char* schedule : kSchedules) {
    const ScopedOptions set(schedule);
    const DeviceArray<float> d(before);
    ASSERT_EQ(
        run_kernel(multiply_halves<kBfloat16>, 1, 32, 0, static_cast<const std::uint16_t*>(device_a.data()),
                   static_cast<const std::uint16_t*>(device_b.data()), d.data()),
        kNoError);
    expect_product(a, b, before, d.read(), 16);
  }
}

TEST(Matrix, MultipliesFloat16) {
  expect_halves_multiplied<false>();
}

TEST(Matrix, MultipliesBfloat16) {
  expect_halves_multiplied<true>();
}

TEST(Matrix, MultipliesTf32WithoutTheLowerBits) {
  std::vector<float> a = random_floats(kRows * 8, 4), b = random_floats(kColumns * 8, 5);
  const DeviceArray<float> device_a(a), device_b(b), d(kRows * kColumns);
  ASSERT_EQ(run_kernel(multiply_tf32, 1, 32, 0, static_cast<const float*>(device_a.data()),
                       static_cast<const float*>(device_b.data()), d.data()),
            kNoError);
  for (std::vector<float>* values : {&a, &b}) {
    for (float& value : *values) value = bits_float(float_bits(value) & 0xffffe000u);
  }
  expect_product(a, b, std::vector<float>(kRows * kColumns), d.read(), 8);
}

TEST(Matrix, Float16IsThatOfTheProcessor) {
  for (std::uint32_t bits = 0; bits < 0x10000u; ++bits) {
    const auto half = static_cast<std::uint16_t>(bits);
    const float value = from_float16_by_bits(half);
    if (std::isnan(value)) {
      EXPECT_TRUE(std::isnan(from_float16(half)));
      EXPECT_TRUE(std::isnan(from_float16(to_float16_by_bits(value))));
      continue;
    }
    ASSERT_EQ(float_bits(from_float16(half)), float_bits(value)) << bits;
    ASSERT_EQ(to_float16_by_bits(value), half) << bits;
    // Between this and the next one, and next to the middle.
    for (const std::uint32_t more : {0x0fffu, 0x1000u, 0x1001u, 0x1fffu}) {
      const float between = bits_float(float_bits(value) + more);
      if (std::isnan(between)) continue;
      ASSERT_EQ(to_float16_by_bits(between), to_float16(between)) << bits;
    }
  }
  EXPECT_EQ(to_float16_by_bits(65519.f), 0x7bff);
  EXPECT_EQ(to_float16_by_bits(65520.f), 0x7c00);
  EXPECT_EQ(to_float16_by_bits(0x1p-25f), 0);
  EXPECT_EQ(to_float16_by_bits(0x1.8p-25f), 1);
}

}  // namespace
}  // namespace mxinfer::simt
