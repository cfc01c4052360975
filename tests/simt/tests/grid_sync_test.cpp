// Blocks of a cooperative launch that wait for each other.
#include "simt/tests/test_support.h"

namespace mxinfer::simt {
namespace {

template <class... P, class... A>
std::string run_cooperative(void (*kernel)(P...), const Grid& grid, dim3 block, std::size_t shared_bytes,
                            A... args) {
  const Status launched = launch_cooperative(kernel, grid, block, shared_bytes, Stream{}, args...);
  const cudaError_t done = cudaStreamSynchronize(nullptr);
  cudaGetLastError();
  return cudaGetErrorString(launched != cudaSuccess ? static_cast<cudaError_t>(launched) : done);
}

struct Parts {
  int of_thread[64];
};

// In each round a block reads what all blocks have written in the round before.
void add_neighbours(int* values, unsigned* counter, int rounds) {
  Parts& parts = shared_memory<Parts>();
  const unsigned blocks = gridDim.x;
  for (int round = 0; round < rounds; ++round) {
    const int* before = values + round % 2 * static_cast<int>(blocks);
    int* next = values + (round + 1) % 2 * static_cast<int>(blocks);
    parts.of_thread[threadIdx.x] = threadIdx.x < blocks ? before[threadIdx.x] : 0;
    __syncthreads();
    int sum = 0;
    for (const int part : parts.of_thread) sum += part;
    if (threadIdx.x == 0) next[blockIdx.x] = sum % 1000 + static_cast<int>(blockIdx.x);
    __syncthreads();
    if (threadIdx.x == 0) {
      signal(counter);
      wait_for(counter, blocks * static_cast<unsigned>(round + 1));
    }
    __syncthreads();
  }
}

std::vector<int> expected_values(int blocks, int rounds) {
  std::vector<int> values(static_cast<std::size_t>(blocks), 1);
  for (int round = 0; round < rounds; ++round) {
    int sum = 0;
    for (const int value : values) sum += value;
    for (int block = 0; block < blocks; ++block) values[static_cast<std::size_t>(block)] = sum % 1000 + block;
  }
  return values;
}

TEST(GridSync, BlocksSeeWhatOthersHaveWritten) {
  for (const char* schedule : kSchedules) {
    SCOPED_TRACE(schedule);
    const ScopedOptions set(schedule);
    for (const int blocks : {1, 2, 16}) {
      const DeviceArray<int> values(std::vector<int>(static_cast<std::size_t>(2 * blocks), 1));
      const DeviceArray<unsigned> counter(std::vector<unsigned>{0});
      EXPECT_EQ(run_cooperative(add_neighbours, blocks, 64, sizeof(Parts), values.data(), counter.data(), 6),
                kNoError);
      const std::vector<int> all = values.read();
      const std::vector<int> last(all.begin(), all.begin() + blocks);
      EXPECT_EQ(last, expected_values(blocks, 6));
    }
  }
}

// One thread of a block goes on while another one waits.
void wait_for_own_block(int* out, unsigned* counter) {
  if (threadIdx.x == 40) wait_for(counter, 2 * gridDim.x);
  if (threadIdx.x < 2) signal(counter);
  __syncthreads();
  if (threadIdx.x == 0) out[blockIdx.x] = 1;
}

TEST(GridSync, ThreadsOfABlockGoOnWhileOneWaits) {
  for (const char* schedule : kSchedules) {
    SCOPED_TRACE(schedule);
    const ScopedOptions set(schedule);
    const DeviceArray<int> out(std::vector<int>(3, 0));
    const DeviceArray<unsigned> counter(std::vector<unsigned>{0});
    EXPECT_EQ(run_cooperative(wait_for_own_block, 3, 64, 0, out.data(), counter.data()), kNoError);
    EXPECT_EQ(out.read(), std::vector<int>(3, 1));
  }
}

TEST(GridSync, WhatWouldHangIsAMessage) {
  const DeviceArray<int> values(std::vector<int>(64, 1));
  const DeviceArray<unsigned> counter(std::vector<unsigned>{0});
  const std::string alone =
      run_kernel(add_neighbours, 2, 64, sizeof(Parts), values.data(), counter.data(), 1);
  expect_contains(alone, "the launch is not cooperative");
  const ScopedOptions set("multiprocessors=4");
  expect_contains(run_cooperative(add_neighbours, 5, 64, sizeof(Parts), values.data(), counter.data(), 1),
                  "5 blocks is of more than the 4");
  const auto wait_for_nobody = [](unsigned* at) {
    if (threadIdx.x == 0) wait_for(at, 100);
  };
  void (*const kernel)(unsigned*) = wait_for_nobody;
  const std::string forever = run_cooperative(kernel, 3, 32, 0, counter.data());
  expect_contains(forever, "no thread can go on");
  expect_contains(forever, "wait_for()");
}

}  // namespace
}  // namespace mxinfer::simt
