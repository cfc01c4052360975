#include "kernels/conv/conv_algorithm.h"

namespace mxinfer::kernels {
namespace {

const char* rejects_strip_of_nchw(const ConvProblem& s, Target /*target*/) {
  if (s.type != ConvType::float32) return kConvOtherType;
  return s.src_layout == SrcLayout::nchw ? nullptr : "src is channels-last";
}

const char* rejects_strip(const ConvProblem& s, Target target) {
  if (const char* why = rejects_nhwc_f32(s, target)) return why;
  return reads_nchw(s) ? nullptr : "many input channels, several groups or three dimensions";
}

}  // namespace

extern const ConvAlgorithm conv_nhwc_strip_of_nchw_f32, conv_nhwc_strip_f32;
const ConvAlgorithm conv_nhwc_strip_of_nchw_f32{
    "conv_nhwc_strip_of_nchw_f32", rejects_strip_of_nchw,
    [](Target target) { return &conv_strip(SrcLayout::nchw, target); },
    "reads an NCHW image, and writes channels-last"};
const ConvAlgorithm conv_nhwc_strip_f32{
    "conv_nhwc_strip_f32", rejects_strip, [](Target target) { return &conv_strip(SrcLayout::nhwc, target); },
    "few input channels: the taps of a row of the filter are summed as one run"};

}  // namespace mxinfer::kernels
