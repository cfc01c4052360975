#include "simt/host/traffic.h"

#include <atomic>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <map>
#include <mutex>
#include <string>

#include "simt/host/kernel_name.h"

namespace mxinfer::simt {
namespace {

constexpr const char* kTransferNames[] = {"copy to device", "copy to host", "copy on device", "fill"};
std::atomic<unsigned long long> transfers[std::size(kTransferNames)]{}, bytes_to_device{0};

struct LaunchCounts {
  std::mutex mutex;
  std::map<const void*, unsigned long long> of_kernel;
};

LaunchCounts& launch_counts() {
  static LaunchCounts& counts = *new LaunchCounts;
  return counts;
}

/// Writes the counts when the process ends, if it is told where.
struct AtExit {
  const char* const path = std::getenv("MXINFER_SIMT_LAUNCHES");
  ~AtExit() {
    if (path == nullptr) return;
    std::ofstream file(path);
    for (const auto& [function, count] : launch_counts().of_kernel)
      file << count << ' ' << kernel_name(function) << '\n';
    for (std::size_t i = 0; i < std::size(kTransferNames); ++i) {
      if (transfers[i] > 0) file << transfers[i] << ' ' << kTransferNames[i] << '\n';
    }
  }
} at_exit;

}  // namespace

void count_transfer(Transfer kind, std::size_t bytes) {
  ++transfers[static_cast<std::size_t>(kind)];
  if (kind == Transfer::to_device) bytes_to_device += bytes;
}

void count_launch(const void* kernel) {
  LaunchCounts& counts = launch_counts();
  const std::lock_guard lock(counts.mutex);
  ++counts.of_kernel[kernel];
}

}  // namespace mxinfer::simt

using namespace mxinfer::simt;

unsigned long long mxinfer_simt_copies_to_device() {
  return transfers[static_cast<std::size_t>(Transfer::to_device)];
}

unsigned long long mxinfer_simt_bytes_to_device() {
  return bytes_to_device;
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

unsigned long long mxinfer_simt_all_launches() {
  unsigned long long sum = 0;
  for (const auto& count : transfers) sum += count;
  LaunchCounts& counts = launch_counts();
  const std::lock_guard lock(counts.mutex);
  for (const auto& [function, count] : counts.of_kernel) sum += count;
  return sum;
}
