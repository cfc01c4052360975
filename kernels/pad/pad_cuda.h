// The padding of pad.h on a GPU.
#pragma once

#include <cstddef>

#include "kernels/cuda/stream.h"
#include "kernels/pad/pad.h"

namespace mxinfer::kernels::cuda {

/// Elements of 1, 2, 4 or 8 bytes.
Status pad(const PadArgs& args, std::size_t element_bytes, const void* src, void* dst, const Stream& stream);

}  // namespace mxinfer::kernels::cuda
