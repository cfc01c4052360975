// float32 to bfloat16, rounded to nearest even, and back.
//
//   const BFloat16Casts& casts = select_bfloat16_casts(target);
//   casts.narrow(src, dst, count);
#pragma once

#include <cstdint>

#include "kernels/common/target.h"
#include "kernels/elementwise/cast.h"

namespace mxinfer::kernels {

struct BFloat16Casts {
  CastFn narrow, widen;
};

/// Every target gives the same bits.
const BFloat16Casts& select_bfloat16_casts(Target target);

}  // namespace mxinfer::kernels
