// Weights on their way to a device whose copies are as late as they may be.
#include "plan/lower/weight_upload.h"

#include <gtest/gtest.h>
#include <mxinfer/error.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <stdexcept>
#include <thread>

#include "base/threads/thread_arena.h"
#include "plan/lower/weight_store.h"
#include "support/host_buffer.h"

namespace mxinfer::plan {
namespace {

constexpr std::size_t kMiB = std::size_t{1} << 20;

/// Copies that nothing has waited for yet.
struct LateCopies {
  struct Copy {
    void* to;
    const void* from;
    std::size_t bytes;
  };
  void finish(std::size_t last) {
    const std::lock_guard lock(mutex);
    for (; done < std::min(last, all.size()); ++done)
      std::memcpy(all[done].to, all[done].from, all[done].bytes);
  }
  std::size_t size() {
    const std::lock_guard lock(mutex);
    return all.size();
  }
  std::mutex mutex;
  std::vector<Copy> all;
  std::size_t done = 0;
};

struct LateEvent final : device::Event {
  explicit LateEvent(std::shared_ptr<LateCopies> c) : copies(std::move(c)) {}
  void synchronize() override { copies->finish(last); }
  std::shared_ptr<LateCopies> copies;
  std::size_t last = 0;
};

struct LateStream final : device::Stream {
  explicit LateStream(std::shared_ptr<LateCopies> c) : copies(std::move(c)) {}
  void copy_to_device(void* to, const void* from, std::size_t bytes) override {
    const std::lock_guard lock(copies->mutex);
    copies->all.push_back({to, from, bytes});
  }
  void copy_to_host(void*, const void*, std::size_t) override { FAIL(); }
  void copy_on_device(void*, const void*, std::size_t) override { FAIL(); }
  void mark(device::Event& event) override { static_cast<LateEvent&>(event).last = copies->size(); }
  void wait_for(const device::Event&) override { FAIL(); }
  void copy_strided(const kernels::CopyArgs&, std::size_t, const void*, void*) override { FAIL(); }
  void fill_strided(const kernels::CopyArgs&, std::size_t, std::uint64_t, void*) override { FAIL(); }
  std::unique_ptr<device::Recording> record(const std::function<void()>&) override { return nullptr; }
  void call_behind(void (*)(void*), void*) override { FAIL(); }
  bool has_failed() noexcept override { return false; }
  void synchronize() override { copies->finish(copies->size()); }
  std::shared_ptr<LateCopies> copies;
};

struct LateDevice final : device::Device {
  std::string name() const override { return "a device of the test"; }
  std::unique_ptr<device::Buffer> allocate(std::size_t bytes) override {
    if (is_full) throw Error(ErrorCode::out_of_memory, "the device of the test is full");
    return std::make_unique<test::HostBuffer>(bytes);
  }
  std::unique_ptr<device::Stream> new_stream() override {
    ++streams;
    return std::make_unique<LateStream>(copies);
  }
  std::unique_ptr<device::Stream> stream_of(void*) override { return nullptr; }
  std::unique_ptr<device::Event> new_event() override { return std::make_unique<LateEvent>(copies); }
  std::unique_ptr<device::Buffer> allocate_staging(std::size_t bytes) override {
    pinned += bytes;
    return std::make_unique<test::HostBuffer>(bytes);
  }
  std::shared_ptr<LateCopies> copies = std::make_shared<LateCopies>();
  std::atomic<std::size_t> pinned{0};
  std::atomic<int> streams{0};
  bool is_full = false;
};

std::shared_ptr<const Parameter> bytes_in_file(std::size_t bytes, std::uint8_t value) {
  return std::make_shared<Parameter>(DType::uint8, Shape{static_cast<std::int64_t>(bytes)},
                                     [=](void* dst) { std::memset(dst, value, bytes); });
}

bool is_all(const PackedWeight& weight, std::uint8_t value) {
  return std::all_of(weight.data(), weight.data() + weight.bytes(),
                     [&](std::byte one) { return one == static_cast<std::byte>(value); });
}

TEST(WeightUpload, SmallWeightsAreInFlightTogether) {
  const auto device = std::make_shared<LateDevice>();
  WeightStore store;
  PackedWeights plan;
  for (std::uint8_t i = 1; i <= 5; ++i) plan.add(store.stored(bytes_in_file(1000, i), device));
  ThreadArena(1).execute([&] { plan.make(); });
  for (std::uint8_t i = 1; i <= 5; ++i) {
    EXPECT_TRUE(plan.all()[i - 1U]->is_made());
    EXPECT_TRUE(is_all(*plan.all()[i - 1U], i)) << int{i};
  }
  // One staging memory held all of them, and one stream copied them.
  EXPECT_EQ(device->pinned, 5 * 1024u);
  EXPECT_EQ(device->streams, 1);
  EXPECT_EQ(device->copies->size(), 5u);
}

TEST(WeightUpload, NothingWaitsUntilStagingMemoryIsFull) {
  LateDevice device;
  ThreadArena(1).execute([&] {
    WeightUpload upload(1, 100 * kMiB);
    std::vector<std::byte> to(12 * kMiB);
    const auto send = [&](std::size_t i) {
      return upload.send(device, to.data() + i * kMiB, kMiB,
                         [&](std::byte* memory) { std::memset(memory, static_cast<int>(i) + 1, kMiB); });
    };
    for (std::size_t i = 0; i < 8; ++i) send(i);
    EXPECT_EQ(device.copies->done, 0u);
    // The ninth takes the memory of the first four.
    send(8);
    EXPECT_EQ(device.copies->done, 4u);
    for (std::size_t i = 9; i < 11; ++i) send(i);
    send(11)->synchronize();
    for (std::size_t i = 0; i < 12; ++i)
      EXPECT_EQ(to[(i + 1) * kMiB - 1], static_cast<std::byte>(i + 1)) << i;
    EXPECT_EQ(device.pinned, 8 * kMiB);
  });
}

TEST(WeightUpload, ALargeWeightGoesInPieces) {
  const auto device = std::make_shared<LateDevice>();
  WeightStore store;
  PackedWeights plan;
  plan.add(store.stored(bytes_in_file(9 * kMiB + 3, 7), device));
  plan.add(store.stored(bytes_in_file(9 * kMiB + 3, 8), device));
  ThreadArena(1).execute([&] { plan.make(); });
  EXPECT_TRUE(is_all(*plan.all()[0], 7));
  EXPECT_TRUE(is_all(*plan.all()[1], 8));
  EXPECT_EQ(device->copies->size(), 6u);
  EXPECT_EQ(device->copies->all[0].bytes, 4 * kMiB);
  EXPECT_EQ(device->copies->all[2].bytes, kMiB + 3);
  EXPECT_EQ(device->pinned, 8 * kMiB);
}

TEST(WeightUpload, ManyThreads) {
  const auto device = std::make_shared<LateDevice>();
  WeightStore store;
  PackedWeights plan;
  for (std::size_t i = 0; i < 200; ++i)
    plan.add(store.stored(bytes_in_file(1 + i * i * 67, static_cast<std::uint8_t>(i)), device));
  ThreadArena(4).execute([&] { plan.make(); });
  for (std::size_t i = 0; i < 200; ++i)
    EXPECT_TRUE(is_all(*plan.all()[i], static_cast<std::uint8_t>(i))) << i;
  EXPECT_LE(device->pinned, 32 * kMiB);
}

TEST(WeightUpload, WhatCannotBeReadDoesNotKeepOthersFromTheDevice) {
  const auto device = std::make_shared<LateDevice>();
  WeightStore store;
  bool fails = true;
  PackedWeights plan;
  plan.add(store.stored(bytes_in_file(1000, 1), device));
  plan.add(store.stored(std::make_shared<Parameter>(DType::uint8, Shape{500},
                                                    [&](void* dst) {
                                                      if (fails) throw std::runtime_error("not now");
                                                      std::memset(dst, 2, 500);
                                                    }),
                        device));
  ThreadArena arena(1);
  EXPECT_THROW(arena.execute([&] { plan.make(); }), std::runtime_error);
  EXPECT_TRUE(plan.all()[0]->is_made());
  EXPECT_FALSE(plan.all()[1]->is_made());
  fails = false;
  arena.execute([&] { plan.make(); });
  EXPECT_TRUE(is_all(*plan.all()[0], 1));
  EXPECT_TRUE(is_all(*plan.all()[1], 2));
  EXPECT_EQ(device->copies->size(), 2u);
}

/// Doubles bytes on the device; late, as its copies.
void double_there(LateDevice& device, const std::byte* stored, std::byte* packed, std::size_t bytes) {
  device.copies->finish(device.copies->size());
  for (std::size_t i = 0; i < bytes; ++i) packed[i] = static_cast<std::byte>(2 * static_cast<int>(stored[i]));
}

TEST(WeightUpload, LargeWeightsArePackedThere) {
  const auto device = std::make_shared<LateDevice>();
  for (const std::size_t bytes : {std::size_t{1000}, std::size_t{200000}, 9 * kMiB}) {
    WeightStore store;
    PackedWeights plan;
    int here = 0, there = 0;
    const auto pack = [&](const TensorView& parameter, std::byte* dst) {
      ++here;
      std::memset(dst, 2 * *static_cast<const std::uint8_t*>(parameter.raw()), bytes);
    };
    const auto on_device = [&](device::Stream&, DType dtype, const std::byte* stored, std::byte* packed) {
      ++there;
      EXPECT_EQ(dtype, DType::uint8);
      double_there(*device, stored, packed, bytes);
    };
    for (std::uint8_t i = 1; i <= 3; ++i)
      plan.add(store.packed(bytes_in_file(bytes, i), "doubled", bytes, pack, device, on_device));
    ThreadArena(1).execute([&] { plan.make(); });
    for (std::uint8_t i = 1; i <= 3; ++i)
      EXPECT_TRUE(is_all(*plan.all()[i - 1U], static_cast<std::uint8_t>(2 * i))) << bytes;
    EXPECT_EQ(here, bytes == 1000 ? 3 : 0);
    EXPECT_EQ(there, bytes == 1000 ? 0 : 3);
  }
}

TEST(WeightUpload, ADeviceWithoutMemoryForThatHasThemPackedHere) {
  const auto device = std::make_shared<LateDevice>();
  WeightStore store;
  PackedWeights plan;
  const std::size_t bytes = 200000;
  plan.add(store.packed(
      bytes_in_file(bytes, 3), "doubled", bytes,
      [&](const TensorView& parameter, std::byte* dst) {
        std::memset(dst, 2 * *static_cast<const std::uint8_t*>(parameter.raw()), bytes);
      },
      device, [](device::Stream&, DType, const std::byte*, std::byte*) { FAIL(); }));
  device->is_full = true;
  ThreadArena(1).execute([&] { plan.make(); });
  EXPECT_TRUE(is_all(*plan.all()[0], 6));
}

// Two plans that share weights, at the same time: each is sent once, and there when either goes on.
TEST(WeightUpload, PlansThatShareWeights) {
  for (int round = 0; round < 20; ++round) {
    const auto device = std::make_shared<LateDevice>();
    WeightStore store;
    PackedWeights first, second;
    for (std::uint8_t i = 0; i < 20; ++i) {
      const auto parameter = bytes_in_file(10000, i);
      first.add(store.stored(parameter, device));
      second.add(store.stored(parameter, device));
    }
    const auto make = [&](const PackedWeights& plan) {
      ThreadArena(1).execute([&] { plan.make(); });
      for (std::uint8_t i = 0; i < 20; ++i) EXPECT_TRUE(is_all(*plan.all()[i], i)) << int{i};
    };
    std::thread other([&] { make(second); });
    make(first);
    other.join();
    EXPECT_EQ(device->copies->size(), 20u);
  }
}

}  // namespace
}  // namespace mxinfer::plan
