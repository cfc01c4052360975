// WordMatrix: the vectors of words, one row each, in owned memory or in a mapped file.
#pragma once

#include <mxinfer/span.h>
#include <mxinfer/tensor.h>

#include <cstddef>
#include <cstdint>
#include <memory>

#include "tensor/parameter.h"

namespace mxinfer::text {

/// Copies share the numbers.
class WordMatrix {
 public:
  WordMatrix() = default;
  /// Precondition: float32, two dimensions.
  explicit WordMatrix(Tensor matrix);
  /// `owner` keeps `data` alive, rows * columns numbers.
  WordMatrix(std::shared_ptr<const void> owner, const float* data, std::int64_t rows, std::int64_t columns);

  std::int64_t rows() const { return rows_; }
  std::int64_t columns() const { return columns_; }
  const float* data() const { return data_; }
  /// Precondition: 0 <= i < rows().
  Span<const float> row(std::int64_t i) const {
    return {data_ + i * columns_, static_cast<std::size_t>(columns_)};
  }
  TensorView view() const { return {data_, {rows_, columns_}}; }
  /// The same numbers in the form of Node::constant; null for an empty matrix.
  const std::shared_ptr<const Parameter>& parameter() const { return parameter_; }

 private:
  std::shared_ptr<const void> owner_;
  std::shared_ptr<const Parameter> parameter_;
  const float* data_ = nullptr;
  std::int64_t rows_ = 0;
  std::int64_t columns_ = 0;
};

}  // namespace mxinfer::text
