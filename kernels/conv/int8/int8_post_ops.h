// How sums become elements of dst: kernels/conv/int8/int8_conv.h's formula, on rows of sums that a tile made.
#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/conv/int8/int8_conv.h"

namespace mxinfer::kernels {

/// `rows` rows of `columns` filters.
struct Int8PostOpsArgs {
  const Int8ConvArgs* conv = nullptr;  ///< activations, factors and types; its addresses are not used
  std::int64_t rows = 0, columns = 0;
  const std::int32_t* sums = nullptr;  ///< rows of kInt8PanelColumns
  const std::int32_t* bias = nullptr;  ///< [columns], or null
  const float* scale = nullptr;        ///< [columns], or null: 1
  const std::byte* residual = nullptr;
  std::byte* dst = nullptr;
  std::int64_t dst_stride = 0;  ///< elements, of residual too
};
using Int8PostOpsFn = void (*)(const Int8PostOpsArgs&);

/// Whether elements are bias, scale, residual and rounding alone: activations change nothing, and the factor
/// is 1. Negative values become 0 as uint8 anyway.
inline bool has_plain_post_ops(const Int8ConvArgs& args) {
  const auto has_no_effect = [&](const PostOps& post_ops) {
    return post_ops.activation == Activation::none ||
           (post_ops.activation == Activation::relu && args.dst_type == Int8Type::u8);
  };
  const bool adds_relu = args.residual != nullptr && args.before.activation != Activation::none;
  return args.dst_factor == 1.0F && has_no_effect(args.before) && has_no_effect(args.after) && !adds_relu;
}

/// The fastest for these types and activations. A target other than ref. Results are those of the plain
/// loops, to the bit.
Int8PostOpsFn int8_post_ops(const Int8ConvArgs& conv, Target target);

}  // namespace mxinfer::kernels
