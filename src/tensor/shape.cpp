#include <mxinfer/shape.h>

#include "base/checked.h"
#include "base/fail.h"

namespace mxinfer {

Shape::Shape(std::initializer_list<std::int64_t> dims)
    : Shape(Span<const std::int64_t>(dims.begin(), dims.size())) {}

Shape::Shape(Span<const std::int64_t> dims) {
  for (std::int64_t dim : dims) push_back(dim);
}

void Shape::push_back(std::int64_t dim) {
  if (rank_ == kMaxRank) fail(ErrorCode::unsupported, "a shape of more than ", kMaxRank, " dimensions");
  dims_[rank_++] = dim;
}

void Shape::insert(std::size_t i, std::int64_t dim) {
  push_back(dim);
  for (std::size_t k = rank_ - 1; k > i; --k) dims_[k] = dims_[k - 1];
  dims_[i] = dim;
}

void Shape::erase(std::size_t i) {
  for (std::size_t k = i + 1; k < rank_; ++k) dims_[k - 1] = dims_[k];
  --rank_;
}

std::int64_t Shape::elements() const {
  return elements(0, rank_);
}

std::int64_t Shape::elements(std::size_t first, std::size_t last) const {
  std::int64_t product = 1;
  for (std::size_t i = first; i < last; ++i) {
    if (dims_[i] < 0)
      fail(ErrorCode::invalid_argument, "shape ", to_string(*this), " has a dimension that is not known");
    const auto next = checked_mul(product, dims_[i]);
    if (!next)
      fail(ErrorCode::invalid_argument, "shape ", to_string(*this), " has more than 2^63 - 1 elements");
    product = *next;
  }
  return product;
}

std::string MXINFER_ABI::to_string(const Shape& shape) try {
  std::string text = "(";
  for (std::size_t i = 0; i < shape.rank(); ++i) {
    if (i > 0) text += ", ";
    text += std::to_string(shape[i]);
  }
  if (shape.rank() == 1) text += ",";
  return text + ")";
} catch (...) {
  throw_as_error();
}

}  // namespace mxinfer
