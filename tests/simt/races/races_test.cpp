// Races, and accesses of no memory, that the race detector finds; and what is none.
#include "simt/tests/test_support.h"

namespace mxinfer::simt {
namespace {

constexpr const char* kHere = "races_test.cpp:";

/// Runs 64 threads a block on all schedules: a race does not depend on them.
template <class... P, class... A>
void expect_race(const std::vector<std::string>& words, void (*kernel)(P...), int blocks, A... args) {
  for (const char* schedule : kSchedules) {
    SCOPED_TRACE(schedule);
    const ScopedOptions set(schedule);
    const std::string text = run_kernel(kernel, blocks, 64, 1024, args...);
    for (const std::string& word : words) expect_contains(text, word);
    expect_contains(text, kHere);
  }
}

template <class... P, class... A>
void expect_no_race(void (*kernel)(P...), int blocks, A... args) {
  for (const char* schedule : kSchedules) {
    SCOPED_TRACE(schedule);
    const ScopedOptions set(schedule);
    EXPECT_EQ(run_kernel(kernel, blocks, 64, 1024, args...), kNoError);
  }
}

struct Floats {
  float values[64];
};

template <bool kBarrier>
void pass_on(float* out) {
  Floats& shared = shared_memory<Floats>();
  shared.values[threadIdx.x] = 1;
  if (kBarrier) __syncthreads();
  out[threadIdx.x + 64 * blockIdx.x] = shared.values[63 - threadIdx.x];
}

TEST(Races, AMissingBarrierIsFoundInEveryOrder) {
  const DeviceArray<float> out(192);
  expect_race({"race: thread (", "shared memory at byte ", "writes", "reads", "no barrier is between them"},
              pass_on<false>, 3, out.data());
  expect_no_race(pass_on<true>, 3, out.data());
}

template <bool kBarrier>
void write_again(float* out) {
  Floats& shared = shared_memory<Floats>();
  for (int i = 0; i < 3; ++i) {
    shared.values[threadIdx.x] = static_cast<float>(i);
    __syncthreads();
    out[threadIdx.x] = shared.values[63 - threadIdx.x];
    if (kBarrier) __syncthreads();
  }
}

TEST(Races, AWriteAfterAReadIsOne) {
  const DeviceArray<float> out(64);
  expect_race({"shared memory"}, write_again<false>, 1, out.data());
  expect_no_race(write_again<true>, 1, out.data());
}

void accumulate(float* out) {
  Floats& shared = shared_memory<Floats>();
  if (threadIdx.x == 0) shared.values[0] = 0;
  __syncthreads();
  shared.values[0] += 1;
  __syncthreads();
  if (threadIdx.x == 0) out[0] = shared.values[0];
}

TEST(Races, AnAdditionThatIsNotAtomicIsOne) {
  const DeviceArray<float> out(1);
  expect_race({"shared memory at byte 0"}, accumulate, 1, out.data());
}

struct Counter {
  int count;
};

template <bool kBarrier>
void count_in_block(int* out) {
  Counter& shared = shared_memory<Counter>();
  if (threadIdx.x == 0) shared.count = 0;
  __syncthreads();
  atomicAdd(&shared.count, 1);
  if (kBarrier) __syncthreads();
  if (threadIdx.x == 5) *out = shared.count;
}

TEST(Races, AtomicOperationsRaceWithOthersAlone) {
  const DeviceArray<int> out(1);
  expect_no_race(count_in_block<true>, 1, out.data());
  EXPECT_EQ(out.read()[0], 64);
  expect_race({"changes atomically", "reads"}, count_in_block<false>, 1, out.data());
}

enum class Between { nothing, shuffle, sync_warp };

template <Between kBetween>
void pass_on_in_warp(float* out, unsigned flip) {
  Floats& shared = shared_memory<Floats>();
  shared.values[threadIdx.x] = 1;
  float x = 0;
  if (kBetween == Between::shuffle) x = __shfl_xor_sync(kAllLanes, x, 1);
  if (kBetween == Between::sync_warp) __syncwarp();
  out[threadIdx.x] = shared.values[threadIdx.x ^ flip] + x;
}

TEST(Races, OnlySyncwarpOrdersTheThreadsOfAWarp) {
  const DeviceArray<float> out(64);
  expect_no_race(pass_on_in_warp<Between::sync_warp>, 1, out.data(), 1u);
  expect_race({"shared memory"}, pass_on_in_warp<Between::nothing>, 1, out.data(), 1u);
  expect_race({"shared memory"}, pass_on_in_warp<Between::shuffle>, 1, out.data(), 1u);
  expect_race({"shared memory"}, pass_on_in_warp<Between::sync_warp>, 1, out.data(), 32u);
}

template <typename T>
void store_parts(T* out) {
  T* shared = shared_memory<T[128]>();
  shared[threadIdx.x] = 1;
  out[64 * blockIdx.x + threadIdx.x] = 2;
  shared[64 + threadIdx.x] = shared[threadIdx.x];
}

TEST(Races, NeighboursInAWordAreNone) {
  const DeviceArray<std::uint8_t> bytes(192);
  expect_no_race(store_parts<std::uint8_t>, 3, bytes.data());
  const DeviceArray<std::uint16_t> halves(192);
  expect_no_race(store_parts<std::uint16_t>, 3, halves.data());
}

void overlap_parts(std::uint8_t* out) {
  auto* shared = shared_memory<std::uint8_t[128]>();
  shared[threadIdx.x] = 1;
  if (threadIdx.x == 40) *reinterpret_cast<unsigned*>(out) = *reinterpret_cast<unsigned*>(shared + 4);
}

TEST(Races, APartOfAWordRacesWithTheWord) {
  const DeviceArray<std::uint8_t> out(64);
  expect_race({"shared memory"}, overlap_parts, 1, out.data());
}

void write_own(int* out, int stride) {
  if (threadIdx.x == 0) out[static_cast<int>(blockIdx.x) * stride] = 1;
}

void read_neighbour(int* values) {
  if (threadIdx.x != 0) return;
  values[blockIdx.x] = 1;
  if (blockIdx.x == 1) values[1] += values[2];
}

void count_all(int* out) {
  atomicAdd(out, 1);
}

TEST(Races, BlocksAreInNoOrder) {
  const DeviceArray<int> values(8);
  expect_no_race(write_own, 3, values.data(), 1);
  expect_race({"byte 0 of an allocation of 32 bytes", "block (0,0,0)", "blocks are in no order"}, write_own,
              2, values.data(), 0);
  expect_race({"byte 8 of an allocation", "of block (1,0,0)", "of block (2,0,0)"}, read_neighbour, 4,
              values.data());
  expect_no_race(count_all, 4, values.data());
}

void pass_on_in_global(int* values) {
  values[threadIdx.x] = 1;
  values[threadIdx.x ^ 40] += 1;
}

void pass_on_in_global_with_barrier(int* values) {
  values[threadIdx.x] = 1;
  __syncthreads();
  values[threadIdx.x ^ 40] += 1;
}

TEST(Races, ThreadsOfABlockRaceInGlobalMemory) {
  const DeviceArray<int> values(64);
  expect_race({"no barrier is between them"}, pass_on_in_global, 1, values.data());
  expect_no_race(pass_on_in_global_with_barrier, 1, values.data());
}

struct alignas(16) Stage {
  float values[64];
};

template <bool kWait>
void read_copied(const float* in, float* out) {
  Stage& stage = shared_memory<Stage>();
  cp_async4(&stage.values[threadIdx.x], in + threadIdx.x, 4);
  cp_async_commit();
  if (kWait) cp_async_wait<0>();
  __syncthreads();
  out[threadIdx.x] = stage.values[threadIdx.x ^ 1];
  cp_async_wait<0>();
}

template <bool kBarrier>
void read_overwritten(const float* in, float* out) {
  Stage& stage = shared_memory<Stage>();
  stage.values[threadIdx.x] = 1;
  __syncthreads();
  out[threadIdx.x] = stage.values[threadIdx.x ^ 1];
  if (kBarrier) __syncthreads();
  cp_async4(&stage.values[threadIdx.x], in + threadIdx.x, 4);
  cp_async_commit();
  cp_async_wait<0>();
}

TEST(Races, AsynchronousCopiesAreOnTheirWayUntilTheyAreWaitedFor) {
  const DeviceArray<float> in(64), out(64);
  const float* const from = in.data();
  expect_race({"a copy is on its way"}, read_copied<false>, 1, from, out.data());
  expect_no_race(read_copied<true>, 1, from, out.data());
  expect_race({"shared memory"}, read_overwritten<false>, 1, from, out.data());
  expect_no_race(read_overwritten<true>, 1, from, out.data());
}

struct alignas(16) Rows {
  std::uint16_t values[64][8];
};

template <bool kBarrier>
void load_rows(std::uint32_t* out) {
  Rows& rows = shared_memory<Rows>();
  for (std::uint16_t& value : rows.values[threadIdx.x]) value = 1;
  if (kBarrier) {
    __syncthreads();
  } else {
    __syncwarp();
  }
  std::uint32_t r[4];
  ldmatrix_x4(r, rows.values[threadIdx.x ^ 32]);
  out[threadIdx.x] = r[0];
}

TEST(Races, MatricesAreReadByTheLanesThatGiveTheirRows) {
  const DeviceArray<std::uint32_t> out(64);
  expect_race({"shared memory", "reads"}, load_rows<false>, 1, out.data());
  expect_no_race(load_rows<true>, 1, out.data());
}

void add_one(int* values, int offset) {
  values[static_cast<int>(threadIdx.x) + offset] += 1;
}

// A word of which three bytes are within.
void add_one_past_end(std::uint8_t* bytes) {
  if (threadIdx.x == 63) *reinterpret_cast<unsigned*>(bytes + 253) += 1;
}

void add_numbers(const int* numbers, int* values) {
  static const int table[3] = {1, 2, 3};
  values[threadIdx.x] += numbers[0] + table[threadIdx.x % 3];
}

TEST(Races, OnlyMemoryOfTheDeviceIsAccessed) {
  const DeviceArray<int> values(64), other(1);
  expect_no_race(add_one, 1, values.data(), 0);
  expect_race({"4 bytes", "not within the allocation of 256 bytes", "thread (63,0,0)"}, add_one_past_end, 1,
              reinterpret_cast<std::uint8_t*>(values.data()));
  std::vector<int> host(64);
  expect_race({"not within memory of the device"}, add_one, 1, host.data(), 0);
  void* pinned = nullptr;
  ASSERT_EQ(cudaHostAlloc(&pinned, 256, cudaHostAllocPortable), cudaSuccess);
  expect_race({"but of the process"}, add_one, 1, static_cast<int*>(pinned), 0);
  EXPECT_EQ(cudaFreeHost(pinned), cudaSuccess);
  expect_no_race(add_numbers, 1, static_cast<const int*>(other.data()), values.data());
  expect_race({"reads 4 bytes"}, add_numbers, 1, static_cast<const int*>(host.data()), values.data());
}

TEST(Races, LaunchesAreInTheOrderOfTheirStream) {
  const DeviceArray<int> values(64);
  const Stream stream;
  for (int i = 0; i < 5; ++i) {
    EXPECT_EQ(launch(add_one, 1, 32, 0, stream, values.data(), i), cudaSuccess);
  }
  EXPECT_EQ(cudaStreamSynchronize(nullptr), cudaSuccess);
}

// Blocks pass on what they have written, by one of two counters.
enum class Forgotten { nothing, barrier_before, wait, barrier_behind, turn, counter };

template <Forgotten kForgotten>
void pass_on_to_blocks(int* values, unsigned* counters) {
  const unsigned threads = gridDim.x * blockDim.x, own = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned* const counter = counters + (kForgotten == Forgotten::counter ? blockIdx.x % 2 : 0);
  for (unsigned round = 0; round < 3; ++round) {
    int* const next = values + (kForgotten == Forgotten::turn ? 0 : round % 2 * threads);
    next[own] = static_cast<int>(round);
    if (kForgotten != Forgotten::barrier_before) __syncthreads();
    if (threadIdx.x == 0) {
      signal(counter);
      const unsigned blocks = kForgotten == Forgotten::counter ? gridDim.x / 2 : gridDim.x;
      if (kForgotten != Forgotten::wait) wait_for(counter, blocks * (round + 1));
    }
    if (kForgotten != Forgotten::barrier_behind) __syncthreads();
    if (next[threads - 1 - own] < 0) values[2 * threads + own] = 1;
  }
}

template <Forgotten kForgotten>
std::string passed_on() {
  const DeviceArray<int> values(std::vector<int>(3 * 4 * 64, 0));
  const DeviceArray<unsigned> counters(std::vector<unsigned>{0, 0});
  const Status launched =
      launch_cooperative(pass_on_to_blocks<kForgotten>, 4, 64, 0, Stream{}, values.data(), counters.data());
  const cudaError_t done = cudaStreamSynchronize(nullptr);
  return cudaGetErrorString(launched != cudaSuccess ? static_cast<cudaError_t>(launched) : done);
}

TEST(Races, SignalsPutBlocksInOrder) {
  for (const char* schedule : kSchedules) {
    SCOPED_TRACE(schedule);
    const ScopedOptions set(schedule);
    EXPECT_EQ(passed_on<Forgotten::nothing>(), kNoError);
    for (const std::string& text : {passed_on<Forgotten::barrier_before>(), passed_on<Forgotten::wait>(),
                                    passed_on<Forgotten::barrier_behind>(), passed_on<Forgotten::turn>(),
                                    passed_on<Forgotten::counter>()})
      expect_contains(text, "blocks are in no order");
  }
}

}  // namespace
}  // namespace mxinfer::simt
