// Arenas are kept for the next one of their size: what oneTBB never gives back is taken once.
#include "base/thread_arena.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <atomic>
#include <fstream>

namespace mxinfer {
namespace {

long resident_bytes() {
  std::ifstream statm("/proc/self/statm");
  long size = 0, resident = 0;
  statm >> size >> resident;
  return resident * ::sysconf(_SC_PAGESIZE);
}

std::int64_t sum_of_hundred(ThreadArena& arena) {
  std::atomic<std::int64_t> sum{0};
  arena.execute([&] {
    parallel_for(100, 1, [&](std::int64_t begin, std::int64_t end) {
      for (auto i = begin; i < end; ++i) sum += i;
    });
  });
  return sum;
}

TEST(ThreadArena, MakingManyTakesNoMoreMemory) {
  const auto make = [](int count) {
    for (int i = 0; i < count; ++i) {
      ThreadArena two(2), three(3);
      ASSERT_EQ(sum_of_hundred(two) + sum_of_hundred(three), 2 * 4950);
    }
  };
  make(100);
  const long before = resident_bytes();
  make(2000);
  EXPECT_LT(resident_bytes() - before, 4 << 20);
}

TEST(ThreadArena, ThoseInUseAreApart) {
  ThreadArena a(2), b(2);
  EXPECT_EQ(sum_of_hundred(a), 4950);
  // A thread in one arena may use another; were they the same, the inner loop would find its places taken.
  a.execute([&] { EXPECT_EQ(sum_of_hundred(b), 4950); });
  EXPECT_EQ(a.threads(), 2);
}

}  // namespace
}  // namespace mxinfer
