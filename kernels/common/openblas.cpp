#include "kernels/common/openblas.h"

#include <sys/mman.h>

#include <algorithm>
#include <semaphore>

extern "C" {
int openblas_get_parallel(void);  // 0: serial, 1: pthread, 2: OpenMP
// There with OpenBLAS's OpenMP build alone, which brings OpenMP's library.
[[gnu::weak]] int omp_get_max_threads(void);
[[gnu::weak]] void omp_set_num_threads(int);
}

namespace mxinfer::kernels {
namespace {

constexpr int kOpenMp = 2;
constexpr int kMostCalls = 64;
constexpr std::size_t kBytesOfCall = std::size_t{128} << 20;

constinit std::mutex openblas_mutex;
std::counting_semaphore<kMostCalls> openblas_places(kMostCalls);

}  // namespace

OpenBlasCall::OpenBlasCall() {
  if (openblas_get_parallel() != kOpenMp || omp_get_max_threads == nullptr ||
      omp_set_num_threads == nullptr) {
    one_at_a_time_ = std::unique_lock(openblas_mutex);
    return;
  }
  openblas_places.acquire();
  threads_ = omp_get_max_threads();
  omp_set_num_threads(1);
}

OpenBlasCall::~OpenBlasCall() {
  if (threads_ == 0) return;
  omp_set_num_threads(threads_);
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
