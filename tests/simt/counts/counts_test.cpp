// What the counter says of kernels whose requests are known.
#include "simt/counts/counts.h"

#include "simt/tests/test_support.h"

namespace mxinfer::simt {
namespace {

constexpr int kThreads = 64, kWarps = 2;

/// Runs one block of 64 threads.
template <class... P, class... A>
const Counts& count(void (*kernel)(P...), std::size_t shared_bytes, A... args) {
  EXPECT_EQ(run_kernel(kernel, 1, kThreads, shared_bytes, args...), kNoError);
  return last_counts();
}

__global__ void copy_floats(const float* src, float* dst, int stride) {
  const int i = static_cast<int>(threadIdx.x);
  dst[i] = src[i * stride];
}

TEST(Counts, NeighboursShareSectors) {
  const DeviceArray<float> src(2 * kThreads), dst(kThreads);
  const Counts& counts = count(copy_floats, 0, src.data(), dst.data(), 1);
  EXPECT_EQ(counts.blocks, 1u);
  EXPECT_EQ(counts.warps, 2u);
  EXPECT_EQ(counts.global_loads.requests, 2u);
  EXPECT_EQ(counts.global_loads.sectors, 4u * kWarps);
  EXPECT_EQ(counts.global_loads.bytes, 128u * kWarps);
  EXPECT_EQ(counts.global_stores.requests, 2u);
  EXPECT_EQ(counts.global_stores.sectors, 4u * kWarps);
  EXPECT_EQ(counts.different_sectors, 4u * kWarps);
  EXPECT_EQ(counts.waits.loads, 1u * kWarps);
  EXPECT_EQ(counts.footprint_read, 256);
  EXPECT_EQ(counts.footprint_written, 256);
  EXPECT_NE(counts.kernel.find("copy_floats"), std::string::npos);
}

TEST(Counts, AStrideOfTwoNeedsTwiceTheSectors) {
  const DeviceArray<float> src(2 * kThreads), dst(kThreads);
  const Counts& counts = count(copy_floats, 0, src.data(), dst.data(), 2);
  EXPECT_EQ(counts.global_loads.sectors, 8u * kWarps);
  EXPECT_EQ(counts.global_loads.bytes, 128u * kWarps);
  EXPECT_EQ(counts.global_stores.sectors, 4u * kWarps);
}

__global__ void copy_vectors(const float* src, float* dst) {
  const int i = static_cast<int>(threadIdx.x) * 4;
  store4(dst + i, load4(src + i));
}

__global__ void copy_scaled_vectors(const float* src, float* dst) {
  const int i = static_cast<int>(threadIdx.x) * 4;
  float4 v = load4(src + i);
  v.x *= 2, v.y *= 3, v.z *= 4, v.w *= 5;
  store4(dst + i, v);
}

TEST(Counts, SixteenBytesOfALaneAreOneRequest) {
  const DeviceArray<float> src(4 * kThreads), dst(4 * kThreads);
  for (const auto kernel : {copy_vectors, copy_scaled_vectors}) {
    const Counts& counts = count(kernel, 0, src.data(), dst.data());
    EXPECT_EQ(counts.global_loads.requests, 1u * kWarps);
    EXPECT_EQ(counts.global_loads.sectors, 16u * kWarps);
    EXPECT_EQ(counts.global_stores.requests, 1u * kWarps);
    EXPECT_EQ(counts.global_stores.sectors, 16u * kWarps);
  }
}

struct Words {
  float values[kThreads * 33];
};

__global__ void read_shared(float* dst, int stride) {
  Words& shared = shared_memory<Words>();
  const int i = static_cast<int>(threadIdx.x);
  shared.values[i] = 1;
  __syncthreads();
  dst[i] = shared.values[i % 32 * stride];
}

TEST(Counts, BankConflictsAreWavefronts) {
  const DeviceArray<float> dst(kThreads);
  const struct {
    int stride;
    unsigned wavefronts;
  } cases[] = {{0, 1}, {1, 1}, {2, 2}, {8, 8}, {32, 32}, {33, 1}};
  for (const auto& [stride, wavefronts] : cases) {
    SCOPED_TRACE(stride);
    const Counts& counts = count(read_shared, sizeof(Words), dst.data(), stride);
    EXPECT_EQ(counts.shared_loads.requests, 1u * kWarps);
    EXPECT_EQ(counts.shared_loads.wavefronts, wavefronts * kWarps);
    EXPECT_EQ(counts.shared_loads.conflicts, (wavefronts - 1) * kWarps);
    EXPECT_EQ(counts.shared_stores.wavefronts, 1u * kWarps);
    EXPECT_EQ(counts.barriers, 1u);
  }
}

__global__ void read_shared_vectors(float* dst, int stride) {
  Words& shared = shared_memory<Words>();
  const int i = static_cast<int>(threadIdx.x);
  for (int r = 0; r < 33; ++r) shared.values[r * kThreads + i] = 1;
  __syncthreads();
  store4(dst + i * 4, load4(&shared.values[i % 32 * stride]));
}

TEST(Counts, LanesOfSixteenBytesAreServedByQuarters) {
  const DeviceArray<float> dst(4 * kThreads);
  EXPECT_EQ(count(read_shared_vectors, sizeof(Words), dst.data(), 4).shared_loads.wavefronts, 4u * kWarps);
  EXPECT_EQ(count(read_shared_vectors, sizeof(Words), dst.data(), 8).shared_loads.wavefronts, 8u * kWarps);
  EXPECT_EQ(last_counts().shared_loads.conflicts, 4u * kWarps);
}

struct Rows {
  std::uint16_t values[2][16][64];  ///< rows of 128 bytes, for each warp
};

/// Loads 16 x 16 elements with their chunks of 16 bytes in place, or exchanged by the row.
__global__ void multiply_rows(float* dst, bool is_swizzled) {
  Rows& shared = shared_memory<Rows>();
  const int lane = static_cast<int>(threadIdx.x) % 32, warp = static_cast<int>(threadIdx.x) / 32;
  for (int i = lane; i < 16 * 64; i += 32) shared.values[warp][i / 64][i % 64] = 0;
  __syncthreads();
  const int row = lane % 16, chunk = lane / 16;
  std::uint32_t a[1][4];
  ldmatrix_x4(a[0], &shared.values[warp][row][(is_swizzled ? chunk ^ row % 8 : chunk) * 8]);
  const std::uint32_t b[2][2] = {};
  float sums[1][2][4] = {};
  mma_f16(sums, a, b);
  dst[threadIdx.x] = sums[0][0][0];
}

TEST(Counts, SwizzledMatricesHaveNoConflicts) {
  const DeviceArray<float> dst(kThreads);
  const Counts& counts = count(multiply_rows, sizeof(Rows), dst.data(), true);
  EXPECT_EQ(counts.matrix_loads.requests, 1u * kWarps);
  EXPECT_EQ(counts.matrix_loads.wavefronts, 4u * kWarps);
  EXPECT_EQ(counts.matrix_loads.conflicts, 0u);
  EXPECT_EQ(counts.products, 2u * kWarps);
  count(multiply_rows, sizeof(Rows), dst.data(), false);
  EXPECT_EQ(last_counts().matrix_loads.wavefronts, 32u * kWarps);
}

struct Stages {
  float values[4][kThreads * 4];
};

/// Copies `steps` stages of 16 bytes a lane, kAhead of them ahead.
template <int kAhead>
__global__ void copy_stages(const float* src, float* dst, int steps) {
  Stages& shared = shared_memory<Stages>();
  const int i = static_cast<int>(threadIdx.x) * 4;
  const auto fill = [&](int step) {
    if (step < steps) cp_async16(&shared.values[step % 4][i], src + step * kThreads * 4 + i, 16);
    cp_async_commit();
  };
  for (int step = 0; step < kAhead; ++step) fill(step);
  for (int step = 0; step < steps; ++step) {
    cp_async_wait<kAhead - 1>();
    __syncthreads();
    fill(step + kAhead);
    dst[threadIdx.x] = shared.values[step % 4][(i + 4) % (kThreads * 4)];
  }
}

TEST(Counts, CopiesAheadOfTheirUse) {
  const DeviceArray<float> src(6 * kThreads * 4), dst(kThreads);
  const Counts& two = count(copy_stages<2>, sizeof(Stages), src.data(), dst.data(), 6);
  EXPECT_EQ(two.global_copies.requests, 6u * kWarps);
  EXPECT_EQ(two.global_copies.sectors, 6u * 16 * kWarps);
  EXPECT_EQ(two.copy_stores.wavefronts, 6u * 4 * kWarps);
  EXPECT_EQ(two.copy_stores.conflicts, 0u);
  EXPECT_EQ(two.barriers, 6u);
  EXPECT_EQ(two.waits.copies[1], 5u * kWarps);
  EXPECT_EQ(two.waits.copies[0], 1u * kWarps);  // of the last stage
  const Counts& three = count(copy_stages<3>, sizeof(Stages), src.data(), dst.data(), 6);
  EXPECT_EQ(three.waits.copies[2], 4u * kWarps);
  EXPECT_EQ(three.waits.copies[1], 1u * kWarps);
  EXPECT_EQ(three.waits.copies[0], 1u * kWarps);
}

/// A step is loaded into a register while the one before is read in shared memory.
__global__ void load_ahead(const float* src, float* dst, int steps) {
  Words& shared = shared_memory<Words>();
  const int i = static_cast<int>(threadIdx.x);
  float next = src[i], sum = 0;
  for (int step = 0; step < steps; ++step) {
    shared.values[i] = next;
    __syncthreads();
    if (step + 1 < steps) next = src[(step + 1) * kThreads + i];
    sum += shared.values[kThreads - 1 - i];
    __syncthreads();
  }
  dst[i] = sum;
}

TEST(Counts, LoadsBehindWork) {
  const DeviceArray<float> src(5 * kThreads), dst(kThreads);
  const Counts& counts = count(load_ahead, sizeof(Words), src.data(), dst.data(), 5);
  EXPECT_EQ(counts.waits.loads, 1u * kWarps);
  EXPECT_EQ(counts.waits.behind, 4u * kWarps);
}

__global__ void sum_of_warps(const float* src, float* dst, int* threads) {
  const int i = static_cast<int>(threadIdx.x);
  dst[i] = warp_sum(src[i]);
  atomicAdd(threads, 1);
}

TEST(Counts, ExchangesAndAtomics) {
  const DeviceArray<float> src(kThreads), dst(kThreads);
  const DeviceArray<int> threads(1);
  const Counts& counts = count(sum_of_warps, 0, src.data(), dst.data(), threads.data());
  EXPECT_EQ(counts.exchanges, 5u * kWarps);
  EXPECT_EQ(counts.global_atomics.requests, 1u * kWarps);
  EXPECT_EQ(counts.global_atomics.sectors, 1u * kWarps);
}

/// Reads one float again and again, and stores it.
__global__ void read_again(const float* src, float* dst) {
  for (int i = 0; i < 5; ++i) dst[i * kThreads + static_cast<int>(threadIdx.x)] = *src;
}

TEST(Counts, WhatTheFirstLevelCacheHasIsNear) {
  const DeviceArray<float> src(1), dst(5 * kThreads);
  const Counts& counts = count(read_again, 0, src.data(), dst.data());
  EXPECT_EQ(counts.waits.loads, 1u);  // of the first warp
  EXPECT_EQ(counts.waits.near, 5u * kWarps - 1);
  EXPECT_EQ(counts.different_sectors, 1u);
}

__global__ void copy_blocks(const float* src, float* dst) {
  const std::size_t i = std::size_t{blockIdx.x} * kThreads + threadIdx.x;
  dst[i] = src[i] + src[threadIdx.x];
}

TEST(Counts, AFewBlocksStandForAll) {
  constexpr int kBlocks = 1000;
  const DeviceArray<float> src(kBlocks * kThreads), dst(kBlocks * kThreads);
  ASSERT_EQ(run_kernel(copy_blocks, kBlocks, kThreads, 0, src.data(), dst.data()), kNoError);
  const Counts& counts = last_counts();
  EXPECT_EQ(counts.blocks, 2u);
  EXPECT_EQ(counts.grid.x, 1000u);
  EXPECT_EQ(counts.global_loads.requests, 2u * 2 * kWarps);
  EXPECT_EQ(counts.footprint_read, kBlocks * kThreads * 4);
  EXPECT_EQ(counts.footprint_written, kBlocks * kThreads * 4);
}

/// Reads 64 rows of 1 KB, in steps of so many floats.
__global__ void sum_of_rows(const float* src, float* dst, int step) {
  const float* row = src + threadIdx.x * 256;
  float sum = 0;
  for (int i = 0; i < 256; i += step) {
    for (int j = 0; j < step; ++j) sum += row[i + j];
    __syncthreads();
  }
  dst[threadIdx.x] = sum;
}

TEST(Counts, PagesAreOpenedBetweenBarriers) {
  const DeviceArray<float> src(kThreads * 256), dst(kThreads);
  EXPECT_NEAR(count(sum_of_rows, 0, src.data(), dst.data(), 256).pages, kThreads + 1, 2);
  EXPECT_NEAR(count(sum_of_rows, 0, src.data(), dst.data(), 32).pages, kThreads * 8 + 1, 2);
  EXPECT_EQ(last_counts().footprint_read, kThreads * 1024);
}

TEST(Counts, AreWrittenAsJson) {
  const DeviceArray<float> src(2 * kThreads), dst(kThreads);
  const std::string json = to_json(count(copy_floats, 0, src.data(), dst.data(), 2));
  expect_contains(json, "\"grid\": [1, 1, 1], \"block\": [64, 1, 1], \"shared_bytes\": 0");
  expect_contains(json, "\"global_load_requests\": 2, \"global_load_sectors\": 16");
}

}  // namespace
}  // namespace mxinfer::simt
