// Steps whose outputs are known when the plan is made, and the numbers that fill them.
#pragma once

#include "ops/op_def.h"

namespace mxinfer::ops {

/// The step that gives output 0 the elements of `value`.
Step constant_step(Tensor value);

/// Element i of a tensor of any dtype from a number; integers as kernels/common/element_type.h converts,
/// wrapping around like MXNet.
void store_number(Tensor& tensor, std::int64_t i, double value);
/// The same as the bytes of one element, the others 0.
struct alignas(8) StoredNumber {
  std::byte bytes[8] = {};
};
StoredNumber stored_number(DType dtype, double value);
/// All elements.
void fill_all(Tensor& tensor, double value);

/// Ones on the k-th diagonal of a matrix of zeros.
void fill_diagonal(Tensor& matrix, std::int64_t k);

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
