#include "kernels/conv/cheapest.h"
#include "kernels/conv/conv_nhwc.h"

namespace mxinfer::kernels {

std::vector<ConvCandidate> conv_nhwc_candidates(const ConvShape& shape, Source source, Target target) {
  // With fewer, vectors of channels and filters would be empty for the most part.
  constexpr std::int64_t kLeastChannels = 16;
  if (target == Target::ref) return {{&conv_nhwc_ref(source), "the reference kernel was asked for", 0}};
  if (source == Source::channels_first)
    return {{&conv_nhwc_strip(source, target), "reads a picture's planes, and writes channels-last", 0}};
  if (is_depthwise(shape) && shape.filters == shape.channels) {
    return {
        {&conv_nhwc_depthwise(target), "one filter for each channel: vectors of channels, tap by tap", 0}};
  }
  std::vector<ConvCandidate> candidates{
      {&conv_nhwc_direct(target), "channels innermost: the taps are runs of memory, nothing is gathered", 0}};
  if (reads_planes(shape)) {
    candidates.push_back({&conv_nhwc_strip(source, target),
                          "few input channels: the taps of a row of the filter are summed as one run", 0});
  }
  if (is_winograd(shape) && shape.channels >= kLeastChannels && shape.filters >= kLeastChannels) {
    candidates.push_back(
        {&conv_nhwc_winograd(target, 4),
         "3 x 3 filters of stride 1: Winograd's tiles of 4 x 4 outputs need a quarter of the "
         "multiplications",
         4});
    candidates.push_back(
        {&conv_nhwc_winograd(target, 2),
         "3 x 3 filters of stride 1 on a small plane: Winograd's tiles of 2 x 2 outputs need "
         "4/9 of the multiplications",
         2});
  }
  return candidates;
}

const ConvKernel& select_conv_nhwc(const ConvShape& shape, Source source, Target target, const char** reason,
                                   const MachineRates& rates) {
  const std::vector<ConvCandidate> candidates = conv_nhwc_candidates(shape, source, target);
  const ConvCandidate& best = cheapest(candidates, shape, rates);
  *reason = best.reason;
  return *best.kernel;
}

std::vector<std::string> conv_nhwc_names() {
  return {conv_nhwc_direct(Target::baseline).name,
          conv_nhwc_strip(Source::channels_last, Target::baseline).name,
          conv_nhwc_winograd(Target::baseline, 4).name, conv_nhwc_winograd(Target::baseline, 2).name};
}

}  // namespace mxinfer::kernels
