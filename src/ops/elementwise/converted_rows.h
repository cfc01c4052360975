// ConvertedRows: a binary function over rows whose elements are first converted to the type that it computes
// in, block by block, if they have another one.
//
//   const ConvertedRows rows(kernel, {{DType::int32, DType::float32}, DType::float32, DType::float32},
//                            {true, false});
//   rows.run({lhs, rhs}, dst, n);
#pragma once

#include <array>

#include "kernels/elementwise/binary.h"
#include "kernels/elementwise/cast.h"
#include "ops/op_def.h"

namespace mxinfer::ops {

class ConvertedRows {
 public:
  struct DTypes {
    std::array<DType, 2> operands;
    DType compute, out;
  };
  /// advances: whether an operand has an element for each of a row, rather than one for all.
  ConvertedRows(const kernels::BinaryKernel& kernel, const DTypes& dtypes, std::array<bool, 2> advances);

  /// n elements from where the operands begin; dst may be the memory of an operand that is not converted.
  void run(std::array<const std::byte*, 2> operands, std::byte* dst, std::int64_t n) const;
  bool converts() const { return casts_[0] != nullptr || casts_[1] != nullptr; }
  /// Of an element of that operand, in memory.
  std::size_t size(std::size_t operand) const { return sizes_[operand]; }

 private:
  kernels::BinaryFn loop_;
  std::array<kernels::CastFn, 2> casts_{};  ///< null: not converted
  std::array<std::size_t, 2> sizes_;
  std::array<bool, 2> advances_;
  std::size_t out_size_;
};

}  // namespace mxinfer::ops
