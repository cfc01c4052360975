#include "device/cuda/cuda_library.h"

#include <dlfcn.h>
#include <mxinfer/version.h>

#include <cstdlib>
#include <mutex>
#include <string>
#include <vector>

#include "base/fail.h"

namespace mxinfer::device {
namespace {

using kernels::cuda::Library;

constexpr const char* kVariable = "MXINFER_CUDA_LIBRARY";
constexpr const char* kFileName = "libmxinfer_cuda.so";

/// The folder of the library that contains this function, with a slash; empty if unknown.
std::string own_folder() {
  Dl_info info{};
  if (dladdr(reinterpret_cast<const void*>(&open_cuda_library), &info) == 0 || info.dli_fname == nullptr)
    return {};
  const std::string path = info.dli_fname;
  const auto slash = path.rfind('/');
  return slash == std::string::npos ? std::string() : path.substr(0, slash + 1);
}

/// The handle of the first file that opens. Throws with the loader's error for the last one.
void* open_first(const std::string& named) {
  std::string beside = own_folder() + kFileName;
  for (const std::string& path :
       named.empty() ? std::vector<std::string>{beside, kFileName} : std::vector<std::string>{named}) {
    if (void* handle = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL)) return handle;
  }
  fail(ErrorCode::device, "the library of CUDA kernels cannot be opened: ", dlerror(),
       "; install the package mxinfer-cuda, or build mxinfer with -DMXINFER_CUDA=ON, or set ", kVariable,
       " to its path");
}

template <typename Function>
Function* function(void* handle, const char* name) {
  return reinterpret_cast<Function*>(dlsym(handle, name));
}

const Library& open() {
  const char* named = std::getenv(kVariable);
  void* handle = open_first(named != nullptr ? named : "");
  const auto table =
      function<const Library*(const char*, std::size_t)>(handle, kernels::cuda::kLibraryFunction);
  const auto version = function<const char*()>(handle, kernels::cuda::kVersionFunction);
  const Library* library = table != nullptr ? table(MXINFER_VERSION, sizeof(Library)) : nullptr;
  if (library != nullptr) return *library;
  const std::string found = version != nullptr ? version() : "without a version";
  dlclose(handle);
  fail(ErrorCode::device, "the library of CUDA kernels does not match: it is ", printable(found),
       found == MXINFER_VERSION ? " of another build" : "", ", and mxinfer is ", MXINFER_VERSION,
       "; install both from one package or build");
}

}  // namespace

const Library& open_cuda_library() {
  static std::mutex mutex;
  static const Library* library = nullptr;
  const std::lock_guard lock(mutex);
  if (library == nullptr) library = &open();
  return *library;
}

}  // namespace mxinfer::device
