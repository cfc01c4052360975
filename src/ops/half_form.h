// HalfForm: how a device's kernels of an operator take values of float32 that a plan stores in 16 bits,
// float16 or bfloat16. A plan asks before it decides how a value is stored (plan/lower/stored_halves.h).
//
//   const HalfSupport halves = backend.half_support(node);
//   if (halves.form == HalfForm::any_type && halves.reads_half(node, 1)) ...
#pragma once

#include <cstddef>
#include <cstdint>

#include "graph/graph.h"

namespace mxinfer::ops {

enum class HalfForm : std::uint8_t {
  none,      ///< in float32 alone
  moves,     ///< data and outputs have one type, and elements stay what they are
  one_type,  ///< data and outputs have one type
  any_type,  ///< data and outputs have any types
  product,   ///< operands are rounded to that type anyway; outputs have it, or float32
};

struct HalfSupport {
  HalfForm form = HalfForm::none;
  /// Which inputs are data; the others are read as they are in float32. Null: all.
  bool (*reads)(const graph::Node& node, std::size_t input) = nullptr;

  bool reads_half(const graph::Node& node, std::size_t input) const {
    return form != HalfForm::none && (reads == nullptr || reads(node, input));
  }
};

}  // namespace mxinfer::ops
