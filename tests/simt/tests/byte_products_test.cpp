// Products of bytes: dp4a, and mma whose fragments are laid out as NVIDIA documents them.
#include "kernels/cuda/byte_products.h"

#include <random>

#include "simt/tests/test_support.h"

namespace mxinfer::simt {
namespace {

constexpr int kDown = 2, kAcross = 3, kByteRows = 16 * kDown, kByteColumns = 8 * kAcross, kBytesDeep = 32;

std::uint32_t word_at(const std::uint8_t* bytes) {
  std::uint32_t word;
  std::memcpy(&word, bytes, sizeof word);
  return word;
}

// a: kByteRows x 32, b: kByteColumns x 32, d: kByteRows x kByteColumns.
template <bool SIGNED>
void multiply_bytes_kernel(const std::uint8_t* a, const std::uint8_t* b, int* d) {
  const unsigned g = threadIdx.x / 4, t = threadIdx.x % 4;
  std::uint32_t of_a[kDown][4], of_b[kAcross][2];
  int of_d[kDown][kAcross][4];
  for (unsigned m = 0; m < kDown; ++m) {
    for (unsigned r = 0; r < 4; ++r)
      of_a[m][r] = word_at(a + (16 * m + g + 8 * (r % 2)) * kBytesDeep + 4 * t + 16 * (r / 2));
  }
  for (unsigned n = 0; n < kAcross; ++n) {
    for (unsigned r = 0; r < 2; ++r) of_b[n][r] = word_at(b + (8 * n + g) * kBytesDeep + 4 * t + 16 * r);
  }
  const auto each = [&](const auto& body) {
    for (unsigned m = 0; m < kDown; ++m) {
      for (unsigned n = 0; n < kAcross; ++n) {
        for (unsigned r = 0; r < 4; ++r)
          body(of_d[m][n][r], d[(16 * m + g + 8 * (r / 2)) * kByteColumns + 8 * n + 2 * t + r % 2]);
      }
    }
  };
  each([](int& own, const int& all) { own = all; });
  mma_bytes<SIGNED>(of_d, of_a, of_b);
  each([](const int& own, int& all) { all = own; });
}

template <bool SIGNED>
void dot_kernel(const std::uint8_t* a, const std::uint8_t* b, int* d) {
  const unsigned i = threadIdx.x;
  d[i] = dot4<SIGNED>(word_at(a + 4 * i), word_at(b + 4 * i), d[i]);
}

std::vector<std::uint8_t> bytes_of_seed(std::size_t count, unsigned seed) {
  std::mt19937 generator(seed);
  std::vector<std::uint8_t> bytes(count);
  for (std::uint8_t& byte : bytes) {
    const unsigned draw = generator();
    byte = static_cast<std::uint8_t>(draw % 4 == 0 ? 128 + draw / 4 % 2 * 127 : draw >> 8);
  }
  return bytes;
}

int number_of(std::uint8_t byte, bool is_signed) {
  return is_signed ? static_cast<std::int8_t>(byte) : byte;
}

template <bool SIGNED>
void expect_bytes_multiplied() {
  const std::vector<std::uint8_t> a = bytes_of_seed(kByteRows * kBytesDeep, 1),
                                  b = bytes_of_seed(kByteColumns * kBytesDeep, 2);
  std::vector<int> before(kByteRows * kByteColumns);
  for (std::size_t i = 0; i < before.size(); ++i) before[i] = static_cast<int>(i * 7919) - 100000;
  const DeviceArray<std::uint8_t> device_a(a), device_b(b);
  for (const char* schedule : kSchedules) {
    const ScopedOptions set(schedule);
    const DeviceArray<int> d(before);
    ASSERT_EQ(
        run_kernel(multiply_bytes_kernel<SIGNED>, 1, 32, 0, static_cast<const std::uint8_t*>(device_a.data()),
                   static_cast<const std::uint8_t*>(device_b.data()), d.data()),
        kNoError);
    const std::vector<int> actual = d.read();
    for (std::size_t i = 0; i < kByteRows; ++i) {
      for (std::size_t j = 0; j < kByteColumns; ++j) {
        int sum = before[i * kByteColumns + j];
        for (std::size_t k = 0; k < kBytesDeep; ++k)
          sum += number_of(a[i * kBytesDeep + k], SIGNED) * number_of(b[j * kBytesDeep + k], true);
        ASSERT_EQ(actual[i * kByteColumns + j], sum) << i << " " << j;
      }
    }
  }
}

TEST(ByteProducts, MatricesOfSignedAndUnsignedBytes) {
  expect_bytes_multiplied<true>();
  expect_bytes_multiplied<false>();
}

// Of any GPU that the library runs on: 7.5 has them, too.
TEST(ByteProducts, AreThereBeforeAmpere) {
  const ScopedOptions set("arch=7.5");
  expect_bytes_multiplied<true>();
}

template <bool SIGNED>
void expect_dot_products() {
  const std::vector<std::uint8_t> a = bytes_of_seed(128, 3), b = bytes_of_seed(128, 4);
  std::vector<int> expected(32, -5);
  const DeviceArray<std::uint8_t> device_a(a), device_b(b);
  const DeviceArray<int> d(expected);
  ASSERT_EQ(run_kernel(dot_kernel<SIGNED>, 1, 32, 0, static_cast<const std::uint8_t*>(device_a.data()),
                       static_cast<const std::uint8_t*>(device_b.data()), d.data()),
            kNoError);
  for (std::size_t i = 0; i < a.size(); ++i)
    expected[i / 4] += number_of(a[i], SIGNED) * number_of(b[i], true);
  EXPECT_EQ(d.read(), expected);
}

TEST(ByteProducts, OfFourBytes) {
  expect_dot_products<true>();
  expect_dot_products<false>();
}

}  // namespace
}  // namespace mxinfer::simt
