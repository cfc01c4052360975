// The part of CUDA's runtime that a device needs: memory, streams, events and graphs, as functions that
// return a status and never throw. Thread-safe; each takes the device that it works on, and leaves the one
// that the calling thread has chosen.
#pragma once

#include <cstddef>

#include "kernels/cuda/stream.h"

namespace mxinfer::kernels::cuda {

struct DeviceProperties {
  char name[256];
  int major, minor;  ///< the compute capability: 8, 6
  int multiprocessors;
  std::size_t memory_bytes;
  std::size_t shared_bytes;  ///< the most that one block may have
};

enum class CopyKind { to_device, to_host, on_device };

/// Numbers of versions are 1000 * major + 10 * minor. Memory is 256-byte aligned.
struct Runtime {
  Status (*driver_version)(int* version);  ///< 0: there is no driver
  int (*built_with)();                     ///< the version of the runtime
  Status (*device_count)(int* count);
  Status (*properties)(int device, DeviceProperties* properties);
  Status (*memory_info)(int device, std::size_t* free_bytes, std::size_t* total_bytes);
  Status (*allocate)(int device, void** memory, std::size_t bytes);
  Status (*release)(int device, void* memory);
  /// Memory of the process that a device copies from and to without a staging copy of the driver's.
  Status (*allocate_pinned)(int device, void** memory, std::size_t bytes);
  Status (*release_pinned)(int device, void* memory);
  /// Whether memory of the process is pinned: that of allocate_pinned(), or pinned by the program.
  Status (*is_pinned)(const void* memory, bool* pinned);
  Status (*new_stream)(int device, void** stream);
  Status (*destroy_stream)(const Stream& stream);
  Status (*copy)(void* dst, const void* src, std::size_t bytes, CopyKind kind, const Stream& stream);
  Status (*fill_bytes)(void* dst, int value, std::size_t bytes, const Stream& stream);
  Status (*synchronize)(const Stream& stream);
  /// Success while work is on its way, and when it has ended; else what it failed of.
  Status (*query_stream)(const Stream& stream);
  Status (*new_event)(int device, void** event);
  Status (*destroy_event)(void* event);
  Status (*record_event)(void* event, const Stream& stream);
  Status (*wait_for_event)(const Stream& stream, void* event);  ///< what is enqueued from now on waits
  Status (*query_event)(void* event, bool* done);
  Status (*synchronize_event)(void* event);
  Status (*new_timer)(int device, void** event);  ///< an event that notes the time
  /// Precondition: both are timers, recorded, and have happened.
  Status (*elapsed_ms)(void* begin, void* end, float* ms);
  Status (*begin_capture)(const Stream& stream);
  Status (*end_capture)(const Stream& stream, void** graph);  ///< ready to launch
  Status (*launch_graph)(void* graph, const Stream& stream);
  Status (*destroy_graph)(void* graph);
  /// Calls function(argument) on a thread of the runtime when what was enqueued before has ended.
  Status (*call_on_host)(void (*function)(void*), void* argument, const Stream& stream);
  const char* (*error_name)(Status status);  ///< "cudaErrorMemoryAllocation"
  const char* (*error_text)(Status status);
};

/// The numbers of the errors that a caller tells apart.
inline constexpr Status kErrorMemoryAllocation = 2;
inline constexpr Status kErrorInsufficientDriver = 35;
inline constexpr Status kErrorNoDevice = 100;

const Runtime& runtime();

}  // namespace mxinfer::kernels::cuda
