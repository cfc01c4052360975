// cudaMemcpyAsync and cudaMemsetAsync.
#include <cstring>

#include "simt/host/errors.h"
#include "simt/host/memory.h"
#include "simt/host/stream.h"
#include "simt/host/traffic.h"

namespace mxinfer::simt {
namespace {

struct Copied {
  void* dst;
  const void* src;
  std::size_t bytes;
  cudaMemcpyKind kind;
  int device;
};

std::string text_of(const void* pointer) {
  char text[32];
  std::snprintf(text, sizeof text, "%p", pointer);
  return text;
}

/// Success if so much memory is on that side.
cudaError_t check_side(const char* function, const char* which, const void* pointer, std::size_t bytes,
                       bool on_device, int device) {
  if (on_device ? is_of_device(pointer, bytes, device) : is_of_process(pointer, bytes)) return cudaSuccess;
  Allocation found;
  const std::byte* start = nullptr;
  std::string memory = "no memory that was allocated of a device or pinned";
  if (find_allocation(pointer, &found, &start)) {
    const auto offset = static_cast<std::size_t>(static_cast<const std::byte*>(pointer) - start);
    memory = std::to_string(found.bytes - offset) + " bytes of " +
             (found.is_pinned ? "the process" : "device " + std::to_string(found.device));
  }
  return report(std::string(function) + ": " + which + " " + text_of(pointer) + " is " + memory +
                "; expected " + std::to_string(bytes) + " bytes of " +
                (on_device ? "device " + std::to_string(device) : "the process"));
}

cudaError_t check_copy(const Copied& copy) {
  const bool from_device = copy.kind == cudaMemcpyDeviceToHost || copy.kind == cudaMemcpyDeviceToDevice;
  const bool to_device = copy.kind == cudaMemcpyHostToDevice || copy.kind == cudaMemcpyDeviceToDevice;
  const cudaError_t error =
      check_side("cudaMemcpyAsync", "dst", copy.dst, copy.bytes, to_device, copy.device);
  if (error != cudaSuccess) return error;
  return check_side("cudaMemcpyAsync", "src", copy.src, copy.bytes, from_device, copy.device);
}

cudaError_t device_of(cudaStream_t handle, int* device) {
  const auto lock = lock_streams();
  const StreamPointer stream = find_stream(handle);
  if (stream == nullptr) return cudaErrorInvalidResourceHandle;
  *device = stream->device;
  return cudaSuccess;
}

Transfer transfer_of(cudaMemcpyKind kind) {
  if (kind == cudaMemcpyHostToDevice) return Transfer::to_device;
  return kind == cudaMemcpyDeviceToHost ? Transfer::to_host : Transfer::on_device;
}

cudaError_t enqueue_copy(Copied copy, cudaStream_t stream) {
  if (copy.bytes == 0) return cudaSuccess;
  if (const cudaError_t error = device_of(stream, &copy.device); error != cudaSuccess) return error;
  if (const cudaError_t error = check_copy(copy); error != cudaSuccess) return error;
  // Once more when it is made: the memory may have been released.
  return enqueue_work(stream, [copy] {
    const cudaError_t error = check_copy(copy);
    if (error == cudaSuccess) std::memcpy(copy.dst, copy.src, copy.bytes);
    count_transfer(transfer_of(copy.kind), copy.bytes);
    return error;
  });
}

cudaError_t enqueue_fill(void* dst, int value, std::size_t bytes, cudaStream_t stream) {
  if (bytes == 0) return cudaSuccess;
  int device = 0;
  if (const cudaError_t error = device_of(stream, &device); error != cudaSuccess) return error;
  const auto check = [=] { return check_side("cudaMemsetAsync", "dst", dst, bytes, true, device); };
  if (const cudaError_t error = check(); error != cudaSuccess) return error;
  return enqueue_work(stream, [=] {
    const cudaError_t error = check();
    if (error == cudaSuccess) std::memset(dst, value, bytes);
    count_transfer(Transfer::fill, bytes);
    return error;
  });
}

}  // namespace
}  // namespace mxinfer::simt

using namespace mxinfer::simt;

cudaError_t cudaMemcpyAsync(void* dst, const void* src, std::size_t bytes, cudaMemcpyKind kind,
                            cudaStream_t stream) {
  return remember(enqueue_copy({dst, src, bytes, kind, 0}, stream));
}

cudaError_t cudaMemsetAsync(void* dst, int value, std::size_t bytes, cudaStream_t stream) {
  return remember(enqueue_fill(dst, value, bytes, stream));
}
