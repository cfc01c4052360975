#include "kernels/conv/conv_algorithm.h"

namespace mxinfer::kernels {
namespace {

const char* rejects_winograd(const ConvProblem& s, Target target) {
  // With fewer, vectors of channels and filters would be empty for the most part.
  constexpr std::int64_t kLeastChannels = 16;
  if (const char* why = rejects_nhwc_f32(s, target)) return why;
  if (!is_winograd(s)) return "not 3 x 3 filters of stride 1 over one group";
  return s.channels >= kLeastChannels && s.filters >= kLeastChannels ? nullptr : "few channels or filters";
}

}  // namespace

extern const ConvAlgorithm conv_nhwc_winograd4_f32, conv_nhwc_winograd2_f32;
extern const ConvAlgorithm conv_nhwc_winograd4_compact_f32, conv_nhwc_winograd2_compact_f32;
const ConvAlgorithm conv_nhwc_winograd4_f32{
    "conv_nhwc_winograd4_f32", rejects_winograd, [](Target target) { return &conv_winograd(target, 4); },
    "3 x 3 filters of stride 1: Winograd's tiles of 4 x 4 outputs need a quarter of the multiplications"};
const ConvAlgorithm conv_nhwc_winograd2_f32{
    "conv_nhwc_winograd2_f32", rejects_winograd, [](Target target) { return &conv_winograd(target, 2); },
    "3 x 3 filters of stride 1 on a small image: Winograd's tiles of 2 x 2 outputs need 4/9 of the "
    "multiplications"};
const ConvAlgorithm conv_nhwc_winograd4_compact_f32{
    "conv_nhwc_winograd4_compact_f32", rejects_winograd,
    [](Target target) { return &conv_winograd_compact(target, 4); },
    "3 x 3 filters of stride 1: Winograd's tiles of 4 x 4 outputs, and filters that keep their size, since "
    "each call transforms them"};
const ConvAlgorithm conv_nhwc_winograd2_compact_f32{
    "conv_nhwc_winograd2_compact_f32", rejects_winograd,
    [](Target target) { return &conv_winograd_compact(target, 2); },
    "3 x 3 filters of stride 1 on a small image: Winograd's tiles of 2 x 2 outputs, and filters that keep "
    "their size, since each call transforms them"};

}  // namespace mxinfer::kernels
