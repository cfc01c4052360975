#include "core/arrays.h"

#include <mxinfer/error.h>
#include <nanobind/stl/string.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <utility>
#include <vector>

#include "core/errors.h"

namespace mxinfer::python {
namespace nb = nanobind;
namespace {

constexpr const char* kDTypes =
    "float16, float32, float64, bfloat16, bool, and signed and unsigned integers of 8 to 64 bits";

std::string where(const ArrayUse& use) {
  return use.name.empty() ? std::string(use.what) : std::string(use.what) + " '" + use.name + "'";
}

[[noreturn]] void reject(const ArrayUse& use, const std::string& why) {
  throw Error(ErrorCode::invalid_argument, where(use) + ": " + why);
}

enum class Kind { boolean, real, signed_integer, unsigned_integer, bfloat };

std::optional<DType> dtype_of(Kind kind, std::size_t bytes) {
  switch (kind) {
    case Kind::boolean:
      return bytes == 1 ? std::optional(DType::boolean) : std::nullopt;
    case Kind::bfloat:
      return bytes == 2 ? std::optional(DType::bfloat16) : std::nullopt;
    case Kind::real:
      if (bytes == 4) return DType::float32;
      if (bytes == 8) return DType::float64;
      return bytes == 2 ? std::optional(DType::float16) : std::nullopt;
    case Kind::signed_integer:
      if (bytes == 1) return DType::int8;
      if (bytes == 2) return DType::int16;
      if (bytes == 4) return DType::int32;
      return bytes == 8 ? std::optional(DType::int64) : std::nullopt;
    case Kind::unsigned_integer:
      if (bytes == 1) return DType::uint8;
      if (bytes == 2) return DType::uint16;
      if (bytes == 4) return DType::uint32;
      return bytes == 8 ? std::optional(DType::uint64) : std::nullopt;
  }
  return std::nullopt;
}

/// Of the struct module's letters; nothing for other byte orders and for what is not one number.
std::optional<DType> dtype_of_format(const char* format, std::size_t bytes) {
  if (format == nullptr) return DType::uint8;
  if (*format == '@' || *format == '=' || *format == '<') ++format;
  if (std::strlen(format) != 1) return std::nullopt;
  if (*format == '?') return dtype_of(Kind::boolean, bytes);
  if (std::strchr("efd", *format) != nullptr) return dtype_of(Kind::real, bytes);
  if (std::strchr("bhilqn", *format) != nullptr) return dtype_of(Kind::signed_integer, bytes);
  if (std::strchr("BHILQN", *format) != nullptr) return dtype_of(Kind::unsigned_integer, bytes);
  return std::nullopt;
}

std::optional<DType> dtype_of_dlpack(nb::dlpack::dtype dtype) {
  if (dtype.lanes != 1) return std::nullopt;
  const std::size_t bytes = dtype.bits / 8;
  switch (static_cast<nb::dlpack::dtype_code>(dtype.code)) {
    case nb::dlpack::dtype_code::Bool:
      return dtype_of(Kind::boolean, bytes);
    case nb::dlpack::dtype_code::Float:
      return dtype_of(Kind::real, bytes);
    case nb::dlpack::dtype_code::Int:
      return dtype_of(Kind::signed_integer, bytes);
    case nb::dlpack::dtype_code::UInt:
      return dtype_of(Kind::unsigned_integer, bytes);
    case nb::dlpack::dtype_code::Bfloat:
      return dtype_of(Kind::bfloat, bytes);
    default:
      return std::nullopt;
  }
}

nb::dlpack::dtype dlpack_of(DType dtype) {
  using Code = nb::dlpack::dtype_code;
  Code code = Code::Int;
  switch (dtype) {
    case DType::float32:
    case DType::float64:
    case DType::float16:
      code = Code::Float;
      break;
    case DType::bfloat16:
      code = Code::Bfloat;
      break;
    case DType::boolean:
      code = Code::Bool;
      break;
    case DType::uint8:
    case DType::uint16:
    case DType::uint32:
    case DType::uint64:
      code = Code::UInt;
      break;
    default:
      break;
  }
  return {static_cast<std::uint8_t>(code), static_cast<std::uint8_t>(8 * size_of(dtype)), 1};
}

template <typename Size>
Shape shape_of(const Size* sizes, std::size_t rank) {
  Shape shape;
  for (std::size_t i = 0; i < rank; ++i) shape.push_back(static_cast<std::int64_t>(sizes[i]));
  return shape;
}

/// The dtype and the shape of a buffer's elements; a buffer without a shape is flat.
std::optional<std::pair<DType, Shape>> read_buffer(const Py_buffer& buffer) {
  const std::optional<DType> dtype =
      dtype_of_format(buffer.format, static_cast<std::size_t>(buffer.itemsize));
  if (!dtype) return std::nullopt;
  if (buffer.shape == nullptr && buffer.ndim > 0)
    return std::pair(*dtype, Shape{buffer.len / buffer.itemsize});
  return std::pair(*dtype, shape_of(buffer.shape, static_cast<std::size_t>(buffer.ndim)));
}

/// As mxinfer/_arrays.py makes it: a dense array, and whether its uint16 elements are bfloat16's bits.
std::pair<nb::object, bool> normalized(nb::handle object, const ArrayUse& use) {
  try {
    const nb::object made =
        nb::module_::import_("mxinfer._arrays").attr("dense_array")(object, to_string(use.wanted));
    return {made[0], nb::cast<bool>(made[1])};
  } catch (nb::python_error& e) {
    if (e.matches(PyExc_MemoryError)) {
      throw Error(ErrorCode::out_of_memory, where(use) + ": the memory for a copy of the array was refused");
    }
    if (!e.matches(PyExc_Exception)) throw;
    const std::string type = nb::cast<std::string>(nb::handle(object.type()).attr("__name__"));
    reject(use, "this " + type + " is not an array, nor does it make one (" + describe(e) + ")");
  }
}

Tensor widened(const Tensor& tensor) {
  Tensor wide = Tensor::uninitialized(DType::float32, tensor.shape());
  const BFloat16* const from = tensor.data<BFloat16>();
  float* const to = wide.data<float>();
  for (std::int64_t i = 0; i < tensor.elements(); ++i) to[i] = static_cast<float>(from[i]);
  return wide;
}

}  // namespace

void HeldArray::ReleaseBuffer::operator()(Py_buffer* buffer) const noexcept {
  PyBuffer_Release(buffer);
  delete buffer;
}

HeldArray::HeldArray(nb::handle object, const ArrayUse& use) {
  if (PyObject_CheckBuffer(object.ptr()) != 0) {
    if (borrow_buffer(object, use)) return;
  } else if (nb::hasattr(object, "__dlpack__") && borrow_dlpack(object, use)) {
    return;
  }
  copy(object, use);
}

HeldArray HeldArray::of_buffer(nb::handle object, const ArrayUse& use) {
  if (PyObject_CheckBuffer(object.ptr()) != 0) return {object, use};
  const std::string type = nb::cast<std::string>(nb::handle(object.type()).attr("__name__"));
  reject(use, "expected bytes, a bytearray, a memoryview or an array, got " + type);
}

bool HeldArray::borrow_buffer(nb::handle object, const ArrayUse& /*use*/) {
  auto buffer = std::make_unique<Py_buffer>();
  if (PyObject_GetBuffer(object.ptr(), buffer.get(), PyBUF_C_CONTIGUOUS | PyBUF_FORMAT) != 0) {
    PyErr_Clear();
    return false;
  }
  buffer_.reset(buffer.release());
  const auto read = read_buffer(*buffer_);
  if (!read) {
    buffer_.reset();
    return false;
  }
  view_ = TensorView(read->first, read->second, buffer_->buf);
  return true;
}

bool HeldArray::borrow_dlpack(nb::handle object, const ArrayUse& use) {
  nb::ndarray<nb::ro, nb::c_contig> tensor;
  if (!nb::try_cast(object, tensor)) return false;
  if (tensor.device_type() != nb::device::cpu::value) {
    reject(use, "the array is in the memory of device " + std::to_string(tensor.device_type()) +
                    " (DLPack's number); copy it to the CPU first, as in array.cpu()");
  }
  const std::optional<DType> dtype = dtype_of_dlpack(tensor.dtype());
  if (!dtype) return false;
  view_ = TensorView(*dtype, shape_of(tensor.shape_ptr(), tensor.ndim()), tensor.data());
  tensor_ = std::move(tensor);
  return true;
}

void HeldArray::copy(nb::handle object, const ArrayUse& use) {
  const auto [array, is_bfloat16] = normalized(object, use);
  if (!borrow_buffer(array, use)) {
    const nb::object type = array.attr("dtype");
    const std::string dtype = nb::str(nb::handle(type)).c_str();
    reject(use, "its dtype is " + dtype + "; mxinfer takes " + kDTypes +
                    ". Convert it, as in array.astype(numpy." + to_string(use.wanted) + ")");
  }
  if (is_bfloat16) view_ = TensorView(DType::bfloat16, view_.shape(), view_.raw());
}

HeldOutput::HeldOutput(nb::handle object, const ArrayUse& use) : buffer_(std::make_unique<Py_buffer>()) {
  if (PyObject_CheckBuffer(object.ptr()) == 0)
    reject(
        use,
        "outputs are written into arrays of the caller: give a NumPy array, or what has the buffer protocol");
  if (PyObject_GetBuffer(object.ptr(), buffer_.get(), PyBUF_C_CONTIGUOUS | PyBUF_FORMAT | PyBUF_WRITABLE) !=
      0) {
    buffer_.reset();
    const nb::python_error e;
    reject(use, "outputs are written into dense, row-major, writable arrays (" + describe(e) +
                    "); make one with numpy.empty");
  }
  const auto read = read_buffer(*buffer_);
  if (!read) {
    const std::string format = buffer_->format == nullptr ? "" : buffer_->format;
    PyBuffer_Release(buffer_.get());
    buffer_.reset();
    reject(use, "its elements are '" + format + "' (of the struct module); mxinfer writes " + kDTypes);
  }
  view_ = MutableTensorView(read->first, read->second, buffer_->buf);
}

HeldOutput::HeldOutput(HeldOutput&& other) noexcept = default;

HeldOutput::~HeldOutput() {
  if (buffer_ != nullptr) PyBuffer_Release(buffer_.get());
}

nb::object to_numpy(Tensor tensor) {
  if (tensor.dtype() == DType::bfloat16) tensor = widened(tensor);
  auto owned = std::make_unique<Tensor>(std::move(tensor));
  Tensor& kept = *owned;
  const nb::capsule owner(owned.get(), [](void* pointer) noexcept { delete static_cast<Tensor*>(pointer); });
  static_cast<void>(owned.release());
  std::size_t sizes[Shape::kMaxRank] = {};
  for (std::size_t i = 0; i < kept.shape().rank(); ++i) sizes[i] = static_cast<std::size_t>(kept.shape()[i]);
  return nb::cast(nb::ndarray<nb::numpy>(kept.raw(), kept.shape().rank(), sizes, owner, nullptr,
                                         dlpack_of(kept.dtype())));
}

}  // namespace mxinfer::python
