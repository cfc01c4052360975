#include "simt/host/device.h"

#include <cstdio>

#include "simt/host/errors.h"

namespace mxinfer::simt {
namespace {

constexpr int kRuntimeVersion = 13000;
constexpr int kSharedWithoutAsking = 48 << 10;

thread_local int device_of_thread = 0;

cudaError_t device_count(const Options& options, int* count) {
  if (options.driver < kRuntimeVersion) return cudaErrorInsufficientDriver;  // the count stays as it was
  *count = options.devices;
  return options.devices > 0 ? cudaSuccess : cudaErrorNoDevice;
}

cudaError_t check_device(int device) {
  int count = 0;
  if (const cudaError_t error = device_count(options(), &count); error != cudaSuccess) return error;
  return device >= 0 && device < count ? cudaSuccess : cudaErrorInvalidDevice;
}

}  // namespace

int current_device() {
  return device_of_thread;
}

std::size_t most_shared_bytes(const Options& options) {
  if (options.major < 8) return std::size_t{64} << 10;
  if (options.major >= 9) return std::size_t{227} << 10;
  return std::size_t{options.minor == 0 ? 163u : 99u} << 10;
}

}  // namespace mxinfer::simt

using namespace mxinfer::simt;

cudaError_t cudaDriverGetVersion(int* version) {
  *version = options().driver;
  return cudaSuccess;
}

cudaError_t cudaRuntimeGetVersion(int* version) {
  *version = kRuntimeVersion;
  return cudaSuccess;
}

cudaError_t cudaGetDeviceCount(int* count) {
  return remember(device_count(options(), count));
}

cudaError_t cudaGetDevice(int* device) {
  int count = 0;
  if (const cudaError_t error = device_count(options(), &count); error != cudaSuccess) return remember(error);
  *device = device_of_thread;
  return cudaSuccess;
}

cudaError_t cudaSetDevice(int device) {
  const cudaError_t error = check_device(device);
  if (error == cudaSuccess) device_of_thread = device;
  return remember(error);
}

cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int device) {
  if (const cudaError_t error = check_device(device); error != cudaSuccess) return remember(error);
  const Options with = options();
  *properties = {};
  std::snprintf(properties->name, sizeof properties->name, "SIMT emulator");
  properties->totalGlobalMem = with.memory;
  properties->major = with.major;
  properties->minor = with.minor;
  properties->multiProcessorCount = with.multiprocessors;
  return cudaSuccess;
}

cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr what, int device) {
  if (const cudaError_t error = check_device(device); error != cudaSuccess) return remember(error);
  switch (what) {
    case cudaDevAttrMaxSharedMemoryPerBlock:
      *value = kSharedWithoutAsking;
      return cudaSuccess;
    case cudaDevAttrMultiProcessorCount:
      *value = options().multiprocessors;
      return cudaSuccess;
    case cudaDevAttrMaxSharedMemoryPerBlockOptin:
      *value = static_cast<int>(most_shared_bytes(options()));
      return cudaSuccess;
  }
  return remember(cudaErrorInvalidValue);
}
