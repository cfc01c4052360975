#include <functional>

#include "simt/tests/test_support.h"

namespace mxinfer::simt {
namespace {

struct Lanes {
  int from, up, down, exclusive_or;
};

void shuffle_ints(Lanes* out, int amount, int width) {
  const int own = 100 + static_cast<int>(threadIdx.x);
  Lanes& all = out[threadIdx.x];
  all.from = __shfl_sync(kAllLanes, own, amount, width);
  all.up = __shfl_up_sync(kAllLanes, own, static_cast<unsigned>(amount), width);
  all.down = __shfl_down_sync(kAllLanes, own, static_cast<unsigned>(amount), width);
  all.exclusive_or = __shfl_xor_sync(kAllLanes, own, amount, width);
}

// By the definition: segments of `width` lanes, of which none reads another one's (exclusive or: a later
// one's).
Lanes expected_lanes(int lane, int amount, int width) {
  const int first = lane / width * width, end = first + width;
  const auto of = [&](int source) { return 100 + source; };
  return {of(first + amount % width), of(lane - amount >= first ? lane - amount : lane),
          of(lane + amount < end ? lane + amount : lane), of((lane ^ amount) < end ? lane ^ amount : lane)};
}

TEST(Warp, ShufflesAsEachKindAndWidthSays) {
  for (const char* schedule : kSchedules) {
    const ScopedOptions set(schedule);
    for (const int width : {1, 2, 8, 32}) {
      for (const int amount : {0, 1, 3, 16, 31}) {
        const DeviceArray<Lanes> out(64);
        ASSERT_EQ(run_kernel(shuffle_ints, 1, 64, 0, out.data(), amount, width), kNoError);
        const std::vector<Lanes> actual = out.read();
        for (int i = 0; i < 64; ++i) {
          const Lanes expected = expected_lanes(i % 32, amount, width);
          const Lanes& found = actual[static_cast<std::size_t>(i)];
          const int base = i / 32 * 32;
          EXPECT_EQ(found.from, expected.from + base) << i << " " << amount << " " << width;
          EXPECT_EQ(found.up, expected.up + base) << i << " " << amount << " " << width;
          EXPECT_EQ(found.down, expected.down + base) << i << " " << amount << " " << width;
          EXPECT_EQ(found.exclusive_or, expected.exclusive_or + base) << i << " " << amount << " " << width;
        }
      }
    }
  }
}

template <typename T>
void rotate_lanes(const T* in, T* out) {
  out[threadIdx.x] = __shfl_sync(kAllLanes, in[threadIdx.x], static_cast<int>(threadIdx.x) + 1);
}

template <typename T>
void expect_rotated_lanes(T step) {
  std::vector<T> values;
  for (int i = 0; i < 32; ++i) values.push_back(static_cast<T>(i) * step);
  const DeviceArray<T> in(values), out(32);
  ASSERT_EQ(run_kernel(rotate_lanes<T>, 1, 32, 0, static_cast<const T*>(in.data()), out.data()), kNoError);
  std::rotate(values.begin(), values.begin() + 1, values.end());
  EXPECT_EQ(out.read(), values);
}

TEST(Warp, ShufflesNumbersOfAllTypes) {
  expect_rotated_lanes<int>(-3);
  expect_rotated_lanes<unsigned>(0x7000001u);
  expect_rotated_lanes<float>(-0.37f);
  expect_rotated_lanes<double>(1e100);
  expect_rotated_lanes<unsigned long long>(0x123456789abcdefull);
}

void partial_masks(int* out) {
  const unsigned odd = 0xaaaaaaaau;
  const int own = static_cast<int>(threadIdx.x);
  // Both halves of the warp are in different operations at the same time.
  if (own % 2 == 1) {
    out[own] = __shfl_xor_sync(odd, own, 2);
  } else {
    out[own] = static_cast<int>(__ballot_sync(~odd, own % 4 == 0));
  }
}

TEST(Warp, LanesOfDisjointMasksDoNotWaitForOneAnother) {
  for (const char* schedule : kSchedules) {
    const ScopedOptions set(schedule);
    const DeviceArray<int> out(32);
    ASSERT_EQ(run_kernel(partial_masks, 1, 32, 0, out.data()), kNoError);
    const std::vector<int> values = out.read();
    for (int i = 0; i < 32; ++i)
      EXPECT_EQ(values[static_cast<std::size_t>(i)], i % 2 == 1 ? (i ^ 2) : 0x11111111) << i;
  }
}

void vote(unsigned* out, int limit) {
  const bool below = static_cast<int>(threadIdx.x) < limit;
  out[threadIdx.x] = __ballot_sync(kAllLanes, below);
  out[32 + threadIdx.x] = static_cast<unsigned>(__any_sync(kAllLanes, below));
  out[64 + threadIdx.x] = static_cast<unsigned>(__all_sync(kAllLanes, below));
}

TEST(Warp, Votes) {
  for (const int limit : {0, 1, 31, 32}) {
    const DeviceArray<unsigned> out(96);
    ASSERT_EQ(run_kernel(vote, 1, 32, 0, out.data(), limit), kNoError);
    const std::vector<unsigned> values = out.read();
    for (std::size_t i = 0; i < 32; ++i) {
      EXPECT_EQ(values[i], static_cast<unsigned>((1ull << limit) - 1));
      EXPECT_EQ(values[32 + i], limit > 0 ? 1u : 0u);
      EXPECT_EQ(values[64 + i], limit == 32 ? 1u : 0u);
    }
  }
}

void sum_of_partial_warp(float* out) {
  // 40 threads: the second warp has eight.
  const unsigned mask = __ballot_sync(threadIdx.x < 32 ? kAllLanes : 0xffu, 1);
  float x = static_cast<float>(threadIdx.x);
  for (int step = 4; step > 0; step /= 2) x += __shfl_xor_sync(mask, x, step);
  __syncwarp(mask);
  out[threadIdx.x] = x;
}

TEST(Warp, TheLastOneMayHaveFewerThreads) {
  const DeviceArray<float> out(40);
  ASSERT_EQ(run_kernel(sum_of_partial_warp, 1, 40, 0, out.data()), kNoError);
  const std::vector<float> values = out.read();
  for (std::size_t i = 0; i < 40; ++i) EXPECT_EQ(values[i], static_cast<float>(8 * (i / 8 * 8) + 28)) << i;
}

void reduce(float* out) {
  out[threadIdx.x] = warp_sum(static_cast<float>(threadIdx.x));
  out[32 + threadIdx.x] = warp_max(threadIdx.x == 7 ? 50.f : -static_cast<float>(threadIdx.x));
  out[64 + threadIdx.x] = warp_max(threadIdx.x == 7 ? NAN : 1.f);
}

TEST(Warp, SumsAndMaximaOfTheDialectReachAllLanes) {
  const DeviceArray<float> out(96);
  ASSERT_EQ(run_kernel(reduce, 1, 32, 0, out.data()), kNoError);
  const std::vector<float> values = out.read();
  for (std::size_t i = 0; i < 32; ++i) {
    EXPECT_EQ(values[i], 496.f);
    EXPECT_EQ(values[32 + i], 50.f);
    EXPECT_TRUE(std::isnan(values[64 + i]));
  }
}

TEST(Warp, CountsBits) {
  EXPECT_EQ(__popc(0xf0f00001u), 9);
  EXPECT_EQ(__ffs(0), 0);
  EXPECT_EQ(__ffs(0x50), 5);
  EXPECT_EQ(__clz(0), 32);
  EXPECT_EQ(__clz(1), 31);
  EXPECT_EQ(__clz(-1), 0);
}

}  // namespace
}  // namespace mxinfer::simt
