// Memory of devices, their properties, and the options that choose them.
#include <cmath>

#include "simt/tests/test_support.h"

namespace mxinfer::simt {
namespace {

TEST(Memory, IsFullOfNaN) {
  const DeviceArray<float> array(100);
  for (const float value : array.read()) EXPECT_TRUE(std::isnan(value));
}

TEST(Memory, IsAlignedToTwoHundredAndFiftySixBytes) {
  for (const std::size_t bytes : {1u, 255u, 257u, 4096u}) {
    const DeviceArray<char> array(bytes);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(array.data()) % 256, 0u);
  }
}

TEST(Memory, IsAsLargeAsTheOptionsSay) {
  std::size_t free_bytes = 0, total = 0, used = 0;
  ASSERT_EQ(cudaMemGetInfo(&free_bytes, &total), cudaSuccess);
  used = total - free_bytes;
  const ScopedOptions set(("memory=" + std::to_string(used + 1000)).c_str());
  const DeviceArray<char> first(600);
  ASSERT_EQ(cudaMemGetInfo(&free_bytes, &total), cudaSuccess);
  EXPECT_EQ(free_bytes, 400u);
  EXPECT_EQ(total, used + 1000);
  void* memory = nullptr;
  EXPECT_EQ(cudaMalloc(&memory, 401), cudaErrorMemoryAllocation);
  EXPECT_EQ(memory, nullptr);
  EXPECT_EQ(cudaGetLastError(), cudaErrorMemoryAllocation);
  EXPECT_EQ(cudaMalloc(&memory, 400), cudaSuccess);
  EXPECT_EQ(cudaFree(memory), cudaSuccess);
  ASSERT_EQ(cudaMemGetInfo(&free_bytes, &total), cudaSuccess);
  EXPECT_EQ(free_bytes, 400u);
  EXPECT_EQ(cudaHostAlloc(&memory, 5000, cudaHostAllocPortable), cudaSuccess) << "the process's";
  EXPECT_EQ(cudaFreeHost(memory), cudaSuccess);
}

TEST(Memory, ThatWasNotAllocatedIsNotReleased) {
  int host = 0;
  EXPECT_EQ(cudaFree(&host), cudaErrorInvalidValue);
  const DeviceArray<int> array(4);
  EXPECT_EQ(cudaFree(array.data() + 1), cudaErrorInvalidValue);
  EXPECT_EQ(cudaFreeHost(array.data()), cudaErrorInvalidValue);
  EXPECT_EQ(cudaFree(nullptr), cudaSuccess);
  cudaGetLastError();
}

std::string copy_text(void* dst, const void* src, std::size_t bytes, cudaMemcpyKind kind) {
  const cudaError_t error = cudaMemcpyAsync(dst, src, bytes, kind, nullptr);
  EXPECT_EQ(cudaGetLastError(), error);
  EXPECT_EQ(cudaStreamSynchronize(nullptr), cudaSuccess);
  return cudaGetErrorString(error);
}

TEST(Memory, CopiesAreCheckedForTheirSides) {
  const DeviceArray<int> first(4), second(4);
  std::vector<int> host(4);
  int *a = first.data(), *b = second.data(), *h = host.data();
  EXPECT_EQ(copy_text(a, h, 16, cudaMemcpyHostToDevice), kNoError);
  EXPECT_EQ(copy_text(b, a, 16, cudaMemcpyDeviceToDevice), kNoError);
  EXPECT_EQ(copy_text(h, b, 16, cudaMemcpyDeviceToHost), kNoError);
  EXPECT_EQ(copy_text(a + 1, h, 12, cudaMemcpyHostToDevice), kNoError);
  EXPECT_EQ(copy_text(h, h, 0, cudaMemcpyHostToDevice), kNoError);
  expect_contains(copy_text(a, h, 17, cudaMemcpyHostToDevice), "is 16 bytes of device 0; expected 17 bytes");
  expect_contains(copy_text(a + 1, h, 16, cudaMemcpyHostToDevice), "is 12 bytes of device 0");
  expect_contains(copy_text(h, a, 16, cudaMemcpyHostToDevice), "dst");
  expect_contains(copy_text(a, b, 16, cudaMemcpyHostToDevice), "src");
  expect_contains(copy_text(a, h, 16, cudaMemcpyDeviceToDevice), "src");
  expect_contains(copy_text(a, b, 16, cudaMemcpyDeviceToHost), "dst");
  expect_contains(copy_text(h, h, 16, cudaMemcpyDeviceToHost), "src");
}

TEST(Memory, PinnedMemoryIsOfTheProcessAndHasASize) {
  const DeviceArray<int> array(std::vector<int>{1, 2, 3, 4});
  void* pinned = nullptr;
  ASSERT_EQ(cudaHostAlloc(&pinned, 12, cudaHostAllocPortable), cudaSuccess);
  EXPECT_EQ(copy_text(pinned, array.data(), 12, cudaMemcpyDeviceToHost), kNoError);
  EXPECT_EQ(static_cast<int*>(pinned)[2], 3);
  expect_contains(copy_text(pinned, array.data(), 16, cudaMemcpyDeviceToHost), "is 12 bytes of the process");
  EXPECT_EQ(cudaFree(pinned), cudaErrorInvalidValue);
  EXPECT_EQ(cudaFreeHost(pinned), cudaSuccess);
  cudaGetLastError();
}

void add_one(int* values) {
  values[threadIdx.x] += 1;
}

TEST(Memory, IsReleasedAfterWhatIsQueued) {
  void* memory = nullptr;
  ASSERT_EQ(cudaMalloc(&memory, 64), cudaSuccess);
  std::vector<int> host(16);
  ASSERT_EQ(cudaMemsetAsync(memory, 0, 64, nullptr), cudaSuccess);
  ASSERT_EQ(launch(add_one, 1, 16, 0, Stream{}, static_cast<int*>(memory)), cudaSuccess);
  ASSERT_EQ(cudaMemcpyAsync(host.data(), memory, 64, cudaMemcpyDeviceToHost, nullptr), cudaSuccess);
  ASSERT_EQ(cudaFree(memory), cudaSuccess);
  EXPECT_EQ(host, std::vector<int>(16, 1));
}

TEST(Devices, HaveTheirOwnMemory) {
  const ScopedOptions set("devices=2");
  const DeviceArray<int> on_first(4);
  int host[4] = {};
  const DeviceScope scope(1);
  ASSERT_EQ(scope.status(), cudaSuccess);
  expect_contains(copy_text(on_first.data(), host, 16, cudaMemcpyHostToDevice),
                  "is 16 bytes of device 0; expected 16 bytes of device 1");
  const DeviceArray<int> on_second(4);
  EXPECT_EQ(copy_text(on_second.data(), host, 16, cudaMemcpyHostToDevice), kNoError);
}

TEST(Devices, AreCounted) {
  int count = 7;
  {
    const ScopedOptions set("devices=3");
    EXPECT_EQ(cudaGetDeviceCount(&count), cudaSuccess);
    EXPECT_EQ(count, 3);
    EXPECT_EQ(cudaSetDevice(3), cudaErrorInvalidDevice);
    EXPECT_EQ(cudaSetDevice(-1), cudaErrorInvalidDevice);
    EXPECT_EQ(cudaSetDevice(2), cudaSuccess);
    EXPECT_EQ(cudaSetDevice(0), cudaSuccess);
  }
  const ScopedOptions set("devices=0");
  EXPECT_EQ(cudaGetDeviceCount(&count), cudaErrorNoDevice);
  cudaGetLastError();
}

TEST(Devices, NeedADriverThatIsNewEnough) {
  for (const int driver : {0, 12090}) {
    const ScopedOptions set(("driver=" + std::to_string(driver)).c_str());
    int count = 7, version = -1;
    EXPECT_EQ(cudaGetDeviceCount(&count), cudaErrorInsufficientDriver);
    EXPECT_EQ(count, 7) << "CUDA leaves it as it was";
    EXPECT_EQ(cudaDriverGetVersion(&version), cudaSuccess);
    EXPECT_EQ(version, driver);
    EXPECT_EQ(launch(add_one, 1, 1, 0, Stream{}, static_cast<int*>(nullptr)), cudaErrorInsufficientDriver);
  }
  cudaGetLastError();
}

TEST(Devices, HaveTheArchitectureOfTheOptions) {
  const ScopedOptions set("arch=7.5,memory=12345");
  cudaDeviceProp properties{};
  ASSERT_EQ(cudaGetDeviceProperties(&properties, 0), cudaSuccess);
  EXPECT_STREQ(properties.name, "SIMT emulator");
  EXPECT_EQ(properties.major, 7);
  EXPECT_EQ(properties.minor, 5);
  EXPECT_EQ(properties.totalGlobalMem, 12345u);
  int shared = 0;
  ASSERT_EQ(cudaDeviceGetAttribute(&shared, cudaDevAttrMaxSharedMemoryPerBlockOptin, 0), cudaSuccess);
  EXPECT_EQ(shared, 64 << 10);
  EXPECT_EQ(cudaGetDeviceProperties(&properties, 1), cudaErrorInvalidDevice);
  cudaGetLastError();
}

TEST(Options, AreReadFromText) {
  Options options;
  std::string complaint;
  ASSERT_TRUE(parse_options(
      "order=reverse,late=0,multiply_late=1,seed=7,threads=2,queue=0,ready=5,devices=2,memory=99,arch=9.0,"
      "driver=12040",
      &options, &complaint));
  EXPECT_EQ(options.order, Order::reverse);
  EXPECT_FALSE(options.async_late);
  EXPECT_TRUE(options.multiply_late);
  EXPECT_EQ(options.seed, 7u);
  EXPECT_EQ(options.os_threads, 2);
  EXPECT_FALSE(options.queue);
  EXPECT_EQ(options.not_ready, 5);
  EXPECT_EQ(options.devices, 2);
  EXPECT_EQ(options.memory, 99u);
  EXPECT_EQ(options.major, 9);
  EXPECT_EQ(options.driver, 12040);
  ASSERT_TRUE(parse_options("order=random", &options, &complaint));
  EXPECT_EQ(options.order, Order::random);
  EXPECT_EQ(options.seed, 7u) << "what is not named stays";
}

TEST(Options, ThatCannotBeReadAreNamed) {
  for (const char* text : {"order=up", "late", "seed=", "seed=x", "sed=1", "threads=-1", "arch=8"}) {
    Options options;
    std::string complaint;
    EXPECT_FALSE(parse_options(text, &options, &complaint)) << text;
    expect_contains(complaint, "'" + std::string(text) + "'");
  }
}

}  // namespace
}  // namespace mxinfer::simt
