#include "passes/as_float32.h"

#include "kernels/elementwise/bfloat16.h"
#include "kernels/elementwise/cast.h"
#include "ops/elementwise/elementwise.h"

namespace mxinfer::passes {

void write_as_float32(const Tensor& tensor, void* dst) {
  const kernels::CastFn cast =
      tensor.dtype() == DType::bfloat16
          ? kernels::select_bfloat16_casts(kernels::Target::ref).widen
          : kernels::select_cast(ops::element_type(tensor.dtype()), ops::element_type(DType::float32));
  cast(tensor.raw(), dst, tensor.elements());
}

}  // namespace mxinfer::passes
