// What border.h and convert_color.h do, on a GPU.
#pragma once

#include <cstdint>

#include "kernels/common/element_type.h"
#include "kernels/cuda/stream.h"
#include "kernels/image/border.h"
#include "kernels/image/convert_color.h"

namespace mxinfer::kernels::cuda {

/// `pixel`: in device memory.
Status image_border(const ImageBorderArgs& args, std::int64_t images, const void* src, const void* pixel,
                    void* dst, const Stream& stream);

/// Of uint8 or float32.
Status convert_color(ElementType type, ColorConversion conversion, std::int64_t pixels, const void* src,
                     void* dst, const Stream& stream);

}  // namespace mxinfer::kernels::cuda
