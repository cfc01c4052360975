#include "simt/tests/test_support.h"

namespace mxinfer::simt {
namespace {

struct alignas(16) Stages {
  float of[3][64];
};

// A pipeline of three stages: out[i] is the sum of column i of `in`, which has `rows` rows of 64.
void sum_rows(const float* in, float* out, int rows) {
  Stages& stages = shared_memory<Stages>();
  const unsigned i = threadIdx.x;
  const auto ask = [&](int row) {
    if (row < rows && i < 16) cp_async16(&stages.of[row % 3][4 * i], in + row * 64 + 4 * i, 16);
    cp_async_commit();
  };
  ask(0);
  ask(1);
  float sum = 0;
  for (int row = 0; row < rows; ++row) {
    cp_async_wait<1>();
    __syncthreads();
    ask(row + 2);
    sum += stages.of[row % 3][i];
  }
  out[i] = sum;
  cp_async_wait<0>();
}

TEST(AsyncCopy, FeedsAPipelineInEverySchedule) {
  for (const char* schedule : kSchedules) {
    const ScopedOptions set(schedule);
    for (const int rows : {1, 2, 3, 4, 10}) {
      std::vector<float> values(static_cast<std::size_t>(rows) * 64), expected(64);
      for (std::size_t i = 0; i < values.size(); ++i) {
        values[i] = static_cast<float>(i * 7 % 31);
        expected[i % 64] += values[i];
      }
      const DeviceArray<float> in(values), out(64);
      ASSERT_EQ(
          run_kernel(sum_rows, 1, 64, sizeof(Stages), static_cast<const float*>(in.data()), out.data(), rows),
          kNoError);
      EXPECT_EQ(out.read(), expected) << schedule << " " << rows;
    }
  }
}

struct alignas(16) Row {
  float values[8];
};

void copy_parts(const float* in, float* out, int bytes) {
  Row& row = shared_memory<Row>();
  if (threadIdx.x == 0) cp_async16(row.values, in, bytes);
  if (threadIdx.x > 3) cp_async4(&row.values[threadIdx.x], in + threadIdx.x, threadIdx.x % 2 == 0 ? 4 : 0);
  cp_async_commit();
  cp_async_wait<0>();
  __syncthreads();
  out[threadIdx.x] = row.values[threadIdx.x];
}

void copy_nothing(float* out) {
  Row& row = shared_memory<Row>();
  cp_async16(row.values, reinterpret_cast<const float*>(12), 0);
  cp_async_commit();
  cp_async_wait<0>();
  out[0] = row.values[0];
}

TEST(AsyncCopy, PutsZeroWhereItTakesNothing) {
  for (const char* schedule : {"late=0", "late=1", "arch=7.5"}) {
    const ScopedOptions set(schedule);
    const DeviceArray<float> in(std::vector<float>{1, 2, 3, 4, 5, 6, 7, 8}), out(8);
    const float* const from = in.data();
    ASSERT_EQ(run_kernel(copy_parts, 1, 8, sizeof(Row), from, out.data(), 16), kNoError);
    EXPECT_EQ(out.read(), (std::vector<float>{1, 2, 3, 4, 5, 0, 7, 0}));
    ASSERT_EQ(run_kernel(copy_parts, 1, 8, sizeof(Row), from, out.data(), 8), kNoError);
    EXPECT_EQ(out.read(), (std::vector<float>{1, 2, 0, 0, 5, 0, 7, 0}));
    // An address of which nothing is read need not be one.
    ASSERT_EQ(run_kernel(copy_nothing, 1, 1, sizeof(Row), out.data()), kNoError);
    EXPECT_EQ(out.read()[0], 0.f);
  }
}

// Reads before it waits.
void read_early(const float* in, float* out) {
  Row& row = shared_memory<Row>();
  cp_async4(&row.values[threadIdx.x], in + threadIdx.x, 4);
  cp_async_commit();
  out[threadIdx.x] = row.values[threadIdx.x];
  cp_async_wait<0>();
}

TEST(AsyncCopy, IsMadeWhenTheOptionsSay) {
  const std::vector<float> values{1, 2, 3, 4, 5, 6, 7, 8};
  const DeviceArray<float> in(values), out(8);
  const float* const from = in.data();
  {
    const ScopedOptions set("late=0");
    ASSERT_EQ(run_kernel(read_early, 1, 8, sizeof(Row), from, out.data()), kNoError);
    EXPECT_EQ(out.read(), values);
  }
  const ScopedOptions set("late=1");
  ASSERT_EQ(run_kernel(read_early, 1, 8, sizeof(Row), from, out.data()), kNoError);
  for (const float value : out.read()) EXPECT_TRUE(std::isnan(value));
}

}  // namespace
}  // namespace mxinfer::simt
