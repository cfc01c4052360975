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
  /// Which data a product adds to its sums, and so does not round anyway. Null: none.
  bool (*adds)(const graph::Node& node, std::size_t input) = nullptr;
  /// Which other inputs a product that reads data in 16 bits takes as they are stored, in 16 bits too or in
  /// float32: nothing is rounded because of it. Null: none.
  bool (*takes)(const graph::Node& node, std::size_t input) = nullptr;
  /// Data that is a parameter is converted once, when it is packed. Otherwise it is read as float32, which it
  /// is in memory.
  bool packs_parameters = false;

  bool reads_half(const graph::Node& node, std::size_t input) const {
    return form != HalfForm::none && (reads == nullptr || reads(node, input));
  }
  bool takes_half(const graph::Node& node, std::size_t input) const {
    return form == HalfForm::product && takes != nullptr && takes(node, input);
  }
  bool adds_half(const graph::Node& node, std::size_t input) const {
    return reads_half(node, input) && adds != nullptr && adds(node, input);
  }
};

}  // namespace mxinfer::ops
