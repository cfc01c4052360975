// A libmxinfer_cuda.so that notes which launchers are called, and has the one behind it do the work:
//
//   MXINFER_CUDA_LIBRARY=this MXINFER_CUDA_LIBRARY_BEHIND=other MXINFER_LAUNCHERS=names.txt mxinfer_cuda_tests
//
// names.txt gets a line for each launcher of kernel_list.inc when it is first called.
#include <dlfcn.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>

#include "kernels/cuda_library/library.h"

namespace {

using namespace mxinfer::kernels::cuda;

const Library* behind = nullptr;

void note(const char* launcher) {
  const char* const path = std::getenv("MXINFER_LAUNCHERS");
  std::FILE* const file = path != nullptr ? std::fopen(path, "a") : nullptr;
  if (file == nullptr) {
    std::fprintf(stderr, "MXINFER_LAUNCHERS must name a file to write to\n");
    std::abort();
  }
  std::fprintf(file, "%s\n", launcher);
  std::fclose(file);
}

enum class Launcher {
#define MXINFER_CUDA_KERNEL(function) function,
#include "kernels/cuda_library/kernel_list.inc"
#undef MXINFER_CUDA_KERNEL
};
constexpr const char* kNames[] = {
#define MXINFER_CUDA_KERNEL(function) #function,
#include "kernels/cuda_library/kernel_list.inc"
#undef MXINFER_CUDA_KERNEL
};

/// A launcher of the table, which is noted before it is called.
template <Launcher kLauncher, auto kMember>
struct Noted;
template <Launcher kLauncher, typename... A, Status (*Library::*kMember)(A...)>
struct Noted<kLauncher, kMember> {
  static Status call(A... args) {
    static std::atomic<bool> is_noted{false};
    if (!is_noted.exchange(true)) note(kNames[static_cast<int>(kLauncher)]);
    return (behind->*kMember)(args...);
  }
};

void* open_behind() {
  const char* const path = std::getenv("MXINFER_CUDA_LIBRARY_BEHIND");
  void* const handle = path != nullptr ? dlopen(path, RTLD_NOW | RTLD_LOCAL) : nullptr;
  if (handle == nullptr) std::fprintf(stderr, "MXINFER_CUDA_LIBRARY_BEHIND must name libmxinfer_cuda.so\n");
  return handle;
}

Library noted_library() {
  Library library = *behind;
#define MXINFER_CUDA_KERNEL(function) library.function = &Noted<Launcher::function, &Library::function>::call;
#include "kernels/cuda_library/kernel_list.inc"
#undef MXINFER_CUDA_KERNEL
  return library;
}

template <typename Function>
Function function_behind(const char* name) {
  static void* const handle = open_behind();
  return handle != nullptr ? reinterpret_cast<Function>(dlsym(handle, name)) : nullptr;
}

}  // namespace

#define MXINFER_EXPORT extern "C" __attribute__((visibility("default")))

MXINFER_EXPORT const char* mxinfer_cuda_version() {
  const auto version = function_behind<const char* (*)()>(kVersionFunction);
  return version != nullptr ? version() : "";
}

MXINFER_EXPORT const Library* mxinfer_cuda_library(const char* version, std::size_t bytes) {
  const auto table = function_behind<const Library* (*)(const char*, std::size_t)>(kLibraryFunction);
  behind = table != nullptr ? table(version, bytes) : nullptr;
  if (behind == nullptr) return nullptr;
  static const Library library = noted_library();
  return &library;
}
