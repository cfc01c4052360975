#include "plan/lower/weight_store.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <numeric>
#include <stdexcept>

#include "base/checksum.h"
#include "base/files/aligned_memory.h"
#include "base/threads/thread_arena.h"
#include "plan/plan.h"
#include "plan/run_plan.h"
#include "support/networks/build_graph.h"
#include "support/run_op.h"

namespace mxinfer::plan {
namespace {

constexpr std::int64_t kElements = 5000;
constexpr std::size_t kBytes = kElements * sizeof(float);

// A parameter in a file, as it were: all its elements are `value`.
std::shared_ptr<const Parameter> elsewhere(float value) {
  return std::make_shared<Parameter>(DType::float32, Shape{kElements}, [value](void* dst) {
    std::fill_n(static_cast<float*>(dst), kElements, value);
  });
}

void double_all(const TensorView& parameter, std::byte* dst) {
  for (std::int64_t i = 0; i < kElements; ++i)
    reinterpret_cast<float*>(dst)[i] = 2 * parameter.data<float>()[i];
}

float last_of(const PackedWeight& weight) {
  return reinterpret_cast<const float*>(weight.data())[kElements - 1];
}

TEST(WeightStore, OnePackingOfAParameterIsMadeOnceForAllPlans) {
  WeightStore store;
  const auto parameter = elsewhere(3);
  std::atomic<int> made{0};
  const auto pack = [&](const TensorView& view, std::byte* dst) {
    ++made;
    double_all(view, dst);
  };
  PackedWeights first, second;
  first.add(store.packed(parameter, "doubled", kBytes, pack));
  second.add(store.packed(parameter, "doubled", kBytes, pack));
  second.add(store.packed(parameter, "doubled too", kBytes, pack));
  EXPECT_EQ(first.all()[0], second.all()[0]);
  EXPECT_EQ(made, 0);
  ThreadArena arena(1);
  for (int i = 0; i < 2; ++i) arena.execute([&] { first.make(); });
  EXPECT_EQ(made, 1);
  arena.execute([&] { second.make(); });
  EXPECT_EQ(made, 2);
  EXPECT_EQ(last_of(*second.all()[1]), 6);
}

// Packed weights as a file may have them.
class OfferedWeights : public testing::Test {
 protected:
  OfferedWeights() {
    const Tensor stored = Parameter::take(parameter_);
    double_all(stored.view(), file_->data());
  }

  ReadyWeight ready() const { return {file_, file_->data(), kBytes, checksum64(file_->data(), kBytes)}; }

  std::shared_ptr<PackedWeight> made(const std::string& packing, std::size_t bytes = kBytes) {
    PackedWeights plan;
    plan.add(store_.packed(parameter_, packing, bytes, [this](const TensorView& view, std::byte* dst) {
      ++packed_;
      double_all(view, dst);
    }));
    ThreadArena(2).execute([&] { plan.make(); });
    return plan.all()[0];
  }

  std::shared_ptr<const Parameter> parameter_ = elsewhere(3);
  std::shared_ptr<AlignedBuffer> file_ = std::make_shared<AlignedBuffer>(2 * kBytes);
  WeightStore store_;
  std::atomic<int> packed_{0};
};

TEST_F(OfferedWeights, AreTakenInstead) {
  store_.offer(parameter_, "doubled", ready());
  const auto weight = made("doubled");
  EXPECT_EQ(packed_, 0);
  EXPECT_EQ(weight->data(), file_->data());
  EXPECT_EQ(last_of(*weight), 6);
  EXPECT_EQ(store_.made().size(), 1U);
}

TEST_F(OfferedWeights, OfAnotherPackingSizeOrParameterAreNot) {
  store_.offer(parameter_, "doubled", ready());
  EXPECT_NE(made("doubled, in panels")->data(), file_->data());
  EXPECT_EQ(packed_, 1);
  EXPECT_NE(made("doubled", 2 * kBytes)->data(), file_->data());
  WeightStore other;
  other.offer(elsewhere(3), "doubled", ready());
  EXPECT_FALSE(other.packed(parameter_, "doubled", kBytes, double_all)->is_ready());
}

TEST_F(OfferedWeights, ThatAreDamagedArePackedAtTheirAddress) {
  store_.offer(parameter_, "doubled", ready());
  file_->data()[kBytes - 1] ^= std::byte{1};
  const auto weight = made("doubled");
  EXPECT_EQ(packed_, 1);
  EXPECT_EQ(weight->data(), file_->data());
  EXPECT_EQ(last_of(*weight), 6);
}

TEST(WeightStore, WhatCannotBeReadIsAnErrorAndTriedAgain) {
  for (int threads : {1, 3}) {
    bool fails = true;
    const auto parameter = std::make_shared<Parameter>(DType::float32, Shape{kElements}, [&](void* dst) {
      if (fails) throw std::runtime_error("not now");
      std::fill_n(static_cast<float*>(dst), kElements, 1.0f);
    });
    WeightStore store;
    PackedWeights plan;
    plan.add(store.packed(elsewhere(5), "doubled", kBytes, double_all));
    plan.add(store.packed(parameter, "doubled", kBytes, double_all));
    ThreadArena arena(threads);
    EXPECT_THROW(arena.execute([&] { plan.make(); }), std::runtime_error);
    fails = false;
    arena.execute([&] { plan.make(); });
    EXPECT_EQ(last_of(*plan.all()[0]), 10);
    EXPECT_EQ(last_of(*plan.all()[1]), 2);
  }
}

TEST(WeightStore, ParametersReadAsTheyAreStoredAreReadOnceWhenPlansRun) {
  int read = 0;
  const auto parameter = std::make_shared<Parameter>(DType::float32, Shape{8}, [&](void* dst) {
    ++read;
    std::iota(static_cast<float*>(dst), static_cast<float*>(dst) + 8, 1.0f);
  });
  WeightStore store;
  test::GraphBuilder b;
  const auto weight = b.parameter("weight", test::random_tensor({8}, 1));
  b.graph().nodes[static_cast<std::size_t>(weight.node)].constant = parameter;
  b.head(b.op("elemwise_add", {}, {b.input("data"), weight}));
  b.head(weight);
  const Tensor data = test::random_tensor({8}, 2);
  for (const int threads : {1, 2}) {
    const auto plan =
        make_plan(b.graph(), {{DType::float32, Shape{8}}}, {kernels::best_target(), threads}, store);
    EXPECT_EQ(read, threads - 1);
    EXPECT_EQ(plan->info.packed_weight_bytes, 0u);
    Tensor sum(DType::float32, {8}), copy(DType::float32, {8});
    const void* input = data.raw();
    void* outputs[] = {sum.raw(), copy.raw()};
    AlignedBuffer memory(workspace_bytes(*plan));
    ThreadArena arena(threads);
    arena.execute([&] { run_plan(*plan, &input, outputs, {memory.data(), nullptr, 0}); });
    EXPECT_EQ(read, 1);
    for (int i = 0; i < 8; ++i) {
      EXPECT_EQ(copy.data<float>()[i], static_cast<float>(i + 1));
      EXPECT_EQ(sum.data<float>()[i], data.data<float>()[i] + static_cast<float>(i + 1));
    }
  }
}

TEST(WeightStore, APlanThatIsOnlyLookedAtReadsNoWeights) {
  test::GraphBuilder b;
  auto x = b.input("data");
  const auto weight = b.parameter("weight", test::random_tensor({64, 64}, 1));
  b.head(b.op("FullyConnected", {{"num_hidden", "64"}, {"no_bias", "True"}}, {x, weight}));
  int read = 0;
  const auto held = b.graph().nodes[static_cast<std::size_t>(weight.node)].constant->value();
  b.graph().nodes[static_cast<std::size_t>(weight.node)].constant =
      std::make_shared<Parameter>(DType::float32, Shape{64, 64}, [&](void* dst) {
        ++read;
        std::memcpy(dst, held->raw(), held->bytes());
      });
  WeightStore store;
  const auto plan =
      make_plan(b.graph(), {{DType::float32, Shape{8, 64}}}, {kernels::best_target(), 1}, store);
  EXPECT_EQ(read, 0);
  EXPECT_GT(plan->info.packed_weight_bytes, 0u);
  const Tensor data = test::random_tensor({8, 64}, 2);
  (void)test::run_graph(b.graph(), {&data});
  EXPECT_EQ(read, 1);
}

}  // namespace
}  // namespace mxinfer::plan
