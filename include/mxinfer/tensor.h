// Tensor owns a dense row-major array. TensorView reads one that you own, and MutableTensorView writes one.
// None of them computes anything.
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
#include <string>

namespace mxinfer {
inline namespace MXINFER_ABI {

/// A read-only view of dense row-major elements. It is cheap to copy, owns nothing, and is valid while the
/// elements are.
class MXINFER_API TensorView {
 public:
  TensorView() noexcept = default;
  TensorView(DType dtype, const Shape& shape, const void* data, Device device = {}) noexcept
      : data_(data), dtype_(dtype), device_(device), shape_(shape) {}
  template <typename T>
  TensorView(const T* data, const Shape& shape, Device device = {}) noexcept
      : TensorView(DTypeOf<T>::value, shape, data, device) {}

  /// The element type, shape and device, and the address of the first element.
  [[nodiscard]] DType dtype() const noexcept { return dtype_; }
  [[nodiscard]] const Shape& shape() const noexcept { return shape_; }
  [[nodiscard]] Device device() const noexcept { return device_; }
  [[nodiscard]] const void* raw() const noexcept { return data_; }
  /// Returns the elements as T. Throws Error(invalid_argument) if they have another dtype.
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

/// A writable view of dense row-major elements, such as your memory for outputs. It owns nothing, and is
/// valid while the elements are.
class MXINFER_API MutableTensorView {
 public:
  MutableTensorView() noexcept = default;
  MutableTensorView(DType dtype, const Shape& shape, void* data, Device device = {}) noexcept
      : data_(data), dtype_(dtype), device_(device), shape_(shape) {}
  template <typename T>
  MutableTensorView(T* data, const Shape& shape, Device device = {}) noexcept
      : MutableTensorView(DTypeOf<T>::value, shape, data, device) {}

  /// The element type, shape and device, and the address of the first element.
  [[nodiscard]] DType dtype() const noexcept { return dtype_; }
  [[nodiscard]] const Shape& shape() const noexcept { return shape_; }
  [[nodiscard]] Device device() const noexcept { return device_; }
  [[nodiscard]] void* raw() const noexcept { return data_; }
  /// Returns the elements as T. Throws Error(invalid_argument) if they have another dtype.
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

/// Parameters that are lists of tensors: {a, b}, a std::vector<Tensor>, a std::vector<TensorView>.
using TensorViews = ViewList<TensorView>;
using MutableTensorViews = ViewList<MutableTensorView>;

/// An array in 64-byte aligned memory of its own. Moves are cheap; to copy, call clone(). Several threads may
/// read one tensor.
class MXINFER_API Tensor {
 public:
  /// An empty tensor: it has no elements and the shape (0,).
  Tensor() noexcept;
  /// Makes a tensor of zeros. Throws Error(out_of_memory) if the memory cannot be allocated. Throws
  /// Error(invalid_argument) if a dimension is negative or there are too many elements.
  Tensor(DType dtype, const Shape& shape);
  /// Makes a tensor without setting its elements, for callers that write all of them. Throws as the
  /// constructor.
  static Tensor uninitialized(DType dtype, const Shape& shape);
  /// Makes a tensor in pinned memory, for inputs and outputs of predictors on the GPU `device`: transfers to
  /// and from the GPU need no extra copy on the CPU. This holds for every GPU of the process. Elements are
  /// not set. Pinning takes longer than most calls, so make such tensors once and reuse them.
  ///
  /// `device` is a name, as in Options::device: "cuda:0". For "cpu", the memory is ordinary, so that you can
  /// pass the device of your options. Throws Error(invalid_argument) if it is not a device, Error(device) if
  /// there is no such GPU or no library of kernels, and as the constructor.
  static Tensor pinned(DType dtype, const Shape& shape, const std::string& device);
  /// Copies a view of CPU memory. Throws Error(invalid_argument) if the view is in a GPU's memory.
  static Tensor copy_of(const TensorView& view);
  Tensor(Tensor&& other) noexcept;
  Tensor& operator=(Tensor&& other) noexcept;
  Tensor(const Tensor&) = delete;
  Tensor& operator=(const Tensor&) = delete;
  ~Tensor();

  /// The element type, the shape, the number of elements and their bytes, and the address of the first one.
  DType dtype() const noexcept { return dtype_; }
  const Shape& shape() const noexcept { return shape_; }
  std::int64_t elements() const noexcept { return elements_; }
  std::size_t bytes() const noexcept { return static_cast<std::size_t>(elements_) * size_of(dtype_); }
  void* raw() noexcept { return data_; }
  const void* raw() const noexcept { return data_; }
  /// Returns the elements as T. Throws Error(invalid_argument) if they have another dtype.
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
  /// Returns all elements as a span. Throws as data().
  template <typename T>
  Span<const T> span() const {
    return Span<const T>(data<T>(), static_cast<std::size_t>(elements_));
  }

  /// Returns a copy.
  Tensor clone() const;
  /// Changes the shape and keeps the elements. Throws Error(invalid_argument) if their number would differ.
  void reshape(const Shape& shape);
  TensorView view() const noexcept { return TensorView(dtype_, shape_, data_); }
  MutableTensorView mutable_view() noexcept { return MutableTensorView(dtype_, shape_, data_); }
  operator TensorView() const noexcept { return view(); }
  operator MutableTensorView() noexcept { return mutable_view(); }

 private:
  void require(DType wanted) const;
  void release() noexcept;
  void* data_ = nullptr;
  DType dtype_ = DType::float32;
  bool is_pinned_ = false;  ///< the owner of the memory is in front of the elements
  Shape shape_{};
  std::int64_t elements_ = 0;
};

}  // namespace MXINFER_ABI
}  // namespace mxinfer
