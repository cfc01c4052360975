// The block of MobileNets, three convolutions fused so that the values between them do not go through memory:
// a 1 x 1 that expands the channels (or none), a depthwise one, a 1 x 1 that projects. All arrays are
// channels-last; each convolution has its own bias and activation, the last one a residual too:
//
//   dst = project(depthwise(expand(src))) + residual
//
// The scratch of a thread holds the rows of the expanded image that the next rows of outputs need.
//
//   const SeparableKernel* kernel = select_separable(shape, target, threads);
//   if (kernel != nullptr) kernel->run(args, 0, kernel->tasks(shape), scratch);
//
// Weights are packed as for conv_direct and conv_depthwise. Each task writes rows of its own, and sums have
// the order of those kernels, so fusing changes no bit.
//
// With bfloat16 data, the 1 x 1 convolutions are those of kernels/conv/bf16: the expanded values are float32,
// the filtered ones are summed in float32 and rounded.
#pragma once

#include "kernels/conv/bf16/conv_bf16.h"
#include "kernels/conv/conv.h"

namespace mxinfer::kernels {

struct SeparableShape {
  bool expands = true;
  ConvProblem expand;     ///< 1 x 1, stride 1, no padding, one group; unused without one
  ConvProblem depthwise;  ///< is_depthwise(), as many filters as channels, no dilation
  ConvProblem project;    ///< as expand
  /// Roughly how many tasks to cut an image into: each computes some rows of its neighbour again.
  std::int64_t strips = 1;
  const Bf16Parts* parts = nullptr;  ///< of bfloat16 data: what multiplies
};

/// Shapes and weights are those of the single convolutions; dst of expand and depthwise is not used, and
/// src_stride only of the first; there are no strides with bfloat16 data. dst_is_float32 is that of project.
struct SeparableArgs {
  SeparableShape shape;
  ConvArgs expand, depthwise, project;
  const void* src = nullptr;  ///< float32, or bfloat16
};

struct SeparableKernel {
  const char* name;
  std::int64_t (*tasks)(const SeparableShape&);
  std::int64_t (*scratch_elements)(const SeparableShape&);
  void (*run)(const SeparableArgs&, std::int64_t begin, std::int64_t end, float* scratch);
};

/// The kernel; a target other than ref.
const SeparableKernel& separable_strips(Target target);
/// Of bfloat16 data: an even number of channels, expanded or not.
const SeparableKernel& separable_strips_bf16(Target target);

/// The kernel, and sets `shape.strips` for the number of threads. Null if one convolution after another is
/// faster, and for Target::ref.
const SeparableKernel* select_separable(SeparableShape& shape, Target target, int threads);
/// Likewise of bfloat16 data; sets `shape.parts`, too. Null for a CPU or target without fast instructions.
const SeparableKernel* select_separable_bf16(SeparableShape& shape, Target target, int threads);

}  // namespace mxinfer::kernels
