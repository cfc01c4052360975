// What has been allocated of devices, and of the process for them.
#pragma once

#include <cstddef>

#include "simt/host/runtime_api.h"

namespace mxinfer::simt {

struct Allocation {
  std::size_t bytes = 0;
  int device = 0;
  bool is_pinned = false;  ///< memory of the process
};

/// Whether `bytes` from `pointer` on are of one allocation of `device`.
bool is_of_device(const void* pointer, std::size_t bytes, int device);
/// Whether any of them is of an allocation of a device, or only partly in pinned memory.
bool is_of_process(const void* pointer, std::size_t bytes);
/// The allocation that `pointer` is in, and its start; false if there is none.
bool find_allocation(const void* pointer, Allocation* allocation, const std::byte** start);

}  // namespace mxinfer::simt
