#include <cstdio>

#include "kernels/cuda/dialect.h"
#include "kernels/cuda/runtime.h"

namespace mxinfer::kernels::cuda {
namespace {

using simt::DeviceScope;

cudaStream_t handle(const Stream& stream) {
  return static_cast<cudaStream_t>(stream.handle);
}

// Calls `work` with a device chosen.
template <typename Work>
Status on(int device, const Work& work) {
  const DeviceScope scope(device);
  const cudaError_t status = scope.status() == cudaSuccess ? work() : scope.status();
  // An error that is returned is not to be found again by the next launch.
  if (status != cudaSuccess) cudaGetLastError();
  return status;
}

Status driver_version(int* version) {
  *version = 0;
  return cudaDriverGetVersion(version);
}

int built_with() {
  int version = 0;
  cudaRuntimeGetVersion(&version);
  return version;
}

Status device_count(int* count) {
  *count = 0;
  const cudaError_t status = cudaGetDeviceCount(count);
  if (status != cudaSuccess) {
    *count = 0;
    cudaGetLastError();
  }
  return status;
}

Status attribute(int* value, cudaDeviceAttr what, int device) {
  return cudaDeviceGetAttribute(value, what, device);
}

Status properties(int device, DeviceProperties* properties) {
  cudaDeviceProp all{};
  if (const cudaError_t status = cudaGetDeviceProperties(&all, device); status != cudaSuccess) {
    cudaGetLastError();
    return status;
  }
  std::snprintf(properties->name, sizeof properties->name, "%s", all.name);
  properties->major = all.major;
  properties->minor = all.minor;
  properties->multiprocessors = all.multiProcessorCount;
  properties->memory_bytes = all.totalGlobalMem;
  int shared = 0;
  const Status status = attribute(&shared, cudaDevAttrMaxSharedMemoryPerBlockOptin, device);
  properties->shared_bytes = static_cast<std::size_t>(shared);
  return status;
}

Status memory_info(int device, std::size_t* free_bytes, std::size_t* total_bytes) {
  return on(device, [&] { return cudaMemGetInfo(free_bytes, total_bytes); });
}

Status allocate(int device, void** memory, std::size_t bytes) {
  return on(device, [&] { return cudaMalloc(memory, bytes); });
}

Status release(int device, void* memory) {
  return on(device, [&] { return cudaFree(memory); });
}

Status allocate_pinned(int device, void** memory, std::size_t bytes) {
  return on(device, [&] { return cudaHostAlloc(memory, bytes, cudaHostAllocPortable); });
}

Status release_pinned(int device, void* memory) {
  return on(device, [&] { return cudaFreeHost(memory); });
}

Status is_pinned(const void* memory, bool* pinned) {
  cudaPointerAttributes attributes{};
  const cudaError_t status = cudaPointerGetAttributes(&attributes, memory);
  *pinned = status == cudaSuccess && attributes.type == cudaMemoryTypeHost;
  if (status != cudaSuccess) cudaGetLastError();
  return status;
}

Status new_stream(int device, void** stream) {
  return on(device, [&] {
    // Does not wait for the default stream, which is the program's.
    return cudaStreamCreateWithFlags(reinterpret_cast<cudaStream_t*>(stream), cudaStreamNonBlocking);
  });
}

Status destroy_stream(const Stream& stream) {
  return on(stream.device, [&] { return cudaStreamDestroy(handle(stream)); });
}

Status copy(void* dst, const void* src, std::size_t bytes, CopyKind kind, const Stream& stream) {
  const cudaMemcpyKind direction = kind == CopyKind::to_device ? cudaMemcpyHostToDevice
                                   : kind == CopyKind::to_host ? cudaMemcpyDeviceToHost
                                                               : cudaMemcpyDeviceToDevice;
  return on(stream.device, [&] { return cudaMemcpyAsync(dst, src, bytes, direction, handle(stream)); });
}

Status fill_bytes(void* dst, int value, std::size_t bytes, const Stream& stream) {
  return on(stream.device, [&] { return cudaMemsetAsync(dst, value, bytes, handle(stream)); });
}

Status synchronize(const Stream& stream) {
  return on(stream.device, [&] { return cudaStreamSynchronize(handle(stream)); });
}

Status query_stream(const Stream& stream) {
  return on(stream.device, [&] {
    const cudaError_t status = cudaStreamQuery(handle(stream));
    return status == cudaErrorNotReady ? cudaSuccess : status;
  });
}

Status new_event(int device, void** event) {
  return on(device, [&] {
    return cudaEventCreateWithFlags(reinterpret_cast<cudaEvent_t*>(event), cudaEventDisableTiming);
  });
}

Status destroy_event(void* event) {
  return cudaEventDestroy(static_cast<cudaEvent_t>(event));
}

Status record_event(void* event, const Stream& stream) {
  return on(stream.device, [&] { return cudaEventRecord(static_cast<cudaEvent_t>(event), handle(stream)); });
}

Status wait_for_event(const Stream& stream, void* event) {
  return on(stream.device,
            [&] { return cudaStreamWaitEvent(handle(stream), static_cast<cudaEvent_t>(event), 0); });
}

Status query_event(void* event, bool* done) {
  const cudaError_t status = cudaEventQuery(static_cast<cudaEvent_t>(event));
  *done = status == cudaSuccess;
  return status == cudaErrorNotReady ? cudaSuccess : status;
}

Status synchronize_event(void* event) {
  return cudaEventSynchronize(static_cast<cudaEvent_t>(event));
}

Status new_timer(int device, void** event) {
  return on(device, [&] {
    return cudaEventCreateWithFlags(reinterpret_cast<cudaEvent_t*>(event), cudaEventDefault);
  });
}

Status elapsed_ms(void* begin, void* end, float* ms) {
  *ms = 0;
  const cudaError_t status =
      cudaEventElapsedTime(ms, static_cast<cudaEvent_t>(begin), static_cast<cudaEvent_t>(end));
  if (status != cudaSuccess) cudaGetLastError();
  return status;
}

Status begin_capture(const Stream& stream) {
  return on(stream.device,
            [&] { return cudaStreamBeginCapture(handle(stream), cudaStreamCaptureModeThreadLocal); });
}

Status end_capture(const Stream& stream, void** graph) {
  *graph = nullptr;
  return on(stream.device, [&] {
    cudaGraph_t captured = nullptr;
    cudaError_t status = cudaStreamEndCapture(handle(stream), &captured);
    if (status != cudaSuccess) return status;
    status = cudaGraphInstantiate(reinterpret_cast<cudaGraphExec_t*>(graph), captured, 0);
    cudaGraphDestroy(captured);
    return status;
  });
}

Status launch_graph(void* graph, const Stream& stream) {
  return on(stream.device,
            [&] { return cudaGraphLaunch(static_cast<cudaGraphExec_t>(graph), handle(stream)); });
}

Status destroy_graph(void* graph) {
  return cudaGraphExecDestroy(static_cast<cudaGraphExec_t>(graph));
}

Status call_on_host(void (*function)(void*), void* argument, const Stream& stream) {
  return on(stream.device, [&] { return cudaLaunchHostFunc(handle(stream), function, argument); });
}

const char* error_name(Status status) {
  return cudaGetErrorName(static_cast<cudaError_t>(status));
}

const char* error_text(Status status) {
  return cudaGetErrorString(static_cast<cudaError_t>(status));
}

}  // namespace

const Runtime& runtime() {
  static constexpr Runtime all{
      driver_version, built_with,      device_count,   properties,        memory_info,  allocate,
      release,        allocate_pinned, release_pinned, is_pinned,         new_stream,   destroy_stream,
      copy,           fill_bytes,      synchronize,    query_stream,      new_event,    destroy_event,
      record_event,   wait_for_event,  query_event,    synchronize_event, new_timer,    elapsed_ms,
      begin_capture,  end_capture,     launch_graph,   destroy_graph,     call_on_host, error_name,
      error_text};
  return all;
}

}  // namespace mxinfer::kernels::cuda
