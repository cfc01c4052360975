// The poolings of roi.h on a GPU, of float32. `regions` is the number of regions.
//
// What is an error on the CPU cannot be one here: the outputs of a region that breaks the preconditions of
// its function are NaN.
#pragma once

#include <cstdint>

#include "kernels/cuda/stream.h"
#include "kernels/roi/roi.h"

namespace mxinfer::kernels::cuda {

Status roi_pool(const RoiArgs& args, std::int64_t regions, const Stream& stream);
Status roi_align(const RoiAlignArgs& args, std::int64_t regions, const Stream& stream);
/// Not deformable.
Status psroi_pool(const PsRoiPoolArgs& args, std::int64_t regions, const Stream& stream);

}  // namespace mxinfer::kernels::cuda
