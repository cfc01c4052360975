#include "simt/host/traffic.h"

#include <atomic>
#include <map>
#include <mutex>
#include <string>

#include "simt/host/kernel_name.h"

namespace mxinfer::simt {
namespace {

std::atomic<unsigned long long> copies{0}, copied_bytes{0};

struct LaunchCounts {
  std::mutex mutex;
  std::map<const void*, unsigned long long> of_kernel;
};

LaunchCounts& launch_counts() {
  static LaunchCounts& counts = *new LaunchCounts;
  return counts;
}

}  // namespace

void count_copy_to_device(std::size_t bytes) {
  ++copies;
  copied_bytes += bytes;
}

void count_launch(const void* kernel) {
  LaunchCounts& counts = launch_counts();
  const std::lock_guard lock(counts.mutex);
  ++counts.of_kernel[kernel];
}

}  // namespace mxinfer::simt

using namespace mxinfer::simt;

unsigned long long mxinfer_simt_copies_to_device() {
  return copies;
}

unsigned long long mxinfer_simt_bytes_to_device() {
  return copied_bytes;
}

unsigned long long mxinfer_simt_launches(const char* kernel) {
  LaunchCounts& counts = launch_counts();
  const std::lock_guard lock(counts.mutex);
  unsigned long long sum = 0;
  for (const auto& [function, count] : counts.of_kernel) {
    const std::string name = kernel_name(function);
    if (name.substr(0, name.find('<')) == kernel) sum += count;
  }
  return sum;
}
