// Evenly spaced numbers: what _arange and _contrib_arange_like make.
#pragma once

#include <mxinfer/tensor.h>

#include <cstdint>

namespace mxinfer::ops {

/// start, start + step, ..., each of them `repeat` times, `count` elements in all.
struct NumberSequence {
  std::int64_t count = 0;
  double start = 0;
  double step = 1;
  std::int64_t repeat = 1;
};

/// Writes the sequence into a tensor of `count` elements. As MXNet has it, start and step are converted to
/// the tensor's dtype first (to whole numbers for float16), and the arithmetic is done in it.
/// Error(unsupported) for a dtype without arithmetic.
void fill_sequence(Tensor& tensor, const NumberSequence& sequence);

}  // namespace mxinfer::ops
