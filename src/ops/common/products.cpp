#include "ops/common/products.h"

#include "kernels/common/openblas.h"

namespace mxinfer::ops {

void require_openblas(const LowerContext& context) {
  // One more is what it takes as it is loaded.
  if (!kernels::openblas_has_memory(context.threads() + 1)) {
    fail(ErrorCode::out_of_memory, "no address space for linear algebra: OpenBLAS takes 128 MiB for each of ",
         context.threads(), " threads, and as much for itself");
  }
  if (const std::string& problem = kernels::load_openblas(); !problem.empty()) {
    fail(ErrorCode::unsupported,
         "linear algebra and products of float64 need OpenBLAS, which cannot be loaded: ", problem,
         "; on Debian or Ubuntu install libopenblas0-openmp");
  }
}

}  // namespace mxinfer::ops
