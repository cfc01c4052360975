// How Convolution goes on channels-last.
#pragma once

#include <cstddef>

namespace mxinfer::ops {

class LayoutRewriter;

/// LayoutRule: a convolution of float32 parameters becomes _mxinfer_convolution_nhwc. Others have no
/// channels-last kernel, or would be packed at every run.
bool convolution_layout(LayoutRewriter& rewriter, std::size_t id);

}  // namespace mxinfer::ops
