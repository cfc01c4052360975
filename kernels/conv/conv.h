// Convolution of 1, 2 or 3 spatial dimensions (depth, height, width; missing leading ones are 1):
//
//   dst[n][o][m] = activation(bias[m] + residual[n][o][m]
//                             + sum over c, k of weight[m][c][k]
//                                                * src[n][o * stride + k * dilate - pad][g * C + c])
//
// with g = m / (M / groups) the group of filter m, C = channels / groups, o and k over all spatial
// dimensions, and src zero, or border[c], outside its bounds. Arrays are channels-last, (N, spatial..., C):
// vectors run along channels, so that neither the border nor the width of an image leaves lanes empty, and a
// filter's taps are contiguous runs of memory that need no gathering. Some implementations also read src as
// (N, C, spatial...), which is how a network gets its image. weight is (M, channels / groups, kernel...).
//
// An implementation computes a range of tasks. Each task writes its own part of dst, and the order of each
// sum follows from the sizes alone: the result does not depend on how tasks are divided between threads.
//
//   const ConvImpl& impl = select_conv(problem, target, &reason);
//   impl.pack(problem, weight, packed);                // packed_bytes(problem), if impl.packing is not null
//   impl.run(args, 0, impl.tasks(problem), scratch);   // scratch_bytes(problem) for each thread
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "kernels/common/post_ops.h"
#include "kernels/common/target.h"
#include "kernels/common/work.h"

namespace mxinfer::kernels {

/// Depth, height, width.
using Spatial = std::array<std::int64_t, 3>;

constexpr std::int64_t volume(const Spatial& s) {
  return s[0] * s[1] * s[2];
}

enum class SrcLayout : std::uint8_t { nhwc, nchw };

/// The type of src, residual and dst. Weights, bias, border and slopes are float32, or float64 with float64
/// data. With bfloat16, weights are rounded to bfloat16 and products and sums are float32.
enum class ConvType : std::uint8_t { float32, float64, bfloat16 };

/// Preconditions: every size at least 1 (pad at least 0), channels and filters multiples of groups, and
/// output = (input + 2 * pad - dilate * (kernel - 1) - 1) / stride + 1.
struct ConvProblem {
  std::int64_t batch = 1, channels = 1, filters = 1, groups = 1;
  Spatial input{1, 1, 1}, output{1, 1, 1};
  Spatial kernel{1, 1, 1}, stride{1, 1, 1}, pad{0, 0, 0}, dilate{1, 1, 1};
  SrcLayout src_layout = SrcLayout::nhwc;
  ConvType type = ConvType::float32;
  /// Roughly how many tasks to cut the work into: a hint, which may cost repeated work and changes no result.
  std::int64_t task_hint = 16;

  std::int64_t group_channels() const { return channels / groups; }
  std::int64_t group_filters() const { return filters / groups; }
  /// The length of the sum behind one element of dst.
  std::int64_t depth() const { return group_channels() * volume(kernel); }
  std::int64_t weight_elements() const { return filters * depth(); }
};

/// Addresses are of the problem's type: typed<float>(args.src).
struct ConvArgs {
  ConvProblem problem;
  PostOps post_ops;
  const void* src = nullptr;
  const void* weight = nullptr;    ///< as packed by the implementation, or as stored if it has no pack()
  const void* bias = nullptr;      ///< (M), or null
  const void* residual = nullptr;  ///< like dst, or null; does not overlap dst
  /// (channels): the values of src outside its bounds; null: zeros. For float32, except conv_depthwise.
  const float* border = nullptr;
  /// (M): the slopes of PReLU; null for other activations. For float32.
  const float* slopes = nullptr;
  void* dst = nullptr;
  bool dst_is_float32 = false;  ///< for bfloat16: dst is float32, not rounded
  /// Elements from one pixel of src and of dst to the next, if strided; 0: channels and M. For float32, and
  /// for an src that is channels-last; dst also of bfloat16, without a residual.
  std::int64_t src_stride = 0, dst_stride = 0;

  std::int64_t src_step() const { return src_stride != 0 ? src_stride : problem.channels; }
  std::int64_t dst_step() const { return dst_stride != 0 ? dst_stride : problem.filters; }
};

template <typename T>
const T* typed(const void* address) {
  return static_cast<const T*>(address);
}
template <typename T>
T* typed(void* address) {
  return static_cast<T*>(address);
}

/// One way to compute convolutions.
struct ConvImpl {
  const char* name = nullptr;
  /// Identifies the layout of packed weights, which implementations may share; null if weights are read as
  /// stored.
  const char* packing = nullptr;
  std::size_t (*packed_bytes)(const ConvProblem&) = nullptr;
  void (*pack)(const ConvProblem&, const float* weight, std::byte* packed) = nullptr;
  std::int64_t (*tasks)(const ConvProblem&) = nullptr;
  /// The scratch memory of one thread, 64-byte aligned.
  std::size_t (*scratch_bytes)(const ConvProblem&) = nullptr;
  void (*run)(const ConvArgs&, std::int64_t begin, std::int64_t end, std::byte* scratch) = nullptr;
  /// The cost of a problem; null if the implementation is never chosen by cost.
  Work (*work)(const ConvProblem&) = nullptr;
  /// Whether it is Winograd's algorithm, whose packed weights Options::max_winograd_bytes bounds.
  bool winograd = false;
};

/// An implementation that is worth choosing for a problem, subject to its cost.
struct ConvCandidate {
  const ConvImpl* impl;
  const char* reason;  ///< why to choose it
};

/// The implementations of the list (conv_list.inc) to choose from on this CPU, at least one, in the list's
/// order; for Target::ref the reference alone. Precondition: reads_nchw(problem) if src is nchw.
std::vector<ConvCandidate> conv_candidates(const ConvProblem& problem, Target target);

/// The other implementations of the list, in its order, and why they do not compute the problem.
struct ConvRejection {
  const char* name;
  const char* reason;
};
std::vector<ConvRejection> conv_rejections(const ConvProblem& problem, Target target);

/// The cheapest candidate on a machine of these rates; sets `reason` to why. The choice does not depend on
/// the number of threads or tasks, so results do not either.
const ConvImpl& select_conv(const ConvProblem& problem, Target target, const char** reason,
                            const MachineRates& rates = kDefaultRates);

/// Plain loops that sum in double: the specification of the others, and the implementation of float64. Reads
/// the problem's src_layout and type.
const ConvImpl& conv_ref(const ConvProblem& problem);

// The implementations of float32, for tests, benches and fused operators. A target other than ref.

/// Any problem.
const ConvImpl& conv_direct(Target target);
/// Problems for which reads_nchw() holds.
const ConvImpl& conv_strip(SrcLayout layout, Target target);
/// Problems for which is_depthwise() holds, with as many filters as channels.
const ConvImpl& conv_depthwise(Target target);
/// Problems for which is_winograd() holds; tiles of outputs x outputs, 2 or 4.
const ConvImpl& conv_winograd(Target target, int outputs);
/// The same problems and tiles; weights are as large as those stored, and transformed by each run.
const ConvImpl& conv_winograd_compact(Target target, int outputs);

/// Whether src may be nchw: few channels (those of an image), one group, one or two spatial dimensions.
constexpr bool reads_nchw(const ConvProblem& s) {
  return s.channels <= 8 && s.groups == 1 && s.input[0] == 1 && s.kernel[0] == 1 && s.pad[0] == 0 &&
         s.dilate[2] == 1;
}
/// Whether Winograd's algorithm computes the problem: 3 x 3 filters of stride 1 over one group, in two
/// dimensions, of any dilation.
constexpr bool is_winograd(const ConvProblem& s) {
  return s.groups == 1 && s.kernel == Spatial{1, 3, 3} && s.stride == Spatial{1, 1, 1} && s.pad[0] == 0 &&
         s.input[0] == 1;
}
inline constexpr std::int64_t kMaxDepthwiseWidth = 64;
/// Whether each group has one input channel, in at most two spatial dimensions, and a filter of moderate
/// size.
constexpr bool is_depthwise(const ConvProblem& s) {
  return s.groups > 1 && s.groups == s.channels && s.input[0] == 1 && s.kernel[0] == 1 && s.output[0] == 1 &&
         s.kernel[1] <= kMaxDepthwiseWidth && s.kernel[2] <= kMaxDepthwiseWidth;
}

}  // namespace mxinfer::kernels
