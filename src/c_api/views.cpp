#include "c_api/views.h"

#include <algorithm>
#include <map>
#include <set>

namespace mxinfer::c_api {
namespace {

DType dtype_of(std::int32_t number) {
  if (mxinfer_dtype_size(number) > 0) return static_cast<DType>(number);
  reject("a tensor has dtype " + std::to_string(number) +
         ", which is not a dtype; expected MXINFER_FLOAT32 (0) to MXINFER_BFLOAT16 (12)");
}

Shape shape_of(const std::int64_t* dims, std::int32_t rank, std::int64_t least) {
  if (rank < 0 || rank > static_cast<std::int32_t>(Shape::kMaxRank)) {
    reject("a shape has rank " + std::to_string(rank) + "; it can be 0 to " +
           std::to_string(Shape::kMaxRank));
  }
  if (rank > 0 && dims == nullptr)
    reject("a shape of rank " + std::to_string(rank) + " is NULL; give its sizes");
  Shape shape;
  for (std::int32_t i = 0; i < rank; ++i) {
    if (dims[i] < least) {
      reject("dimension " + std::to_string(i) + " of a shape is " + std::to_string(dims[i]) + "; sizes are " +
             std::to_string(least) + " or more");
    }
    shape.push_back(dims[i]);
  }
  return shape;
}

/// 0 stands for the CPU, for structs that are zeros but for what is set.
bool is_of_cpu(const mxinfer_tensor& tensor) {
  return tensor.device_type == 0 || tensor.device_type == static_cast<std::int32_t>(DeviceType::cpu);
}

std::string device_text(const mxinfer_tensor& tensor) {
  return "a tensor is in memory of device type " + std::to_string(tensor.device_type) + ", index " +
         std::to_string(tensor.device_index);
}

void require_cpu(const mxinfer_tensor& tensor) {
  if (is_of_cpu(tensor) && tensor.device_index == 0) return;
  throw Error(ErrorCode::unsupported, device_text(tensor) +
                                          "; this function takes only CPU memory: 0 or 1, 0. For GPU memory, "
                                          "call mxinfer_predictor_predict_on_device");
}

/// The predictor checks which devices it accepts.
Device device_of(const mxinfer_tensor& tensor) {
  if (is_of_cpu(tensor)) return {DeviceType::cpu, tensor.device_index};
  if (tensor.device_type == static_cast<std::int32_t>(DeviceType::cuda) && tensor.device_index >= 0)
    return {DeviceType::cuda, tensor.device_index};
  reject(device_text(tensor) +
         ", which is not a device; device type 2 is an NVIDIA GPU, its index 0 or more");
}

bool is_left_out(const mxinfer_tensor& tensor) {
  return tensor.data == nullptr && tensor.rank == 0;
}

/// The first of a list that is not empty.
const mxinfer_tensor* checked_list(const mxinfer_tensor* tensors, std::size_t count, const char* what) {
  if (count > 0) need(tensors, what);
  return tensors;
}

template <typename View, typename Make>
std::map<std::string, View> by_name(const mxinfer_tensor* tensors, std::size_t count, Make make) {
  std::map<std::string, View> named;
  for (std::size_t i = 0; i < count; ++i) {
    const mxinfer_tensor tensor = read_element(tensors, i);
    if (!named.emplace(tensor.name, make(tensor)).second)
      reject("the name '" + std::string(tensor.name) + "' is given twice; give each once");
  }
  return named;
}

template <typename View, typename Make>
Views<View> in_order(const mxinfer_tensor* tensors, std::size_t count, Make make) {
  Views<View> views(count);
  for (std::size_t i = 0; i < count; ++i) views[i] = make(read_element(tensors, i));
  return views;
}

}  // namespace

bool are_named(const mxinfer_tensor* tensors, std::size_t count) {
  std::size_t named = 0;
  for (std::size_t i = 0; i < count; ++i) named += read_element(tensors, i).name != nullptr ? 1 : 0;
  if (named == 0 || named == count) return named > 0;
  reject(std::to_string(named) + " of " + std::to_string(count) +
         " tensors have names; give names to all of them, or to none and keep the order of the model");
}

TensorView type_view_of(const mxinfer_tensor& tensor) {
  return {dtype_of(tensor.dtype), shape_of(tensor.shape, tensor.rank, 0), nullptr};
}

TensorView device_view_of(const mxinfer_tensor& tensor) {
  const DType dtype = dtype_of(tensor.dtype);
  if (is_left_out(tensor)) return {};
  const Shape shape = shape_of(tensor.shape, tensor.rank, 0);
  if (tensor.data == nullptr && shape.elements() > 0)
    reject("the data of a tensor of shape " + to_string(shape) + " is NULL; give its elements");
  // An array without elements counts as given.
  static const double none = 0;
  return {dtype, shape, tensor.data != nullptr ? tensor.data : &none, device_of(tensor)};
}

TensorView view_of(const mxinfer_tensor& tensor) {
  if (!is_left_out(tensor)) require_cpu(tensor);
  return device_view_of(tensor);
}

MutableTensorView device_mutable_view_of(const mxinfer_tensor& tensor) {
  const DType dtype = dtype_of(tensor.dtype);
  const Shape shape = shape_of(tensor.shape, tensor.rank, 0);
  if (tensor.data == nullptr && shape.elements() > 0)
    reject("the data of an output of shape " + to_string(shape) + " is NULL; give memory to write to");
  return {dtype, shape, tensor.data, device_of(tensor)};
}

MutableTensorView mutable_view_of(const mxinfer_tensor& tensor) {
  require_cpu(tensor);
  return device_mutable_view_of(tensor);
}

namespace {

using MakeView = TensorView (*)(const mxinfer_tensor&);
using MakeMutableView = MutableTensorView (*)(const mxinfer_tensor&);

Views<TensorView> inputs_made_by(MakeView make, const Predictor& predictor, const mxinfer_tensor* tensors,
                                 std::size_t count) {
  checked_list(tensors, count, "inputs");
  if (!are_named(tensors, count)) return in_order<TensorView>(tensors, count, make);
  const std::vector<TensorView> ordered = predictor.order_inputs(by_name<TensorView>(tensors, count, make));
  Views<TensorView> views(ordered.size());
  for (std::size_t i = 0; i < ordered.size(); ++i) views[i] = ordered[i];
  return views;
}

Views<MutableTensorView> outputs_made_by(MakeMutableView make, const Predictor& predictor,
                                         const mxinfer_tensor* tensors, std::size_t count) {
  checked_list(tensors, count, "outputs");
  if (!are_named(tensors, count)) return in_order<MutableTensorView>(tensors, count, make);
  const auto named = by_name<MutableTensorView>(tensors, count, make);
  const std::vector<DataDesc>& outputs = predictor.model().signature().outputs;
  Views<MutableTensorView> views(outputs.size());
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    const auto found = named.find(outputs[i].name);
    if (found == named.end())
      reject("no memory was given for output '" + outputs[i].name + "'; give memory for every output");
    views[i] = found->second;
  }
  if (named.size() > outputs.size()) {
    const auto is_output = [&](const std::string& name) {
      return std::any_of(outputs.begin(), outputs.end(), [&](const DataDesc& o) { return o.name == name; });
    };
    for (const auto& [name, view] : named) {
      if (!is_output(name)) reject("the model has no output '" + name + "'");
    }
  }
  return views;
}

}  // namespace

Views<TensorView> input_views(const Predictor& predictor, const mxinfer_tensor* tensors, std::size_t count) {
  return inputs_made_by(view_of, predictor, tensors, count);
}

Views<TensorView> device_input_views(const Predictor& predictor, const mxinfer_tensor* tensors,
                                     std::size_t count) {
  return inputs_made_by(device_view_of, predictor, tensors, count);
}

std::map<std::string, TensorView> named_views(const mxinfer_tensor* tensors, std::size_t count,
                                              const char* what) {
  checked_list(tensors, count, what);
  if (count > 0 && !are_named(tensors, count))
    reject(std::string("the arrays of ") + what + " have no names; give each its name");
  return by_name<TensorView>(tensors, count, view_of);
}

Views<TensorView> item_views(const mxinfer_tensor* tensors, std::size_t count) {
  return in_order<TensorView>(checked_list(tensors, count, "items"), count, view_of);
}

Views<MutableTensorView> output_views(const Predictor& predictor, const mxinfer_tensor* tensors,
                                      std::size_t count) {
  return outputs_made_by(mutable_view_of, predictor, tensors, count);
}

Views<MutableTensorView> device_output_views(const Predictor& predictor, const mxinfer_tensor* tensors,
                                             std::size_t count) {
  return outputs_made_by(device_mutable_view_of, predictor, tensors, count);
}

std::vector<TensorView> shape_flat(const Predictor& predictor, Span<const TensorView> arrays) {
  // Predictor::shape_flat takes arrays of one type; shapes follow from the numbers of elements alone.
  std::vector<Span<const std::uint8_t>> counts;
  for (const TensorView& array : arrays) {
    if (array.shape().rank() != 1) {
      reject("input " + std::to_string(counts.size()) + " is flat, but has shape " +
             to_string(array.shape()) + "; give one dimension, its number of elements");
    }
    counts.emplace_back(static_cast<const std::uint8_t*>(array.raw()),
                        static_cast<std::size_t>(array.shape()[0]));
  }
  std::vector<TensorView> shaped = predictor.shape_flat<std::uint8_t>(counts);
  for (std::size_t i = 0; i < shaped.size(); ++i)
    shaped[i] = TensorView(arrays[i].dtype(), shaped[i].shape(), arrays[i].raw());
  return shaped;
}

std::vector<NamedShape> named_shapes(const mxinfer_shape* shapes, std::size_t count) {
  std::vector<NamedShape> named;
  if (count > 0) need(shapes, "shapes");
  for (std::size_t i = 0; i < count; ++i) {
    const mxinfer_shape shape = read_element(shapes, i);
    named.emplace_back(need_text(shape.name, "name of a shape"), shape_of(shape.shape, shape.rank, 0));
  }
  return named;
}

}  // namespace mxinfer::c_api
