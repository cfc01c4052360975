// ConvAlgorithm: what the list of convolution algorithms knows of one. Each is defined in its own folder and
// named by one line of conv_list.inc.
//
//   const ConvAlgorithm conv_nhwc_direct_f32{"conv_nhwc_direct_f32", rejects_nhwc_f32, implementation, "why"};
#pragma once

#include "kernels/conv/conv.h"

namespace mxinfer::kernels {

struct ConvAlgorithm {
  const char* name;
  /// Returns null if the algorithm computes the problem and may be chosen for it on this CPU, else why not.
  const char* (*rejects)(const ConvProblem&, Target);
  /// Returns null if this CPU or the build does not have it. Precondition: a target other than ref.
  const ConvImpl* (*impl)(Target);
  const char* reason;  ///< why it is chosen
};

// Reasons that several algorithms give.
inline constexpr const char* kConvOtherType = "data of another type";
inline constexpr const char* kConvChannelsFirst = "src is channels-first";

/// Whether there is one filter for each channel, so that nothing is summed over channels.
inline bool has_filter_a_channel(const ConvProblem& s) {
  return is_depthwise(s) && s.filters == s.channels;
}

/// Rejects what is not float32 and channels-last, and filters of one channel each.
inline const char* rejects_nhwc_f32(const ConvProblem& s, Target /*target*/) {
  if (s.type != ConvType::float32) return kConvOtherType;
  if (s.src_layout != SrcLayout::nhwc) return kConvChannelsFirst;
  return has_filter_a_channel(s) ? "one filter for each channel: there is no sum over channels" : nullptr;
}

}  // namespace mxinfer::kernels
