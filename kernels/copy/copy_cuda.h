// The copy of copy.h on a GPU.
#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/copy/copy.h"
#include "kernels/cuda/stream.h"

namespace mxinfer::kernels::cuda {

/// dst[dst_offset + sum i_d * dst_strides[d]] = src[src_offset + sum i_d * src_strides[d]] for all i.
/// `simplified` is what simplify() returned; elements have 1, 2, 4 or 8 bytes. src and dst do not overlap.
Status strided_copy(const CopyArgs& simplified, std::size_t element_bytes, const void* src, void* dst,
                    const Stream& stream);

/// dst[dst_offset + sum i_d * dst_strides[d]] = the first element_bytes of `element`, for all i.
Status strided_fill(const CopyArgs& simplified, std::size_t element_bytes, std::uint64_t element, void* dst,
                    const Stream& stream);

}  // namespace mxinfer::kernels::cuda
