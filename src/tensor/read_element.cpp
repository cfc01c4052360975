#include "tensor/read_element.h"

namespace mxinfer {
namespace {

template <typename T>
double element(const void* data, std::int64_t i) {
  return static_cast<double>(static_cast<const T*>(data)[i]);
}
template <>
double element<Half>(const void* data, std::int64_t i) {
  return static_cast<double>(static_cast<float>(static_cast<const Half*>(data)[i]));
}
template <>
double element<BFloat16>(const void* data, std::int64_t i) {
  return static_cast<double>(static_cast<float>(static_cast<const BFloat16*>(data)[i]));
}

}  // namespace

ElementReader element_reader(DType dtype) {
  switch (dtype) {
    case DType::float32:
      return element<float>;
    case DType::float64:
      return element<double>;
    case DType::float16:
      return element<Half>;
    case DType::bfloat16:
      return element<BFloat16>;
    case DType::uint8:
      return element<std::uint8_t>;
    case DType::int8:
      return element<std::int8_t>;
    case DType::int16:
      return element<std::int16_t>;
    case DType::uint16:
      return element<std::uint16_t>;
    case DType::int32:
      return element<std::int32_t>;
    case DType::uint32:
      return element<std::uint32_t>;
    case DType::int64:
      return element<std::int64_t>;
    case DType::uint64:
      return element<std::uint64_t>;
    case DType::boolean:
      return element<bool>;
  }
  return element<float>;
}

}  // namespace mxinfer
