// The correlation of correlation.h on a GPU.
#pragma once

#include "kernels/common/float_type.h"
#include "kernels/correlation/correlation.h"
#include "kernels/cuda/stream.h"

namespace mxinfer::kernels::cuda {

/// Of `batch` pairs of maps a and b of elements of `type`, which dst has too. Sums are float32.
Status correlation(const CorrelationShape& shape, std::int64_t batch, FloatType type, const void* a,
                   const void* b, void* dst, const Stream& stream);

}  // namespace mxinfer::kernels::cuda
