// Convolution as kernels/conv defines it, over arrays whose channels are innermost: src, residual and dst are
// (N, spatial..., channels), weights and bias as there. All the numbers of a position then lie side by side:
// a vector holds channels, a filter's taps are runs of memory that need no gathering, and neither the border
// of a plane nor the width of a row leaves lanes empty.
//
//   const ConvKernel& kernel = select_conv_nhwc(shape, Source::channels_last, target, &reason);
//   kernel.pack(shape, weight, packed);
//   kernel.run(args, 0, kernel.tasks(shape), scratch);
//
// dst = sum > 0 ? sum : slopes[m] * sum where ConvArgs::slopes is given, in place of the activation.
// Rows, tasks and scratch are those of kernels/conv/conv.h, and so are the promises: a task writes an area of
// dst of its own, and each sum has an order that follows from the shape alone.
#pragma once

#include <string>
#include <vector>

#include "kernels/conv/conv.h"

namespace mxinfer::kernels {

/// The order of src. The first convolution of a network may read planes; all else is channels-last.
enum class Source : std::uint8_t { channels_last, channels_first };

/// Whether planes can be read: few channels (a picture's), one group, one or two spatial dimensions.
constexpr bool reads_planes(const ConvShape& s) {
  return s.channels <= 8 && s.groups == 1 && s.input[0] == 1 && s.kernel[0] == 1 && s.pad[0] == 0 &&
         s.dilate[2] == 1;
}

/// A row that computes a shape well enough to be asked what it costs.
struct ConvCandidate {
  const ConvKernel* kernel;
  const char* reason;    ///< what it has for it
  int winograd_outputs;  ///< rows of Winograd's tiles, 0 for the others
};

/// The rows to choose from, at least one; Target::ref has the reference row alone.
/// Precondition: reads_planes(shape) where source is channels_first.
std::vector<ConvCandidate> conv_nhwc_candidates(const ConvShape& shape, Source source, Target target);

/// The cheapest of them on a machine of these rates; `reason` is set to why. It is the same for any number of
/// threads and tasks, so that results are.
const ConvKernel& select_conv_nhwc(const ConvShape& shape, Source source, Target target, const char** reason,
                                   const MachineRates& rates = kUsualRates);

/// The names of the rows that are ever to be chosen between.
std::vector<std::string> conv_nhwc_names();

/// Plain loops that sum in double: the specification of the others.
const ConvKernel& conv_nhwc_ref(Source source);

/// The rows of select_conv_nhwc, for tests and benches; a target other than ref.
/// Any shape.
const ConvKernel& conv_nhwc_direct(Target target);
/// Shapes for which reads_planes() holds.
const ConvKernel& conv_nhwc_strip(Source source, Target target);
/// Shapes for which is_depthwise() holds, with as many filters as channels.
const ConvKernel& conv_nhwc_depthwise(Target target);
/// Shapes for which is_winograd() holds; tiles of outputs x outputs, 2 or 4.
const ConvKernel& conv_nhwc_winograd(Target target, int outputs);

}  // namespace mxinfer::kernels
