// Arrays of Python as views, and tensors as arrays of Python.
//
//   const HeldArray image(object, {"input", "data", DType::float32});
//   predictor.predict({image.view()});
//
// What has the buffer protocol or DLPack is borrowed; what is not dense row-major in the machine's byte order
// is copied, lists and numbers become arrays of the dtype that is wanted. No dtype is converted silently.
#pragma once

#include <Python.h>
#include <mxinfer/tensor.h>
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <memory>
#include <string>

namespace mxinfer::python {

/// What an array is for: for messages, and for lists and numbers, which have no dtype of their own.
struct ArrayUse {
  const char* what = "array";  ///< "input", "output", "item"
  std::string name{};
  DType wanted = DType::float32;
};

/// Made and destroyed with the interpreter's lock; the view may be read without it. Nobody can resize or free
/// its memory meanwhile: a bytearray that is resized raises BufferError.
class HeldArray {
 public:
  /// Error(invalid_argument): an object that is no array, a dtype that mxinfer has not, memory of a GPU.
  HeldArray(nanobind::handle object, const ArrayUse& use);
  /// What has the buffer protocol alone, such as the contents of a file.
  static HeldArray of_buffer(nanobind::handle object, const ArrayUse& use);
  [[nodiscard]] const TensorView& view() const noexcept { return view_; }

 private:
  struct ReleaseBuffer {
    void operator()(Py_buffer* buffer) const noexcept;
  };
  bool borrow_buffer(nanobind::handle object, const ArrayUse& use);
  bool borrow_dlpack(nanobind::handle object, const ArrayUse& use);
  void copy(nanobind::handle object, const ArrayUse& use);

  std::unique_ptr<Py_buffer, ReleaseBuffer> buffer_{};
  nanobind::ndarray<nanobind::ro, nanobind::c_contig> tensor_{};
  TensorView view_{};
};

/// The same for memory that is written: it must be dense, row-major and writable.
class HeldOutput {
 public:
  HeldOutput(nanobind::handle object, const ArrayUse& use);
  ~HeldOutput();
  HeldOutput(HeldOutput&& other) noexcept;
  HeldOutput(const HeldOutput&) = delete;
  HeldOutput& operator=(const HeldOutput&) = delete;
  HeldOutput& operator=(HeldOutput&&) = delete;
  [[nodiscard]] const MutableTensorView& view() const noexcept { return view_; }

 private:
  std::unique_ptr<Py_buffer> buffer_;
  MutableTensorView view_{};
};

/// A NumPy array that owns the tensor; bfloat16, which NumPy has not, becomes float32.
nanobind::object to_numpy(Tensor tensor);

}  // namespace mxinfer::python
