#include "text/words/word_matrix.h"

#include <cstring>
#include <utility>

namespace mxinfer::text {

WordMatrix::WordMatrix(Tensor matrix) : rows_(matrix.shape()[0]), columns_(matrix.shape()[1]) {
  parameter_ = make_parameter(std::move(matrix));
  const std::shared_ptr<const Tensor> value = parameter_->value();
  data_ = value->data<float>();
  owner_ = value;
}

WordMatrix::WordMatrix(std::shared_ptr<const void> owner, const float* data, std::int64_t rows,
                       std::int64_t columns)
    : owner_(std::move(owner)), data_(data), rows_(rows), columns_(columns) {
  const std::size_t bytes = static_cast<std::size_t>(rows * columns) * sizeof(float);
  parameter_ =
      std::make_shared<Parameter>(DType::float32, Shape{rows, columns},
                                  [held = owner_, data, bytes](void* dst) { std::memcpy(dst, data, bytes); });
}

}  // namespace mxinfer::text
