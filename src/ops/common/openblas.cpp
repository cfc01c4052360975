#include "ops/common/openblas.h"

#include "base/fail.h"
#include "kernels/common/openblas.h"

namespace mxinfer::ops {

void require_openblas_memory(const LowerContext& context) {
  if (kernels::openblas_has_memory(context.threads())) return;
  fail(ErrorCode::out_of_memory, "no address space for linear algebra: OpenBLAS takes 128 MiB for each of ",
       context.threads(), " threads");
}

}  // namespace mxinfer::ops
