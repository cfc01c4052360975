#include "simt/tests/test_support.h"

namespace mxinfer::simt {
namespace {

template <typename T>
struct Totals {
  T sum, most, least, last, counted;
};

template <typename T>
void count_all(Totals<T>* totals) {
  const T own = static_cast<T>(blockIdx.x * blockDim.x + threadIdx.x + 1);
  atomicAdd(&totals->sum, own);
  atomicMax(&totals->most, own);
  atomicMin(&totals->least, own);
  atomicExch(&totals->last, own);
  // An addition by compare and swap, as kernels make what there is no function for.
  T seen = totals->counted, expected;
  do {
    expected = seen;
    seen = atomicCAS(&totals->counted, expected, static_cast<T>(expected + 1));
  } while (seen != expected);
}

template <typename T>
void expect_counted() {
  for (const char* schedule : kSchedules) {
    const ScopedOptions set(schedule);
    const DeviceArray<Totals<T>> totals(std::vector<Totals<T>>{{0, 0, 1000000, 0, 0}});
    ASSERT_EQ(run_kernel(count_all<T>, 50, 64, 0, totals.data()), kNoError);
    const Totals<T> found = totals.read()[0];
    EXPECT_EQ(found.sum, T{3200} * 3201 / 2);
    EXPECT_EQ(found.most, T{3200});
    EXPECT_EQ(found.least, T{1});
    EXPECT_GE(found.last, T{1});
    EXPECT_LE(found.last, T{3200});
    EXPECT_EQ(found.counted, T{3200});
  }
}

TEST(Atomics, CountOverAllBlocks) {
  expect_counted<int>();
  expect_counted<unsigned>();
  expect_counted<unsigned long long>();
}

void old_values(int* at, int* old) {
  old[0] = atomicAdd(at, 5);     // 10, then 15
  old[1] = atomicMax(at, 12);    // 15
  old[2] = atomicMin(at, -4);    // 15, then -4
  old[3] = atomicExch(at, 9);    // -4, then 9
  old[4] = atomicCAS(at, 8, 1);  // 9
  old[5] = atomicCAS(at, 9, 2);  // 9, then 2
  old[6] = *at;
}

TEST(Atomics, ReturnWhatWasThere) {
  const DeviceArray<int> at(std::vector<int>{10}), old(7);
  ASSERT_EQ(run_kernel(old_values, 1, 1, 0, at.data(), old.data()), kNoError);
  EXPECT_EQ(old.read(), (std::vector<int>{10, 15, 15, -4, 9, 9, 2}));
}

}  // namespace
}  // namespace mxinfer::simt
