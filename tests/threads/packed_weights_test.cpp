// Plans that are run for the first time by several threads, and share weights that nobody has packed yet.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <thread>
#include <vector>

#include "base/threads/thread_arena.h"
#include "plan/lower/weight_store.h"

namespace mxinfer::plan {
namespace {

constexpr std::int64_t kElements = 5000;

// A parameter in a file, as it were: all its elements are `value`.
std::shared_ptr<const Parameter> elsewhere(float value) {
  return std::make_shared<Parameter>(DType::float32, Shape{kElements}, [value](void* dst) {
    std::fill_n(static_cast<float*>(dst), kElements, value);
  });
}

// A packing that is a loop itself.
void add_one(const TensorView& view, std::byte* dst) {
  parallel_for(kElements, 500, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) reinterpret_cast<float*>(dst)[i] = view.data<float>()[i] + 1;
  });
}

TEST(PackedWeights, PlansOnManyThreadsWaitForEachOther) {
  constexpr int kWeights = 40, kThreads = 6;
  WeightStore store;
  ThreadArena arena(4);
  PackedWeights plans[3];
  for (int i = 0; i < kWeights; ++i) {
    const auto parameter = elsewhere(static_cast<float>(i));
    for (PackedWeights& plan : plans)
      plan.add(store.packed(parameter, "one more", kElements * sizeof(float), add_one));
  }
  std::atomic<int> wrong{0};
  const auto use = [&](const PackedWeights& plan) {
    plan.make();
    for (std::size_t i = 0; i < kWeights; ++i) {
      const auto* packed = reinterpret_cast<const float*>(plan.all()[i]->data());
      wrong += packed[kElements - 1] != static_cast<float>(i + 1);
    }
  };
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t)
    threads.emplace_back([&, t] { arena.execute([&] { use(plans[t % 3]); }); });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, 0);
}

}  // namespace
}  // namespace mxinfer::plan
