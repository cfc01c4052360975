#include "simt/host/memory.h"

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <map>
#include <mutex>

#include "simt/host/device.h"
#include "simt/host/errors.h"
#include "simt/host/options.h"
#include "simt/host/stream.h"

namespace mxinfer::simt {
namespace {

constexpr std::size_t kAlignment = 256;

struct Memory {
  std::mutex mutex;
  std::map<std::uintptr_t, Allocation> all;  ///< by address
  std::map<int, std::size_t> used;           ///< by device
};

Memory& memory_of_all() {
  static Memory& all = *new Memory;
  return all;
}

std::uintptr_t address_of(const void* pointer) {
  return reinterpret_cast<std::uintptr_t>(pointer);
}

/// The first allocation that ends behind `address`. The lock is held.
auto first_behind(Memory& memory, std::uintptr_t address) {
  auto found = memory.all.upper_bound(address);
  if (found != memory.all.begin()) {
    const auto before = std::prev(found);
    if (address - before->first < before->second.bytes) return before;
  }
  return found;
}

cudaError_t allocate(void** memory, std::size_t bytes, bool is_pinned) {
  *memory = nullptr;
  if (is_unsafe_in_capture()) return cudaErrorStreamCaptureUnsupported;
  if (options().is_lost(current_device())) return cudaErrorLaunchFailure;
  if (bytes == 0) return cudaSuccess;
  Memory& all = memory_of_all();
  const std::lock_guard lock(all.mutex);
  std::size_t& used = all.used[current_device()];
  const std::size_t most = options().memory;
  if (!is_pinned && (used > most || bytes > most - used)) return cudaErrorMemoryAllocation;
  if (posix_memalign(memory, kAlignment, bytes) != 0) return cudaErrorMemoryAllocation;
  std::memset(*memory, 0xff, bytes);
  all.all[address_of(*memory)] = {bytes, current_device(), is_pinned};
  if (!is_pinned) used += bytes;
  return cudaSuccess;
}

cudaError_t release(void* memory, bool is_pinned) {
  if (is_unsafe_in_capture()) return cudaErrorStreamCaptureUnsupported;
  if (memory == nullptr) return cudaSuccess;
  Memory& all = memory_of_all();
  int device = 0;
  {
    const std::lock_guard lock(all.mutex);
    const auto found = all.all.find(address_of(memory));
    if (found == all.all.end() || found->second.is_pinned != is_pinned) return cudaErrorInvalidValue;
    device = found->second.device;
  }
  // As CUDA does: nothing that is queued may use it any more.
  finish_device(device);
  const std::lock_guard lock(all.mutex);
  const auto found = all.all.find(address_of(memory));
  if (found == all.all.end()) return cudaErrorInvalidValue;
  if (!is_pinned) all.used[device] -= found->second.bytes;
  std::memset(memory, 0xff, found->second.bytes);
  all.all.erase(found);
  std::free(memory);
  return options().is_lost(device) ? cudaErrorLaunchFailure : cudaSuccess;
}

}  // namespace

bool is_of_device(const void* pointer, std::size_t bytes, int device) {
  Memory& all = memory_of_all();
  const std::lock_guard lock(all.mutex);
  const std::uintptr_t address = address_of(pointer);
  const auto found = first_behind(all, address);
  return found != all.all.end() && found->first <= address && !found->second.is_pinned &&
         found->second.device == device && bytes <= found->second.bytes - (address - found->first);
}

bool is_of_process(const void* pointer, std::size_t bytes) {
  Memory& all = memory_of_all();
  const std::lock_guard lock(all.mutex);
  const std::uintptr_t address = address_of(pointer);
  for (auto found = first_behind(all, address); found != all.all.end() && found->first < address + bytes;
       ++found) {
    if (!found->second.is_pinned) return false;
    const bool fits = found->first <= address && bytes <= found->second.bytes - (address - found->first);
    if (!fits) return false;
  }
  return pointer != nullptr;
}

bool find_allocation(const void* pointer, Allocation* allocation, const std::byte** start) {
  Memory& all = memory_of_all();
  const std::lock_guard lock(all.mutex);
  const auto found = first_behind(all, address_of(pointer));
  if (found == all.all.end() || found->first > address_of(pointer)) return false;
  *allocation = found->second;
  *start = reinterpret_cast<const std::byte*>(found->first);
  return true;
}

}  // namespace mxinfer::simt

using namespace mxinfer::simt;

cudaError_t cudaMemGetInfo(std::size_t* free_bytes, std::size_t* total_bytes) {
  Memory& all = memory_of_all();
  const std::lock_guard lock(all.mutex);
  const std::size_t used = all.used[current_device()];
  *total_bytes = options().memory;
  *free_bytes = *total_bytes > used ? *total_bytes - used : 0;
  return cudaSuccess;
}

cudaError_t cudaMalloc(void** memory, std::size_t bytes) {
  return remember(allocate(memory, bytes, false));
}

cudaError_t cudaFree(void* memory) {
  return remember(release(memory, false));
}

cudaError_t cudaHostAlloc(void** memory, std::size_t bytes, unsigned) {
  return remember(allocate(memory, bytes, true));
}

cudaError_t cudaFreeHost(void* memory) {
  return remember(release(memory, true));
}

cudaError_t cudaPointerGetAttributes(cudaPointerAttributes* attributes, const void* pointer) {
  Allocation found{};
  const std::byte* start = nullptr;
  *attributes = {cudaMemoryTypeUnregistered, -1};
  const auto* at = static_cast<const std::byte*>(pointer);
  if (find_allocation(pointer, &found, &start) && static_cast<std::size_t>(at - start) < found.bytes)
    *attributes = {found.is_pinned ? cudaMemoryTypeHost : cudaMemoryTypeDevice, found.device};
  return cudaSuccess;
}
