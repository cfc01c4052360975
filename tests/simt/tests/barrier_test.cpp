#include <numeric>

#include "simt/tests/test_support.h"

namespace mxinfer::simt {
namespace {

struct Numbers {
  int of_thread[1024];
};

// Each thread reads what another one has written, many times.
void rotate(int* out, int rounds) {
  Numbers& shared = shared_memory<Numbers>();
  const unsigned count = blockDim.x * blockDim.y * blockDim.z;
  const unsigned i = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
  int value = static_cast<int>(i);
  for (int r = 0; r < rounds; ++r) {
    shared.of_thread[i] = value;
    __syncthreads();
    value = shared.of_thread[(i + 1) % count];
    __syncthreads();
  }
  const unsigned block = blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
  out[block * count + i] = value + 10000 * static_cast<int>(block);
}

void expect_rotated(dim3 grid, dim3 block, int rounds) {
  const unsigned count = block.x * block.y * block.z, blocks = grid.x * grid.y * grid.z;
  const DeviceArray<int> out(std::size_t{count} * blocks);
  ASSERT_EQ(run_kernel(rotate, grid, block, sizeof(Numbers), out.data(), rounds), kNoError);
  const std::vector<int> values = out.read();
  for (unsigned i = 0; i < values.size(); ++i) {
    const unsigned expected = (i % count + static_cast<unsigned>(rounds)) % count + 10000 * (i / count);
    ASSERT_EQ(values[i], static_cast<int>(expected)) << i;
  }
}

TEST(Barrier, OrdersAllThreadsInEverySchedule) {
  for (const char* schedule : kSchedules) {
    SCOPED_TRACE(schedule);
    const ScopedOptions set(schedule);
    expect_rotated(5, 1, 3);
    expect_rotated(1, 33, 40);
    expect_rotated(7, 256, 5);
    expect_rotated(2, 1024, 3);
  }
}

TEST(Barrier, CountsThreadsAndBlocksInThreeDimensions) {
  expect_rotated(dim3(3, 2, 4), dim3(5, 3, 2), 7);
}

void order_of_starts(int* next, int* order) {
  const int at = atomicAdd(next, 1);
  order[at] = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
}

std::vector<int> starts(const char* schedule) {
  const ScopedOptions set(schedule);
  const DeviceArray<int> next(std::vector<int>{0}), order(64);
  EXPECT_EQ(run_kernel(order_of_starts, 4, 16, 0, next.data(), order.data()), kNoError);
  return order.read();
}

TEST(Barrier, StartsThreadsAndBlocksInTheScheduleOfTheOptions) {
  std::vector<int> expected(64);
  std::iota(expected.begin(), expected.end(), 0);
  EXPECT_EQ(starts("order=forward"), expected);
  EXPECT_EQ(starts("order=reverse"), std::vector<int>(expected.rbegin(), expected.rend()));
  const std::vector<int> random = starts("order=random,seed=3");
  EXPECT_TRUE(std::is_permutation(random.begin(), random.end(), expected.begin()));
  EXPECT_NE(random, expected);
  EXPECT_EQ(random, starts("order=random,seed=3"));
  EXPECT_NE(random, starts("order=random,seed=4"));
}

void local_arrays(int* out) {
  volatile int values[512];
  for (int i = 0; i < 512; ++i) values[i] = i + static_cast<int>(threadIdx.x);
  __syncthreads();
  int sum = 0;
  for (int i = 0; i < 512; ++i) sum += values[i];
  out[threadIdx.x] = sum;
}

TEST(Barrier, KeepsEachThreadsOwnVariables) {
  const DeviceArray<int> out(128);
  ASSERT_EQ(run_kernel(local_arrays, 1, 128, 0, out.data()), kNoError);
  const std::vector<int> values = out.read();
  for (int i = 0; i < 128; ++i) EXPECT_EQ(values[static_cast<std::size_t>(i)], 512 * 511 / 2 + 512 * i);
}

void read_shared(float* out) {
  out[threadIdx.x] = shared_memory<float[8]>()[threadIdx.x];
}

TEST(Barrier, FillsSharedMemoryWithNaN) {
  const DeviceArray<float> out(8);
  ASSERT_EQ(run_kernel(read_shared, 1, 8, 32, out.data()), kNoError);
  for (const float value : out.read()) EXPECT_TRUE(std::isnan(value));
}

}  // namespace
}  // namespace mxinfer::simt
