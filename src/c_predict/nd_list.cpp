// Arrays of a .params or .nd file.
#include <mxinfer/tools/arrays.h>
#include <mxnet/c_predict_api.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "c_predict/call.h"

using namespace mxinfer;
using namespace mxinfer::c_predict;

namespace {

struct FloatArray {
  std::string name;
  std::vector<float> values;
  std::vector<mx_uint> shape;
};

using FloatArrays = std::vector<FloatArray>;

template <typename T>
void convert(const Tensor& tensor, std::vector<float>& values) {
  const Span<const T> from = tensor.span<T>();
  std::transform(from.begin(), from.end(), values.begin(),
                 [](const T& value) { return static_cast<float>(value); });
}

void convert(const Tensor& tensor, std::vector<float>& values) {
  switch (tensor.dtype()) {
    case DType::float32:
      return convert<float>(tensor, values);
    case DType::float64:
      return convert<double>(tensor, values);
    case DType::float16:
      return convert<Half>(tensor, values);
    case DType::bfloat16:
      return convert<BFloat16>(tensor, values);
    case DType::uint8:
      return convert<std::uint8_t>(tensor, values);
    case DType::int8:
      return convert<std::int8_t>(tensor, values);
    case DType::int16:
      return convert<std::int16_t>(tensor, values);
    case DType::uint16:
      return convert<std::uint16_t>(tensor, values);
    case DType::int32:
      return convert<std::int32_t>(tensor, values);
    case DType::uint32:
      return convert<std::uint32_t>(tensor, values);
    case DType::int64:
      return convert<std::int64_t>(tensor, values);
    case DType::uint64:
      return convert<std::uint64_t>(tensor, values);
    case DType::boolean:
      return convert<bool>(tensor, values);
  }
}

FloatArray as_floats(const NamedTensor& from) {
  FloatArray array{from.name, std::vector<float>(static_cast<std::size_t>(from.array.elements())), {}};
  convert(from.array, array.values);
  for (const std::int64_t size : from.array.shape()) array.shape.push_back(static_cast<mx_uint>(size));
  return array;
}

}  // namespace

int MXNDListCreate(const char* nd_file_bytes, int nd_file_size, NDListHandle* out, mx_uint* out_length) {
  return call([&] {
    if (nd_file_size < 0) reject("nd_file_size is " + std::to_string(nd_file_size) + ", less than 0");
    const ByteSpan bytes(static_cast<const void*>(&need(nd_file_bytes, "nd_file_bytes")),
                         static_cast<std::size_t>(nd_file_size));
    NDListHandle& handle = need(out, "out");
    mx_uint& length = need(out_length, "out_length");
    auto made = std::make_unique<FloatArrays>();
    for (const NamedTensor& array : read_arrays(bytes)) made->push_back(as_floats(array));
    length = static_cast<mx_uint>(made->size());
    handle = made.release();
  });
}

int MXNDListGet(NDListHandle handle, mx_uint index, const char** out_key, const mx_float** out_data,
                const mx_uint** out_shape, mx_uint* out_ndim) {
  return call([&] {
    const FloatArrays& arrays = handle_of<FloatArrays>(handle);
    if (index >= arrays.size()) {
      reject("there is no array " + std::to_string(index) + "; there are " + std::to_string(arrays.size()) +
             ", counted from 0");
    }
    const FloatArray& array = arrays[index];
    need(out_key, "out_key") = array.name.c_str();
    need(out_data, "out_data") = array.values.data();
    need(out_shape, "out_shape") = array.shape.data();
    need(out_ndim, "out_ndim") = static_cast<mx_uint>(array.shape.size());
  });
}

int MXNDListFree(NDListHandle handle) {
  return call([&] { delete static_cast<FloatArrays*>(handle); });
}
