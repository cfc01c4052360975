#include <random>

#include "simt/tests/test_support.h"

namespace mxinfer::simt {
namespace {

constexpr int kGroupRows = 64, kGroupColumns = 160, kRowWords = 32;

struct Stages {
  std::uint32_t left[kGroupRows][kRowWords], right[kGroupColumns][kRowWords];
};

/// Rows of 128 bytes into shared memory, in swizzled chunks.
template <int ROWS>
void bring(const std::uint32_t* from, std::uint32_t (&rows)[ROWS][kRowWords]) {
  for (int i = static_cast<int>(threadIdx.x); i < ROWS * kRowWords; i += 128) {
    const int row = i / kRowWords, word = i % kRowWords;
    rows[row][(word / 4 ^ row % 8) * 4 + word % 4] = from[i];
  }
}

void store_sums(const float (&sums)[1][kGroupColumns / 8][4], float* d) {
  const int warp = static_cast<int>(threadIdx.x) / 32, lane = static_cast<int>(threadIdx.x) % 32;
  for (int n = 0; n < kGroupColumns / 8; ++n) {
    for (int r = 0; r < 4; ++r) {
      const int row = 16 * warp + lane / 4 + r / 2 * 8, column = 8 * n + lane % 4 * 2 + r % 2;
      d[row * kGroupColumns + column] = sums[0][n][r];
    }
  }
}

void multiply_halves_by_group(const std::uint32_t* a, const std::uint32_t* b, float* d) {
  Stages& stages = shared_memory<Stages>();
  bring(a, stages.left);
  bring(b, stages.right);
  publish_to_groups();
  __syncthreads();
  float sums[1][kGroupColumns / 8][4] = {};
  group_begin();
  for (int slice = 0; slice < 4; ++slice) {
    group_mma_f16<0, 16>(sums, stages.left[0], stages.right[0], slice);
    group_mma_f16<16, 4>(sums, stages.left[0], stages.right[128], slice);
  }
  group_commit();
  group_wait<0>();
  group_end(sums);
  store_sums(sums, d);
}

void multiply_floats_by_group(const float* a, const std::uint32_t* b, float* d) {
  Stages& stages = shared_memory<Stages>();
  bring(b, stages.right);
  publish_to_groups();
  __syncthreads();
  const int warp = static_cast<int>(threadIdx.x) / 32, lane = static_cast<int>(threadIdx.x) % 32;
  float sums[1][kGroupColumns / 8][4] = {};
  for (int slice = 0; slice < 4; ++slice) {
    std::uint32_t left[4];
    for (int r = 0; r < 4; ++r) {
      const int row = 16 * warp + lane / 4 + r % 2 * 8, depth = 8 * slice + lane % 4 + r / 2 * 4;
      left[r] = float_bits(a[row * kRowWords + depth]);
    }
    group_begin();
    group_mma_tf32<0, 16>(sums, left, stages.right[0], slice);
    group_mma_tf32<16, 4>(sums, left, stages.right[128], slice);
    group_commit();
    group_wait<0>();
  }
  group_end(sums);
  store_sums(sums, d);
}

/// Whole numbers, whose products are exact.
std::vector<int> some_numbers(std::size_t count, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<int> numbers(count);
  for (int& x : numbers) x = static_cast<int>(random() % 17) - 8;
  return numbers;
}

template <int DEPTH>
void expect_product(const std::vector<float>& found, const std::vector<int>& a, const std::vector<int>& b) {
  for (int row = 0; row < kGroupRows; ++row) {
    for (int column = 0; column < kGroupColumns; ++column) {
      int sum = 0;
      for (int k = 0; k < DEPTH; ++k)
        sum += a[static_cast<std::size_t>(row * DEPTH + k)] * b[static_cast<std::size_t>(column * DEPTH + k)];
      ASSERT_EQ(found[static_cast<std::size_t>(row * kGroupColumns + column)], static_cast<float>(sum))
          << row << " " << column;
    }
  }
}

TEST(Warpgroup, MultipliesHalves) {
  const auto a = some_numbers(kGroupRows * 64, 1), b = some_numbers(kGroupColumns * 64, 2);
  const auto packed = [](const std::vector<int>& numbers) {
    std::vector<std::uint32_t> words(numbers.size() / 2);
    for (std::size_t i = 0; i < numbers.size(); ++i)
      words[i / 2] |= static_cast<std::uint32_t>(to_float16(static_cast<float>(numbers[i]))) << (i % 2 * 16);
    return words;
  };
  const DeviceArray<std::uint32_t> left(packed(a)), right(packed(b));
  const DeviceArray<float> out(kGroupRows * kGroupColumns);
  for (const char* schedule : kSchedules) {
    const ScopedOptions set(schedule);
    ASSERT_EQ(
        run_kernel(multiply_halves_by_group, 1, 128, sizeof(Stages), left.data(), right.data(), out.data()),
        kNoError);
    expect_product<64>(out.read(), a, b);
  }
}

TEST(Warpgroup, MultipliesFloatsInRegisters) {
  const auto a = some_numbers(kGroupRows * kRowWords, 3), b = some_numbers(kGroupColumns * kRowWords, 4);
  std::vector<std::uint32_t> words;
  for (const int x : b) words.push_back(float_bits(static_cast<float>(x)));
  const DeviceArray<float> left(std::vector<float>(a.begin(), a.end())), out(kGroupRows * kGroupColumns);
  const DeviceArray<std::uint32_t> right(words);
  for (const char* schedule : kSchedules) {
    const ScopedOptions set(schedule);
    ASSERT_EQ(
        run_kernel(multiply_floats_by_group, 1, 128, sizeof(Stages), left.data(), right.data(), out.data()),
        kNoError);
    expect_product<32>(out.read(), a, b);
  }
}

void multiply_from(int word) {
  Stages& stages = shared_memory<Stages>();
  float sums[1][4][4] = {};
  group_begin();
  group_mma_f16<0, 4>(sums, stages.left[0] + word, stages.right[0], 0);
}

std::string message_of_group(unsigned threads, int word) {
  return run_kernel(multiply_from, 1, threads, sizeof(Stages), word);
}

TEST(Warpgroup, WantsWholeGroupsRowsInPlaceAndItsArchitecture) {
  expect_contains(message_of_group(128, 32), "begin at no multiple of 1024 bytes");
  expect_contains(message_of_group(96, 0), "is of 4 warps");
  const ScopedOptions set("arch=8.0");
  expect_contains(message_of_group(128, 0), "group_mma_f16()");
  expect_contains(message_of_group(128, 0), "only there in architecture 9.0");
}

/// What a kernel does otherwise than it should.
enum class Fault {
  none,
  rows_overwritten,       // before the wait
  fragments_overwritten,  // before the wait
  rows_written_late,      // behind group_mma_*()
  sums_read_before_end,
  sums_changed,
  not_begun,
  not_committed,
  not_waited_for,
  ended_before_the_wait,
};

/// 8 products of ones in each sum.
void multiply_ones(Fault fault, float* d) {
  Stages& stages = shared_memory<Stages>();
  const auto fill = [&](float x) {
    for (int i = static_cast<int>(threadIdx.x); i < 32 * kRowWords; i += 128)
      stages.right[i / kRowWords][i % kRowWords] = float_bits(x);
  };
  fill(fault == Fault::rows_written_late ? 2.0f : 1.0f);
  publish_to_groups();
  __syncthreads();
  float sums[1][4][4] = {};
  std::uint32_t ones[4] = {float_bits(1), float_bits(1), float_bits(1), float_bits(1)};
  if (fault != Fault::not_begun) group_begin();
  group_mma_tf32<0, 4>(sums, ones, stages.right[0], 0);
  if (fault != Fault::not_committed) group_commit();
  __syncthreads();
  if (fault == Fault::rows_overwritten) fill(2);
  if (fault == Fault::rows_written_late) fill(1);
  if (fault == Fault::fragments_overwritten) ones[1] = float_bits(2);
  if (fault == Fault::sums_changed) sums[0][0][0] = 1;
  __syncthreads();
  if (fault == Fault::ended_before_the_wait) group_end(sums);
  if (fault == Fault::not_waited_for) return;
  group_wait<0>();
  if (fault == Fault::sums_read_before_end) d[threadIdx.x] = sums[0][3][3];
  group_end(sums);
  if (fault != Fault::sums_read_before_end) d[threadIdx.x] = sums[0][3][3];
}

/// The message, or what a sum is.
std::string result_of(Fault fault) {
  const DeviceArray<float> out(128);
  const std::string message = run_kernel(multiply_ones, 1, 128, sizeof(Stages), fault, out.data());
  return message != kNoError ? message : std::to_string(out.read()[127]);
}

TEST(Warpgroup, ShowsWhatIsOverwrittenBeforeTheWait) {
  const ScopedOptions set("multiply_late=1");
  EXPECT_EQ(result_of(Fault::none), "8.000000");
  EXPECT_EQ(result_of(Fault::rows_overwritten), "16.000000");
  EXPECT_EQ(result_of(Fault::fragments_overwritten), "12.000000");
  EXPECT_EQ(result_of(Fault::rows_written_late), "8.000000");
}

TEST(Warpgroup, ShowsWhatIsNotThereYet) {
  const ScopedOptions set("multiply_late=0");
  EXPECT_EQ(result_of(Fault::none), "8.000000");
  EXPECT_EQ(result_of(Fault::rows_written_late), "16.000000");
  EXPECT_EQ(result_of(Fault::rows_overwritten), "8.000000");
}

TEST(Warpgroup, WantsSumsToBeWaitedForAndLeftAlone) {
  for (const char* when : {"multiply_late=0", "multiply_late=1"}) {
    const ScopedOptions set(when);
    expect_contains(result_of(Fault::sums_read_before_end), "nan");
    expect_contains(result_of(Fault::sums_changed), "is of sums that were changed");
    expect_contains(result_of(Fault::not_begun), "call group_begin() before");
    expect_contains(result_of(Fault::not_committed), "which has not been waited for; call group_commit()");
    expect_contains(result_of(Fault::not_waited_for), "ends, and has not waited for its group_mma_tf32()");
    expect_contains(result_of(Fault::ended_before_the_wait), "which has not been waited for");
  }
}

}  // namespace
}  // namespace mxinfer::simt
