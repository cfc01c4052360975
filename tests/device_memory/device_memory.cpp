#include "device_memory/device_memory.h"

#include <dlfcn.h>
#include <mxinfer/version.h>

#include <cstdio>
#include <cstdlib>

#include "kernels/cuda_library/library.h"

using namespace mxinfer::kernels::cuda;

namespace {

constexpr int kDevice = 0;
constexpr int kNoLibrary = -1;

const Library* open_library() {
  const char* path = std::getenv("MXINFER_CUDA_LIBRARY");
  void* handle = path != nullptr ? dlopen(path, RTLD_NOW | RTLD_LOCAL) : nullptr;
  if (handle == nullptr) {
    std::fprintf(stderr, "MXINFER_CUDA_LIBRARY must name libmxinfer_cuda.so\n");
    return nullptr;
  }
  using Table = const Library*(const char*, std::size_t);
  auto* table = reinterpret_cast<Table*>(dlsym(handle, kLibraryFunction));
  return table != nullptr ? table(MXINFER_VERSION, sizeof(Library)) : nullptr;
}

const Runtime* library_runtime() {
  static const Library* const library = open_library();
  return library != nullptr ? &library->runtime : nullptr;
}

int copy(void* to, const void* from, size_t bytes, CopyKind kind) {
  const Runtime* const cuda = library_runtime();
  if (cuda == nullptr) return kNoLibrary;
  const Stream stream{kDevice, nullptr};
  const Status status = cuda->copy(to, from, bytes, kind, stream);
  return status == kSuccess ? cuda->synchronize(stream) : status;
}

}  // namespace

void* device_memory_allocate(size_t bytes) {
  const Runtime* const cuda = library_runtime();
  void* memory = nullptr;
  if (cuda == nullptr || cuda->allocate(kDevice, &memory, bytes) != kSuccess) return nullptr;
  return memory;
}

void device_memory_free(void* memory) {
  const Runtime* const cuda = library_runtime();
  if (cuda != nullptr && memory != nullptr) cuda->release(kDevice, memory);
}

int device_memory_upload(void* device, const void* host, size_t bytes) {
  return copy(device, host, bytes, CopyKind::to_device);
}

int device_memory_download(void* host, const void* device, size_t bytes) {
  return copy(host, device, bytes, CopyKind::to_host);
}

int device_memory_is_pinned(const void* host) {
  const Runtime* const cuda = library_runtime();
  bool pinned = false;
  return cuda != nullptr && cuda->is_pinned(host, &pinned) == kSuccess && pinned ? 1 : 0;
}

void* device_stream_create(void) {
  const Runtime* const cuda = library_runtime();
  void* stream = nullptr;
  if (cuda == nullptr || cuda->new_stream(kDevice, &stream) != kSuccess) return nullptr;
  return stream;
}

int device_stream_synchronize(void* stream) {
  const Runtime* const cuda = library_runtime();
  return cuda != nullptr ? cuda->synchronize({kDevice, stream}) : kNoLibrary;
}

void device_stream_destroy(void* stream) {
  const Runtime* const cuda = library_runtime();
  if (cuda != nullptr && stream != nullptr) cuda->destroy_stream({kDevice, stream});
}
