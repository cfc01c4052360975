#include <mxinfer/tensor.h>

#include <cstring>
#include <utility>

#include "base/checked.h"
#include "base/fail.h"
#include "base/files/aligned_memory.h"
#include "tensor/pinned_memory.h"

namespace mxinfer {
namespace {

void require_dtype(DType held, DType wanted) {
  if (held != wanted) {
    fail(ErrorCode::invalid_argument, "the tensor holds ", to_string(held),
         ", but its elements were requested as ", to_string(wanted));
  }
}

}  // namespace

void TensorView::require(DType wanted) const {
  require_dtype(dtype_, wanted);
}

void MutableTensorView::require(DType wanted) const {
  require_dtype(dtype_, wanted);
}

Tensor::Tensor() noexcept {
  shape_.push_back(0);
}

Tensor Tensor::uninitialized(DType dtype, const Shape& shape) {
  Tensor tensor;
  const std::int64_t elements = shape.elements();
  const auto bytes = checked_mul(elements, static_cast<std::int64_t>(size_of(dtype)));
  if (!bytes) fail(ErrorCode::invalid_argument, "a tensor of shape ", to_string(shape), " is too large");
  tensor.data_ = aligned_allocate(static_cast<std::size_t>(*bytes));
  tensor.dtype_ = dtype;
  tensor.shape_ = shape;
  tensor.elements_ = elements;
  return tensor;
}

Tensor::Tensor(DType dtype, const Shape& shape) : Tensor(uninitialized(dtype, shape)) {
  std::memset(data_, 0, bytes());
}

Tensor Tensor::copy_of(const TensorView& view) {
  if (view.device().type != DeviceType::cpu) {
    fail(ErrorCode::invalid_argument, "Tensor::copy_of was given GPU memory, ", to_string(view.dtype()), ' ',
         to_string(view.shape()), "; copy it to the CPU first");
  }
  Tensor tensor = uninitialized(view.dtype(), view.shape());
  if (tensor.bytes() > 0) std::memcpy(tensor.data_, view.raw(), tensor.bytes());
  return tensor;
}

Tensor::Tensor(Tensor&& other) noexcept
    : data_(std::exchange(other.data_, nullptr)),
      dtype_(other.dtype_),
      is_pinned_(std::exchange(other.is_pinned_, false)),
      shape_(other.shape_),
      elements_(std::exchange(other.elements_, 0)) {
  other.shape_ = Shape();
  other.shape_.push_back(0);
}

Tensor& Tensor::operator=(Tensor&& other) noexcept {
  if (this != &other) {
    release();
    data_ = std::exchange(other.data_, nullptr);
    dtype_ = other.dtype_;
    shape_ = std::exchange(other.shape_, Shape());
    other.shape_.push_back(0);
    elements_ = std::exchange(other.elements_, 0);
    is_pinned_ = std::exchange(other.is_pinned_, false);
  }
  return *this;
}

Tensor::~Tensor() {
  release();
}

void Tensor::release() noexcept {
  is_pinned_ ? release_pinned(data_) : aligned_release(data_);
}

Tensor Tensor::clone() const {
  return copy_of(view());
}

void Tensor::reshape(const Shape& shape) {
  if (shape.elements() != elements_) {
    fail(ErrorCode::invalid_argument, "a tensor of shape ", to_string(shape_), " cannot be given shape ",
         to_string(shape), ": the numbers of elements differ");
  }
  shape_ = shape;
}

void Tensor::require(DType wanted) const {
  require_dtype(dtype_, wanted);
}

}  // namespace mxinfer
