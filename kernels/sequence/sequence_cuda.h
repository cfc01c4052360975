// What sequence.h does, on a GPU.
#pragma once

#include "kernels/cuda/index_array_type.h"
#include "kernels/cuda/stream.h"
#include "kernels/sequence/sequence.h"

namespace mxinfer::kernels::cuda {

/// src may be dst.
Status sequence_mask(const SequenceArgs& args, const IndexArray& lengths, const void* src, void* dst,
                     const Stream& stream);
/// lengths.data may be null: all steps. src and dst do not overlap.
Status sequence_reverse(const SequenceArgs& args, const IndexArray& lengths, const void* src, void* dst,
                        const Stream& stream);

}  // namespace mxinfer::kernels::cuda
