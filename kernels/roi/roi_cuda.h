// The poolings of roi.h on a GPU. `regions` is the number of regions. Values are float32, but data and dst
// are of `type` where a function takes one.
//
// What is an error on the CPU cannot be one here: the outputs of a region that breaks the preconditions of
// its function are NaN.
#pragma once

#include <cstdint>

#include "kernels/common/float_type.h"
#include "kernels/cuda/stream.h"
#include "kernels/roi/roi.h"

namespace mxinfer::kernels::cuda {

Status roi_pool(const RoiArgs& args, std::int64_t regions, const Stream& stream);
Status roi_align(const RoiAlignArgs& args, std::int64_t regions, const Stream& stream);
/// At most 4096 samples along a side of a bin, if they follow from its size.
Status roi_align_rotated(const RoiAlignArgs& args, FloatType type, std::int64_t regions,
                         const Stream& stream);
/// Not deformable.
Status psroi_pool(const PsRoiPoolArgs& args, std::int64_t regions, const Stream& stream);
Status deformable_psroi_pool(const PsRoiPoolArgs& args, FloatType type, std::int64_t regions,
                             const Stream& stream);

}  // namespace mxinfer::kernels::cuda
