// Conversion between element types: dst[i] = convert<To>(src[i]), see element_type.h.
#pragma once

#include <cstdint>

#include "kernels/common/element_type.h"

namespace mxinfer::kernels {

using CastFn = void (*)(const void* src, void* dst, std::int64_t n);

/// Null for a number that is not an ElementType.
CastFn select_cast(ElementType from, ElementType to);

}  // namespace mxinfer::kernels
