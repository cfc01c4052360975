#include "kernels/common/openblas.h"

#include <dlfcn.h>
#include <sys/mman.h>

#include <algorithm>
#include <semaphore>
#include <string>

// The build that CMake found; any build if this file is compiled without CMake.
#ifndef MXINFER_OPENBLAS
#define MXINFER_OPENBLAS "libopenblas.so.0"
#endif

namespace mxinfer::kernels {
namespace {

constexpr int kOpenMp = 2;
constexpr int kMostCalls = 64;
constexpr std::size_t kBytesOfCall = std::size_t{128} << 20;

constinit std::mutex openblas_mutex;
std::counting_semaphore<kMostCalls> openblas_places(kMostCalls);

template <typename Function>
bool find(void* library, const char* name, Function& function) {
  function = reinterpret_cast<Function>(dlsym(library, name));
  return function != nullptr;
}

struct Loaded {
  OpenBlas functions;
  std::string problem;

  // The build that was configured with, else whichever the system has. Never closed: calls may come until the
  // process ends.
  Loaded() {
    void* library = nullptr;
    for (const char* name : {MXINFER_OPENBLAS, "libopenblas.so.0"}) {
      if (library == nullptr) library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
    }
    if (library == nullptr) {
      problem = dlerror();
      return;
    }
    OpenBlas& f = functions;
    const bool complete = find(library, "dgemm_", f.dgemm) && find(library, "strmm_", f.strmm) &&
                          find(library, "strsm_", f.strsm) && find(library, "spotrf_", f.spotrf) &&
                          find(library, "spotri_", f.spotri) && find(library, "sgetrf_", f.sgetrf) &&
                          find(library, "sgetri_", f.sgetri) && find(library, "sgeqrf_", f.sgeqrf) &&
                          find(library, "sorgqr_", f.sorgqr) && find(library, "ssyevd_", f.ssyevd) &&
                          find(library, "dtrmm_", f.dtrmm) && find(library, "dtrsm_", f.dtrsm) &&
                          find(library, "dpotrf_", f.dpotrf) && find(library, "dpotri_", f.dpotri) &&
                          find(library, "dgetrf_", f.dgetrf) && find(library, "dgetri_", f.dgetri) &&
                          find(library, "dgeqrf_", f.dgeqrf) && find(library, "dorgqr_", f.dorgqr) &&
                          find(library, "dsyevd_", f.dsyevd) && find(library, "sgesvd_", f.sgesvd) &&
                          find(library, "sgeev_", f.sgeev) && find(library, "sgesv_", f.sgesv) &&
                          find(library, "dgesvd_", f.dgesvd) && find(library, "dgeev_", f.dgeev) &&
                          find(library, "dgesv_", f.dgesv) &&
                          find(library, "openblas_get_parallel", f.get_parallel);
    if (!complete) problem = "it lacks functions of BLAS or LAPACK";
    find(library, "omp_get_max_threads", f.get_max_threads);
    find(library, "omp_set_num_threads", f.set_num_threads);
  }
};

const Loaded& loaded() {
  static const Loaded& instance = *new Loaded;
  return instance;
}

}  // namespace

const std::string& load_openblas() {
  return loaded().problem;
}

const OpenBlas& openblas() {
  return loaded().functions;
}

OpenBlasCall::OpenBlasCall() {
  const OpenBlas& blas = openblas();
  if (blas.get_parallel() != kOpenMp || blas.get_max_threads == nullptr || blas.set_num_threads == nullptr) {
    one_at_a_time_ = std::unique_lock(openblas_mutex);
    return;
  }
  openblas_places.acquire();
  threads_ = blas.get_max_threads();
  blas.set_num_threads(1);
}

OpenBlasCall::~OpenBlasCall() {
  if (threads_ == 0) return;
  openblas().set_num_threads(threads_);
  openblas_places.release();
}

bool openblas_has_memory(int calls) {
  const std::size_t bytes = kBytesOfCall * static_cast<std::size_t>(std::clamp(calls, 1, kMostCalls));
  void* memory =
      mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) return false;
  munmap(memory, bytes);
  return true;
}

}  // namespace mxinfer::kernels
