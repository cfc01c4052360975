// Picks a row of a table that HWY_EXPORT made, for a target that was chosen by the caller rather than by
// Highway's global choice. Include after hwy/highway.h, in the HWY_ONCE part of a file.
//
//   HWY_EXPORT(SoftmaxRows);
//   SoftmaxFn softmax_simd(Target target) { return MXINFER_ROW(SoftmaxRows, target); }
//
// A macro, because the table's name is made by one.
#pragma once

#include <hwy/highway.h>

#include "kernels/common/target.h"

namespace mxinfer::kernels {

/// The index of a target in a dispatch table of this translation unit.
HWY_INLINE std::size_t row_index(Target target) {
  hwy::ChosenTarget chosen;
  chosen.Update(highway_target(target));
  return chosen.GetIndex();
}

}  // namespace mxinfer::kernels

#define MXINFER_ROW(function, target) (HWY_DISPATCH_TABLE(function)[mxinfer::kernels::row_index(target)])
