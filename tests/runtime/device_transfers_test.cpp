// DeviceTransfers on a device that notes the copies it is asked for.
#include "runtime/device_transfers.h"

#include <gtest/gtest.h>

#include <cstring>
#include <numeric>

#include "support/host_buffer.h"

namespace mxinfer::runtime {
namespace {

constexpr std::size_t kMiB = std::size_t{1} << 20;

struct Copy {
  const void* host;
  std::size_t bytes;
  bool operator==(const Copy& other) const { return host == other.host && bytes == other.bytes; }
};

struct NotedEvent final : device::Event {
  void synchronize() override { ++waits; }
  int waits = 0;
};

struct NotingStream final : device::Stream {
  void copy_to_device(void* to, const void* host, std::size_t bytes) override {
    uploads.push_back({host, bytes});
    std::memcpy(to, host, bytes);
  }
  void copy_to_host(void* host, const void* from, std::size_t bytes) override {
    downloads.push_back({host, bytes});
    std::memcpy(host, from, bytes);
  }
  void copy_on_device(void*, const void*, std::size_t) override { FAIL(); }
  void mark(device::Event&) override { ++marks; }
  void wait_for(const device::Event&) override { FAIL(); }
  void copy_strided(const kernels::CopyArgs&, std::size_t, const void*, void*) override { FAIL(); }
  void fill_strided(const kernels::CopyArgs&, std::size_t, std::uint64_t, void*) override { FAIL(); }
  std::unique_ptr<device::Recording> record(const std::function<void()>&) override { return nullptr; }
  void call_behind(void (*)(void*), void*) override { FAIL(); }
  bool has_failed() noexcept override { return false; }
  void synchronize() override {}
  std::vector<Copy> uploads, downloads;
  int marks = 0;
};

/// Takes one array of the process for pinned.
struct NotingDevice final : device::Device {
  std::string name() const override { return "a device of the test"; }
  std::unique_ptr<device::Buffer> allocate(std::size_t bytes) override {
    return std::make_unique<test::HostBuffer>(bytes);
  }
  std::unique_ptr<device::Stream> new_stream() override { return std::make_unique<NotingStream>(); }
  std::unique_ptr<device::Stream> stream_of(void*) override { return nullptr; }
  std::unique_ptr<device::Event> new_event() override { return std::make_unique<NotedEvent>(); }
  std::unique_ptr<device::Buffer> allocate_staging(std::size_t bytes) override { return allocate(bytes); }
  bool is_staging(const void* host) const override { return host == pinned; }
  const void* pinned = nullptr;
};

plan::PlannedStep step(plan::DeviceCopy copy, plan::Location from, plan::Location to) {
  plan::PlannedStep made;
  made.is_enqueued = true;
  made.copy = copy;
  made.inputs.push_back(from);
  made.outputs.push_back(to);
  return made;
}

/// An array of this many bytes goes to the start of the device's memory, a step does something there, and the
/// array comes back.
struct OneArray {
  explicit OneArray(std::size_t bytes)
      : source(bytes), result(bytes), staged_input(bytes), staged_output(bytes), on_device(bytes) {
    for (std::size_t i = 0; i < bytes; ++i) source[i] = static_cast<std::byte>(i % 251);
    const std::vector<ops::TensorType> types{{DType::uint8, Shape{static_cast<std::int64_t>(bytes)}}};
    plan.inputs = plan.outputs = types;
    plan.device = device;
    plan.device_bytes = bytes;
    using Kind = plan::Location::Kind;
    const plan::Location input{Kind::input, 0}, output{Kind::output, 0}, there{Kind::device, 0};
    plan.steps = {step(plan::DeviceCopy::to_device, input, there), step(plan::DeviceCopy::none, there, there),
                  step(plan::DeviceCopy::to_host, there, output)};
  }

  void upload(Sources sources = Sources::live) {
    const void* inputs[] = {source.data()};
    void* staged[] = {staged_input.data()};
    DeviceTransfers(plan).upload(inputs, staged, on_device.data(), stream, sources);
    EXPECT_EQ(on_device, source);
  }
  void download() {
    on_device = source;
    void* outputs[] = {result.data()};
    void* staged[] = {staged_output.data()};
    DeviceTransfers(plan).download(outputs, staged, on_device.data(), stream);
  }

  std::shared_ptr<NotingDevice> device = std::make_shared<NotingDevice>();
  plan::Plan plan;
  std::vector<std::byte> source, result, staged_input, staged_output, on_device;
  NotingStream stream;
};

std::vector<std::size_t> bytes_of(const std::vector<Copy>& copies) {
  std::vector<std::size_t> all;
  for (const Copy& one : copies) all.push_back(one.bytes);
  return all;
}

TEST(Transfers, AreTheCopiesAtBothEnds) {
  OneArray one(10);
  const DeviceTransfers transfers(one.plan);
  EXPECT_EQ(transfers.first_step(), 1u);
  EXPECT_EQ(transfers.last_step(), 2u);
  EXPECT_TRUE(transfers.is_downloaded(0));
}

TEST(Transfers, APlanThatOnlyCopiesKeepsItsSteps) {
  OneArray one(10);
  one.plan.steps.erase(one.plan.steps.begin() + 1);
  const DeviceTransfers transfers(one.plan);
  EXPECT_EQ(transfers.first_step(), 0u);
  EXPECT_EQ(transfers.last_step(), 2u);
  EXPECT_FALSE(transfers.is_downloaded(0));
}

TEST(Transfers, ASmallArrayIsOneCopyFromStagingMemory) {
  OneArray one(1000);
  one.upload();
  EXPECT_EQ(one.stream.uploads, (std::vector<Copy>{{one.staged_input.data(), 1000}}));
}

TEST(Transfers, ALargeArrayGoesInPieces) {
  OneArray one(5 * kMiB + 3);
  one.upload();
  EXPECT_EQ(bytes_of(one.stream.uploads), (std::vector<std::size_t>{2 * kMiB, 2 * kMiB, kMiB + 3}));
  EXPECT_EQ(one.staged_input, one.source);
  one.download();
  EXPECT_EQ(bytes_of(one.stream.downloads), (std::vector<std::size_t>{2 * kMiB, 2 * kMiB, kMiB + 3}));
  EXPECT_EQ(one.stream.marks, 3);
  EXPECT_EQ(one.result, one.source);
}

TEST(Transfers, APinnedArrayGoesDirectly) {
  OneArray one(5 * kMiB);
  one.device->pinned = one.source.data();
  one.upload();
  EXPECT_EQ(one.stream.uploads, (std::vector<Copy>{{one.source.data(), 5 * kMiB}}));
  one.device->pinned = one.result.data();
  one.download();
  EXPECT_EQ(one.stream.downloads.front().host, one.result.data());
  EXPECT_EQ(one.result, one.source);
}

TEST(Transfers, APinnedInputThatMayChangeIsStaged) {
  OneArray one(100);
  one.device->pinned = one.source.data();
  one.upload(Sources::passing);
  EXPECT_EQ(one.stream.uploads.front().host, one.staged_input.data());
}

// Packed images are written there.
TEST(Transfers, AnInputInItsStagingMemoryIsNotCopiedOnTheHost) {
  for (const Sources sources : {Sources::live, Sources::passing}) {
    OneArray one(5 * kMiB);
    one.staged_input = one.source;
    const void* inputs[] = {one.staged_input.data()};
    void* staged[] = {one.staged_input.data()};
    DeviceTransfers(one.plan).upload(inputs, staged, one.on_device.data(), one.stream, sources);
    EXPECT_EQ(one.stream.uploads, (std::vector<Copy>{{one.staged_input.data(), 5 * kMiB}}));
    EXPECT_EQ(one.on_device, one.source);
  }
}

// An output that is the input, and one that is another output: copied from staging memory behind the steps.
TEST(Transfers, WhatElseReadsStagingMemoryFindsIt) {
  OneArray one(100);
  using Kind = plan::Location::Kind;
  one.plan.copies = {{{Kind::input, 0}, 1, 100}, {{Kind::output, 0}, 2, 100}};
  one.device->pinned = one.source.data();
  one.upload();
  EXPECT_EQ(one.staged_input, one.source);
  one.device->pinned = one.result.data();
  one.download();
  EXPECT_EQ(one.staged_output, one.source);
  EXPECT_FALSE(DeviceTransfers(one.plan).is_downloaded(0));
}

TEST(Transfers, AnInputThatBeginsOnTheCpuIsStagedAlone) {
  OneArray one(100);
  one.plan.steps.front().copy = plan::DeviceCopy::none;
  const void* inputs[] = {one.source.data()};
  void* staged[] = {one.staged_input.data()};
  DeviceTransfers(one.plan).upload(inputs, staged, one.on_device.data(), one.stream, Sources::live);
  EXPECT_TRUE(one.stream.uploads.empty());
  EXPECT_EQ(one.staged_input, one.source);
}

}  // namespace
}  // namespace mxinfer::runtime
