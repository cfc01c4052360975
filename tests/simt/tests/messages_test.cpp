// What is wrong in a kernel or a launch, and what the emulator says to it.
#include "simt/tests/test_support.h"

namespace mxinfer::simt {
namespace {

/// Runs a block of 64 threads and expects these words, and the names of kernel and file.
template <class... P, class... A>
void expect_message(const std::vector<std::string>& words, void (*kernel)(P...), A... args) {
  const std::string text = run_kernel(kernel, dim3(2), 64, 64, args...);
  for (const std::string& word : words) expect_contains(text, word);
  expect_contains(text, "messages_test.cpp:");
  expect_contains(text, "block (");
  EXPECT_EQ(cudaStreamSynchronize(nullptr), cudaSuccess) << "an error is reported once";
}

void diverge() {
  if (threadIdx.x < 40) {
    __syncthreads();
  } else {
    __syncthreads();
  }
}

TEST(Messages, ThreadsAtDifferentBarriers) {
  expect_message({"kernel mxinfer::simt::diverge ", "block (0,0,0)", "thread (40,0,0) is at __syncthreads()",
                  "thread (0,0,0) waits at __syncthreads()", "the same barrier"},
                 diverge);
}

void return_early(int first) {
  if (static_cast<int>(threadIdx.x) >= first) return;
  __syncthreads();
}

TEST(Messages, AThreadEndsWhileOthersWaitAtABarrier) {
  expect_message({"thread (10,0,0) ends", "thread (0,0,0) waits at __syncthreads()"}, return_early, 10);
}

void begin_late() {
  if (threadIdx.x < 5) return;
  __syncthreads();
}

TEST(Messages, ABarrierComesAfterTheEndOfAThread) {
  expect_message({"thread (5,0,0) is at __syncthreads()", "5 threads of its block have ended"}, begin_late);
}

void wait_in_two_ways() {
  if (threadIdx.x < 32) {
    __syncthreads();
  } else if (threadIdx.x < 40) {
    __syncwarp();
  } else {
    __syncthreads();
  }
}

TEST(Messages, NoThreadCanGoOn) {
  const ScopedOptions set("order=reverse");
  expect_message({"is at __syncthreads()"}, wait_in_two_ways);
}

void wait_for_lane() {
  if (threadIdx.x % 2 == 0) {
    __syncwarp();
  } else {
    __syncthreads();
  }
}

TEST(Messages, NamesSomeOfThoseThatWait) {
  expect_message({"no thread can go on", "thread (0,0,0) waits at __syncwarp()",
                  "thread (1,0,0) waits at __syncthreads()", "60 more wait"},
                 wait_for_lane);
}

void mix_operations(float* out) {
  float x = 1;
  if (threadIdx.x < 7) {
    x = __shfl_sync(kAllLanes, x, 0);
  } else {
    x = __shfl_xor_sync(kAllLanes, x, 1);
  }
  out[threadIdx.x] = x;
}

TEST(Messages, LanesInDifferentOperations) {
  const DeviceArray<float> out(64);
  expect_message(
      {"thread (7,0,0) (lane 7) is at __shfl_xor_sync()", "lane 0 waits at __shfl_sync()", "mask 0xffffffff"},
      mix_operations, out.data());
}

void overlap_masks(unsigned* out) {
  out[threadIdx.x] = __ballot_sync(threadIdx.x % 32 < 16 ? 0xffffu : kAllLanes, 1);
}

TEST(Messages, MasksThatOverlap) {
  const DeviceArray<unsigned> out(64);
  const ScopedOptions set("order=reverse");
  expect_message({"(lane 15)", "mask 0x0000ffff", "mask 0xffffffff"}, overlap_masks, out.data());
}

void forget_itself() {
  __syncwarp(0xfffffffeu);
}

TEST(Messages, ALaneThatIsNotInItsMask) {
  expect_message({"thread (0,0,0) (lane 0) is not in its mask 0xfffffffe", "__syncwarp()"}, forget_itself);
}

void read_outside(int* out) {
  if (threadIdx.x % 32 >= 16) return;
  out[threadIdx.x] = __shfl_sync(0xffffu, 1, 16 + static_cast<int>(threadIdx.x));
}

TEST(Messages, AShuffleFromOutsideOfTheMask) {
  const DeviceArray<int> out(64);
  expect_message({"thread (0,0,0) (lane 0) reads lane 16 at __shfl_sync()", "not in its mask"}, read_outside,
                 out.data());
}

void odd_width(int* out) {
  out[threadIdx.x] = __shfl_down_sync(kAllLanes, 1, 1, 24);
}

TEST(Messages, AWidthThatIsNoPowerOfTwo) {
  const DeviceArray<int> out(64);
  expect_message({"__shfl_down_sync()", "width", "24"}, odd_width, out.data());
}

void leave_first() {
  if (threadIdx.x % 32 == 3) return;
  __syncwarp();
}

TEST(Messages, ALaneOfTheMaskHasEnded) {
  expect_message({"thread (4,0,0)", "0xffffffff", "thread (3,0,0) (lane 3), which has ended"}, leave_first);
}

void whole_warp() {
  __syncwarp();
}

TEST(Messages, AFullMaskInAPartOfAWarp) {
  const std::string text = run_kernel(whole_warp, 1, 40, 0);
  expect_contains(text, "thread (32,0,0)");
  expect_contains(text, "warp of 8 threads");
}

struct alignas(16) Bytes {
  std::byte all[64];
};

void copy_async(const std::byte* src, int dst_offset, int src_offset, int bytes) {
  cp_async16(shared_memory<Bytes>().all + dst_offset, src + src_offset, bytes);
  cp_async_commit();
  cp_async_wait<0>();
}

TEST(Messages, AsynchronousCopiesThatCannotBe) {
  const DeviceArray<std::byte> memory(64);
  const std::byte* const src = memory.data();
  EXPECT_EQ(run_kernel(copy_async, 1, 64, 64, src, 48, 48, 16), kNoError);
  expect_message({"cp_async16()", "outside of the block's shared memory"}, copy_async, src, 64, 0, 16);
  expect_message({"cp_async16()", "outside of the block's shared memory"}, copy_async, src, -16, 0, 16);
  expect_message({"no multiple of its size"}, copy_async, src, 8, 0, 16);
  expect_message({"no multiple of its size"}, copy_async, src, 0, 4, 16);
  expect_message({"a number of bytes"}, copy_async, src, 0, 0, 17);
}

void copy_from_shared() {
  Bytes& bytes = shared_memory<Bytes>();
  cp_async16(bytes.all, bytes.all + 16, 16);
}

TEST(Messages, AnAsynchronousCopyFromSharedMemory) {
  expect_message({"reads shared memory"}, copy_from_shared);
}

void forget_to_wait(const std::byte* src) {
  cp_async16(shared_memory<Bytes>().all, src, 16);
  cp_async_commit();
}

TEST(Messages, AnAsynchronousCopyThatNobodyWaitsFor) {
  const DeviceArray<std::byte> memory(16);
  expect_message({"thread (0,0,0) ends", "has not waited for its cp_async16()"}, forget_to_wait,
                 static_cast<const std::byte*>(memory.data()));
}

void load_rows(int offset) {
  std::uint32_t r[4];
  ldmatrix_x4(r, shared_memory<Bytes>().all + (threadIdx.x % 32 == 9 ? offset : 0));
}

TEST(Messages, RowsOfMatricesThatCannotBe) {
  expect_message({"thread (9,0,0)", "ldmatrix_x4()", "outside of the block's shared memory"}, load_rows, 56);
  expect_message({"thread (9,0,0)", "ldmatrix_x4()", "no multiple of 16"}, load_rows, 4);
}

template <bool kBfloat16>
void multiply_early() {
  float d[1][1][4] = {};
  std::uint32_t a[1][4] = {}, b[1][2] = {};
  if constexpr (kBfloat16) {
    mma_bf16(d, a, b);
  } else {
    mma_tf32(d, a, b);
  }
}

TEST(Messages, MatrixInstructionsThatTheArchitectureDoesNotHave) {
  const ScopedOptions set("arch=7.5");
  expect_message({"mma_bf16()", "not there before architecture 8.0"}, multiply_early<true>);
  expect_message({"mma_tf32()", "not there before architecture 8.0"}, multiply_early<false>);
}

void trap(int* out) {
  if (threadIdx.x == 3) __trap();
  out[threadIdx.x] = 1;
}

TEST(Messages, ATrap) {
  const DeviceArray<int> out(64);
  expect_message({"thread (3,0,0) has called __trap()"}, trap, out.data());
}

struct SharedNumbers {
  int values[32];
};

void use_shared() {
  shared_memory<SharedNumbers>().values[0] = 1;
}

TEST(Messages, TooLittleSharedMemory) {
  expect_message({"shared memory has 128 bytes", "the launch gives it 64"}, use_shared);
}

void nothing() {}

TEST(Messages, LaunchesThatNoDeviceTakes) {
  const auto text = [](dim3 grid, dim3 block, std::size_t shared) {
    return run_kernel(nothing, grid, block, shared);
  };
  expect_contains(text(dim3(1, 65536), 1, 0), "grid of 1 x 65536 x 1");
  expect_contains(text(dim3(1, 1, 65536), 1, 0), "grid of 1 x 1 x 65536");
  expect_contains(text(0, 1, 0), "grid of 0 x 1 x 1");
  expect_contains(text(1, 1025, 0), "block of 1025 x 1 x 1");
  expect_contains(text(1, dim3(32, 33), 0), "block of 32 x 33 x 1");
  expect_contains(text(1, dim3(1, 1, 65), 0), "block of 1 x 1 x 65");
  expect_contains(text(1, dim3(0), 0), "block of 0 x 1 x 1");
  EXPECT_EQ(text(1, 1024, 227 << 10), kNoError);
  expect_contains(text(1, 1, (227 << 10) + 1), "232449 bytes of shared memory");
  const ScopedOptions set("arch=7.5");
  EXPECT_EQ(text(1, 1024, 64 << 10), kNoError);
  expect_contains(text(1, 1, (64 << 10) + 1), "more than the 65536");
}

TEST(Messages, NameTheLaunch) {
  const std::string text = run_kernel(diverge, 3, 64, 0);
  expect_contains(text, "launched in ");
  expect_contains(text, "messages_test.cpp");
}

void fail_in_block(int* done, int which) {
  if (static_cast<int>(blockIdx.x) == which && threadIdx.x == 0) __trap();
  __syncthreads();
  atomicAdd(done, 1);
}

TEST(Messages, OneOfManyBlocksFailsOnManyOsThreads) {
  const ScopedOptions set("threads=4");
  const DeviceArray<int> done(std::vector<int>{0});
  const std::string text = run_kernel(fail_in_block, 200, 64, 0, done.data(), 57);
  expect_contains(text, "block (57,0,0)");
  EXPECT_LT(done.read()[0], 200 * 64);
  EXPECT_EQ(run_kernel(nothing, 1, 64, 0), kNoError);
}

}  // namespace
}  // namespace mxinfer::simt
