// What take.h does, on a GPU.
#pragma once

#include "kernels/cuda/index_array_type.h"
#include "kernels/cuda/stream.h"
#include "kernels/take/take.h"

namespace mxinfer::kernels::cuda {

/// `outer` is the number of arrays whose rows are taken, one behind the other.
Status take(const TakeArgs& args, std::int64_t outer, const IndexArray& indices, const void* src, void* dst,
            const Stream& stream);

/// `rows`: of dst. An index is at least 1 below what is stored if `from_one`, and what is below 0 counts as
/// 0.
Status pick(const PickArgs& args, std::int64_t rows, bool from_one, const IndexArray& indices,
            const void* src, void* dst, const Stream& stream);

/// A row of dst whose indices are not all inside has bytes of 0xFF, which are NaN in every type of floats.
Status gather(const GatherArgs& args, const IndexArray& indices, const void* src, void* dst,
              const Stream& stream);

Status one_hot(const OneHotArgs& args, std::int64_t rows, const IndexArray& indices, void* dst,
               const Stream& stream);

}  // namespace mxinfer::kernels::cuda
