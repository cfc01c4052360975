// Depthwise convolutions of channels-last 8-bit data: one filter for each channel, in two dimensions.
//
// Channels are cut into blocks of 64. A thread copies the lines of inputs that a row of outputs needs into a
// ring: pixels of 64 channels, with their border, so that neither borders nor missing channels matter to what
// multiplies. Signed data becomes unsigned by adding 128, which the start of each sum takes off again.
#pragma once

#include "kernels/conv/int8/int8_conv.h"
#include "kernels/conv/int8/int8_post_ops.h"

namespace mxinfer::kernels {

inline constexpr std::int64_t kDepthwiseBlock = 64;
/// A row of filters is multiplied by so many taps at a time.
inline constexpr std::int64_t kDepthwiseQuad = 4;

/// A row of outputs, of one block of channels.
struct Int8DepthwiseRow {
  const ConvProblem* problem;
  /// [kernel rows]: where the first window begins. A pixel is kDepthwiseBlock bytes; three more pixels than a
  /// row of windows needs are there.
  const std::uint8_t* const* lines;
  const std::byte* weights;  ///< of the block, packed
  std::int64_t channels;     ///< of the block that exist
  Int8PostOpsFn post_ops;
  bool is_plain;         ///< whether post-ops are bias, scale and rounding to 8 bits alone
  Int8PostOpsArgs post;  ///< bias, scale, residual and dst of the block's first channel and the first output
};

/// The instructions.
struct Int8DepthwiseKernel {
  const char* name;
  const char* packing;
  /// Of one block. `weight` is that of its first channel, of which `channels` exist.
  std::size_t (*block_bytes)(const ConvProblem& s);
  void (*pack_block)(const ConvProblem& s, const std::int8_t* weight, std::int64_t channels, bool is_signed,
                     std::byte* packed);
  void (*run)(const Int8DepthwiseRow& row);
};

struct Int8Depthwise {
  static std::size_t packed_bytes(const Int8DepthwiseKernel& kernel, const ConvProblem& s);
  static void pack(const Int8DepthwiseKernel& kernel, const ConvProblem& s, Int8Type src,
                   const std::int8_t* weight, std::byte* packed);
  static std::int64_t tasks(const ConvProblem& s);
  static std::size_t scratch_bytes(const ConvProblem& s);
  static void run(const Int8DepthwiseKernel& kernel, Target target, const Int8ConvArgs& args,
                  std::int64_t begin, std::int64_t end, std::byte* scratch);
};

template <const Int8DepthwiseKernel& (*kKernel)(), Target kTarget>
Int8ConvImpl int8_depthwise_impl() {
  return {kKernel().name,
          kKernel().packing,
          [](const ConvProblem& s, Int8Type) { return Int8Depthwise::packed_bytes(kKernel(), s); },
          [](const ConvProblem& s, Int8Type src, const std::int8_t* weight, std::byte* packed) {
            Int8Depthwise::pack(kKernel(), s, src, weight, packed);
          },
          Int8Depthwise::tasks,
          Int8Depthwise::scratch_bytes,
          [](const Int8ConvArgs& args, std::int64_t begin, std::int64_t end, std::byte* scratch) {
            Int8Depthwise::run(kKernel(), kTarget, args, begin, end, scratch);
          }};
}

/// Whether it computes the problem: as many filters as channels and groups, in two dimensions.
constexpr bool is_int8_depthwise(const ConvProblem& s) {
  return s.src_layout == SrcLayout::nhwc && is_depthwise(s) && s.filters == s.channels;
}

/// By products of 16-bit pairs: every CPU. A target other than ref.
const Int8DepthwiseKernel& int8_depthwise_widened(Target target);
/// By vpdpbusd; null if the CPU lacks it.
const Int8DepthwiseKernel* int8_depthwise_avx512_vnni();

}  // namespace mxinfer::kernels
