// Contraction: a sum of products of two arrays, as one matrix product for each element of a batch.
//
//   dst[batch, row, column] = sum over depth of a[batch, row, depth] * b[batch, column, depth]
//
// matmul, dot, tensordot and einsum of two operands are that. Each of the four groups is a list of dimensions
// with their strides, so that an axis may lie anywhere; a stride of 0 repeats.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "ops/op_def.h"

namespace mxinfer::ops {

/// A dimension, and the elements from one index to the next in each array.
struct ContractionDim {
  std::int64_t size = 1;
  std::int64_t a = 0, b = 0, dst = 0;
};

struct Contraction {
  std::vector<ContractionDim> batch{}, rows{}, columns{}, depth{};

  std::int64_t matrices() const;
  std::int64_t row_count() const;
  std::int64_t column_count() const;
  std::int64_t depth_count() const;
  double flops() const;
};

/// Sets the strides of the output: it is dense, over batch, rows and columns in this order.
void set_dense_output(Contraction& contraction);

/// The same with as few dimensions as possible: those of size 1 are dropped, neighbours that all arrays walk
/// with one stride are merged, and a batch that b repeats becomes rows where the output allows it.
Contraction simplified(const Contraction& contraction);

/// A contraction for the CPU, in float32 or float64.
struct ContractionKernel {
  std::string kernel{}, reason{};
  std::size_t scratch_bytes = 0;
  /// dst must not overlap a and b.
  std::function<void(const void* a, const void* b, void* dst, std::byte* scratch)> run{};
};

/// `context` says whether operand b is parameter `b_input` of the node, which is then packed once; -1: it is
/// computed.
ContractionKernel contraction_kernel(LowerContext& context, const Contraction& contraction, DType dtype,
                                     int b_input);

/// The step of a node whose two inputs are a and b.
Step contraction_step(LowerContext& context, const Contraction& contraction);

/// Of _npi_matmul, _np_dot, _npi_tensordot, _npi_tensordot_int_axes; throws Error if the shapes do not fit.
Contraction numpy_product_of(const std::string& op, const Attrs& attrs, const Shape& a, const Shape& b);

}  // namespace mxinfer::ops
