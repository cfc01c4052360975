// Tensor owns a dense row-major array; TensorView borrows one to read, MutableTensorView one to write. None
// of them computes anything.
//
//   mxinfer::Tensor batch(mxinfer::DType::float32, {2, 3, 224, 224});   // zero-filled
//   float* p = batch.data<float>();                                     // throws unless it holds float32
//   std::vector<mxinfer::Tensor> out = predictor.predict({batch});
//   out[0].shape();                                                     // (2, 1000)
#pragma once

#include <mxinfer/device.h>
#include <mxinfer/dtype.h>
#include <mxinfer/export.h>
#include <mxinfer/shape.h>
#include <mxinfer/span.h>
#include <mxinfer/view_list.h>

#include <cstddef>
#include <memory>

namespace mxinfer {
inline namespace MXINFER_ABI {

/// A read-only view of somebody else's dense row-major elements. Cheap to copy; valid while the owner lives.
class MXINFER_API TensorView {
 public:
  TensorView() noexcept = default;
  TensorView(DType dtype, const Shape& shape, const void* data, Device device = {}) noexcept
      : data_(data), dtype_(dtype), device_(device), shape_(shape) {}
  template <typename T>
  TensorView(const T* data, const Shape& shape, Device device = {}) noexcept
      : TensorView(DTypeOf<T>::value, shape, data, device) {}

  [[nodiscard]] DType dtype() const noexcept { return dtype_; }
  [[nodiscard]] const Shape& shape() const noexcept { return shape_; }
  [[nodiscard]] Device device() const noexcept { return device_; }
  [[nodiscard]] const void* raw() const noexcept { return data_; }
  /// The elements as T. Throws Error(invalid_argument) if the dtype is another.
  template <typename T>
  [[nodiscard]] const T* data() const {
    require(DTypeOf<T>::value);
    return static_cast<const T*>(data_);
  }

 private:
  void require(DType wanted) const;
  const void* data_ = nullptr;
  DType dtype_ = DType::float32;
  Device device_{};
  Shape shape_{};
};

/// A view of somebody else's dense row-major elements that are to be written, such as outputs in memory of
/// the caller.
class MXINFER_API MutableTensorView {
 public:
  MutableTensorView() noexcept = default;
  MutableTensorView(DType dtype, const Shape& shape, void* data, Device device = {}) noexcept
      : data_(data), dtype_(dtype), device_(device), shape_(shape) {}
  template <typename T>
  MutableTensorView(T* data, const Shape& shape, Device device = {}) noexcept
      : MutableTensorView(DTypeOf<T>::value, shape, data, device) {}

  [[nodiscard]] DType dtype() const noexcept { return dtype_; }
  [[nodiscard]] const Shape& shape() const noexcept { return shape_; }
  [[nodiscard]] Device device() const noexcept { return device_; }
  [[nodiscard]] void* raw() const noexcept { return data_; }
  /// The elements as T. Throws Error(invalid_argument) if the dtype is another.
  template <typename T>
  [[nodiscard]] T* data() const {
    require(DTypeOf<T>::value);
    return static_cast<T*>(data_);
  }
  operator TensorView() const noexcept { return {dtype_, shape_, data_, device_}; }

 private:
  void require(DType wanted) const;
  void* data_ = nullptr;
  DType dtype_ = DType::float32;
  Device device_{};
  Shape shape_{};
};

/// Lists of tensors as parameters: {a, b}, a std::vector<Tensor>, a std::vector<TensorView>.
using TensorViews = ViewList<TensorView>;
using MutableTensorViews = ViewList<MutableTensorView>;

/// Owns 64-byte aligned memory. Moves are cheap; copies are explicit (clone). Reading from several threads is
/// safe.
class MXINFER_API Tensor {
 public:
  /// An empty tensor: no elements, shape (0,).
  Tensor() noexcept;
  /// Zero-filled. Throws Error(out_of_memory) if the memory cannot be allocated, Error(invalid_argument) for
  /// a shape with a negative dimension or too many elements.
  Tensor(DType dtype, const Shape& shape);
  /// As above, with the elements left as they come; for callers that write every element at once.
  static Tensor uninitialized(DType dtype, const Shape& shape);
  /// Copies from a view of memory of the CPU; Error(invalid_argument) for one of a GPU's.
  static Tensor copy_of(const TensorView& view);
  Tensor(Tensor&& other) noexcept;
  Tensor& operator=(Tensor&& other) noexcept;
  Tensor(const Tensor&) = delete;
  Tensor& operator=(const Tensor&) = delete;
  ~Tensor();

  DType dtype() const noexcept { return dtype_; }
  const Shape& shape() const noexcept { return shape_; }
  std::int64_t elements() const noexcept { return elements_; }
  std::size_t bytes() const noexcept { return static_cast<std::size_t>(elements_) * size_of(dtype_); }
  void* raw() noexcept { return data_; }
  const void* raw() const noexcept { return data_; }
  /// The elements as T. Throws Error(invalid_argument) if the dtype is another.
  template <typename T>
  T* data() {
    require(DTypeOf<T>::value);
    return static_cast<T*>(data_);
  }
  template <typename T>
  const T* data() const {
    require(DTypeOf<T>::value);
    return static_cast<const T*>(data_);
  }
  /// All elements as a span; the same error as data().
  template <typename T>
  Span<const T> span() const {
    return Span<const T>(data<T>(), static_cast<std::size_t>(elements_));
  }

  Tensor clone() const;
  /// Gives the same elements another shape. Throws Error(invalid_argument) if the counts differ.
  void reshape(const Shape& shape);
  TensorView view() const noexcept { return TensorView(dtype_, shape_, data_); }
  MutableTensorView mutable_view() noexcept { return MutableTensorView(dtype_, shape_, data_); }
  operator TensorView() const noexcept { return view(); }
  operator MutableTensorView() noexcept { return mutable_view(); }

 private:
  void require(DType wanted) const;
  void* data_ = nullptr;
  DType dtype_ = DType::float32;
  Shape shape_{};
  std::int64_t elements_ = 0;
};

}  // namespace MXINFER_ABI
}  // namespace mxinfer
