// Arrays of the caller as the views that the C++ interface takes.
#pragma once

#include <mxinfer/predictor.h>
#include <mxinfer/tensor.h>
#include <mxinfer_c/tensor.h>

#include <array>
#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "c_api/structs.h"

namespace mxinfer::c_api {

/// Checks the struct, not the memory that it points to.
TensorView view_of(const mxinfer_tensor& tensor);
MutableTensorView mutable_view_of(const mxinfer_tensor& tensor);
/// The same of memory of any device.
TensorView device_view_of(const mxinfer_tensor& tensor);
MutableTensorView device_mutable_view_of(const mxinfer_tensor& tensor);
/// Dtype and shape alone.
TensorView type_view_of(const mxinfer_tensor& tensor);

/// A few views in place, so that a call allocates nothing.
template <typename View>
class Views {
 public:
  explicit Views(std::size_t count) : size_(count) {
    if (count > kInPlace) heap_.resize(count);
  }
  View& operator[](std::size_t i) { return heap_.empty() ? local_[i] : heap_[i]; }
  [[nodiscard]] Span<const View> span() const {
    return {heap_.empty() ? local_.data() : heap_.data(), size_};
  }

 private:
  static constexpr std::size_t kInPlace = 4;
  std::size_t size_;
  std::array<View, kInPlace> local_{};
  std::vector<View> heap_{};
};

/// Inputs by name in the model's order, or as they are.
Views<TensorView> input_views(const Predictor& predictor, const mxinfer_tensor* tensors, std::size_t count);
/// Whether arrays have names: all of them or none; an error if some do.
bool are_named(const mxinfer_tensor* tensors, std::size_t count);
/// Arrays by their names, which all of them must have. `what` is the list's name for NullArgument.
std::map<std::string, TensorView> named_views(const mxinfer_tensor* tensors, std::size_t count,
                                              const char* what);
/// Items of a list, whose names count for nothing.
Views<TensorView> item_views(const mxinfer_tensor* tensors, std::size_t count);
/// Outputs by name in the model's order, or as they are.
Views<MutableTensorView> output_views(const Predictor& predictor, const mxinfer_tensor* tensors,
                                      std::size_t count);
/// The same of memory of any device.
Views<TensorView> device_input_views(const Predictor& predictor, const mxinfer_tensor* tensors,
                                     std::size_t count);
Views<MutableTensorView> device_output_views(const Predictor& predictor, const mxinfer_tensor* tensors,
                                             std::size_t count);
/// Flat arrays, each of one dimension, in the shapes that the signature gives them.
std::vector<TensorView> shape_flat(const Predictor& predictor, Span<const TensorView> arrays);
std::vector<NamedShape> named_shapes(const mxinfer_shape* shapes, std::size_t count);

}  // namespace mxinfer::c_api
