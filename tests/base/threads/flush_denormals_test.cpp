#include "base/threads/flush_denormals.h"

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <limits>

#include "base/threads/thread_arena.h"

namespace mxinfer {
namespace {

constexpr float kDenormal = std::numeric_limits<float>::denorm_min() * 1000;

/// The processor computes it, not the compiler.
float twice(float x) {
  volatile float value = x;
  return value + value;
}

TEST(FlushDenormals, IsForTheScopeAlone) {
  EXPECT_FALSE(flushes_denormals());
  EXPECT_GT(twice(kDenormal), 0);
  {
    const FlushDenormals flush;
    EXPECT_TRUE(flushes_denormals());
    EXPECT_EQ(twice(kDenormal), 0);
    EXPECT_EQ(twice(1.0f), 2);
    {
      const FlushDenormals keep(false);
      EXPECT_GT(twice(kDenormal), 0);
    }
    EXPECT_EQ(twice(kDenormal), 0);
  }
  EXPECT_FALSE(flushes_denormals());
  EXPECT_GT(twice(kDenormal), 0);
}

TEST(FlushDenormals, ACallersOwnModeStays) {
  const FlushDenormals own;
  { const FlushDenormals again; }
  EXPECT_TRUE(flushes_denormals());
}

TEST(FlushDenormals, LoopsTakeTheModeOfTheThreadThatStartsThem) {
  ThreadArena arena(3);
  for (const bool flush : {true, false, true}) {
    std::atomic<int> other{0};
    arena.execute([&] {
      const FlushDenormals scope(flush);
      parallel_for(300, 1, [&](std::int64_t, std::int64_t) { other += (twice(kDenormal) == 0) != flush; });
    });
    EXPECT_EQ(other, 0) << flush;
  }
  EXPECT_FALSE(flushes_denormals());
}

}  // namespace
}  // namespace mxinfer
