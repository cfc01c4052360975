// Three convolutions in a row, without their values between going through memory: a 1 x 1 that expands the
// channels (or none), one filter for each channel, a 1 x 1 that projects; the block that MobileNets are made
// of. All arrays are channels-last, each convolution has its own bias and activation, the last one a residual
// too:
//
//   dst = project(depthwise(expand(src))) + residual
//
// Rows of the expanded picture wait in a thread's scratch, just those that the filters of the next rows of
// outputs reach, and leave it as outputs.
//
//   if (const SeparableKernel* kernel = select_separable(shape, target, threads)) kernel->run(args, 0,
//   kernel->tasks(shape), scratch);
//   else ...   // one after another
//
// Weights are packed as conv_direct and conv_depthwise pack theirs. A task writes rows of its own,
// and every sum has the order that those kernels give it: fused or not, the results are the same bits.
#pragma once

#include "kernels/conv/conv.h"

namespace mxinfer::kernels {

struct SeparableShape {
  bool expands = true;
  ConvProblem expand;     ///< 1 x 1, stride 1, no padding, one group; unused where there is none
  ConvProblem depthwise;  ///< is_depthwise(), as many filters as channels, no dilation
  ConvProblem project;    ///< as expand
  /// Into how many tasks to cut an image, roughly: each computes rows of its neighbour again.
  std::int64_t strips = 1;
};

/// Shapes and weights as the single convolutions have them; of expand and depthwise, dst is not used.
/// src_stride is read of the first of them.
struct SeparableArgs {
  SeparableShape shape;
  ConvArgs expand, depthwise, project;
  const float* src = nullptr;
};

struct SeparableKernel {
  const char* name;
  std::int64_t (*tasks)(const SeparableShape&);
  std::int64_t (*scratch_elements)(const SeparableShape&);
  void (*run)(const SeparableArgs&, std::int64_t begin, std::int64_t end, float* scratch);
};

/// The kernel; a target other than ref.
const SeparableKernel& separable_strips(Target target);

/// The kernel where it is faster than one convolution after another; `shape.strips` is set for that many
/// threads. nullptr where it is not, and for Target::ref.
const SeparableKernel* select_separable(SeparableShape& shape, Target target, int threads);

}  // namespace mxinfer::kernels
