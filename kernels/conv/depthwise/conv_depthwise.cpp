#include "kernels/conv/conv_algorithm.h"

namespace mxinfer::kernels {
namespace {

const char* rejects_depthwise(const ConvProblem& s, Target /*target*/) {
  if (s.type != ConvType::float32) return kConvOtherType;
  if (s.src_layout != SrcLayout::nhwc) return kConvChannelsFirst;
  return has_filter_a_channel(s) ? nullptr : "not one filter for each channel";
}

}  // namespace

extern const ConvAlgorithm conv_nhwc_depthwise_f32;
const ConvAlgorithm conv_nhwc_depthwise_f32{"conv_nhwc_depthwise_f32", rejects_depthwise,
                                            [](Target target) { return &conv_depthwise(target); },
                                            "depthwise: vectors along the channels, tap by tap"};

}  // namespace mxinfer::kernels
