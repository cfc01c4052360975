// How Convolution and Deconvolution go on channels-last, and on channels-first.
#pragma once

#include <cstddef>

namespace mxinfer::ops {

class LayoutRewriter;

/// LayoutRule. To channels-last: a convolution of float32 parameters becomes _mxinfer_convolution_nhwc.
/// Others have no channels-last kernel, or would be packed at every run. To channels-first: one whose
/// attribute layout says channels-last loses it, and its weights are reordered.
bool convolution_layout(LayoutRewriter& rewriter, std::size_t id);

/// LayoutRule: to channels-first alone, likewise.
bool deconvolution_layout(LayoutRewriter& rewriter, std::size_t id);

}  // namespace mxinfer::ops
