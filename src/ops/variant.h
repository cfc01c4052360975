// Variant: one of several ways to compute a node. An operator lists those that it has for given shapes, and
// what each would cost; the plan chooses, and lower() does as it was told:
//
//   op.variants = [](const LowerContext& context) { return Variants{shape, {direct, winograd}}; };
//   ... context.variant()->kernel ...       // in lower(): one of their names
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "kernels/common/work.h"

namespace mxinfer::ops {

struct Variant {
  std::string kernel;  ///< the implementation's, "conv_nhwc_winograd4_f32"
  std::string reason;  ///< what it has for it, for explain
  kernels::Work work;  ///< on one thread
  /// Of weights that Options::max_winograd_bytes counts.
  std::size_t bounded_bytes = 0;
};

struct Variants {
  /// All that the time depends on but the number of threads, as text: the key of tuned choices.
  std::string shape;
  std::vector<Variant> all;
};

}  // namespace mxinfer::ops
