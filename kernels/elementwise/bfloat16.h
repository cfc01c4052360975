// float32 to bfloat16, rounded to nearest even, and back.
//
//   const BFloat16Casts& casts = select_bfloat16_casts(target);
//   casts.from_float32(src, dst, count);
#pragma once

#include <cstdint>

#include "kernels/common/target.h"
#include "kernels/elementwise/cast.h"

namespace mxinfer::kernels {

struct BFloat16Casts {
  CastFn from_float32, to_float32;
};

/// Every target gives the same bits.
const BFloat16Casts& select_bfloat16_casts(Target target);

}  // namespace mxinfer::kernels
