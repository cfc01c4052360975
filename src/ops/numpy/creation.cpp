// Tensors that attributes tell: _npi_arange, _npi_eye, _npi_identity, _npi_logspace, _npi_indices, and the
// windows _npi_hanning, _npi_hamming and _npi_blackman.
#include <cmath>
#include <cstring>

#include "kernels/common/element_type.h"
#include "ops/common/axes.h"
#include "ops/common/constant_step.h"

namespace mxinfer::ops {
namespace {

constexpr double kMostNumbers = 9e18;

using ShapeOfFn = Shape (*)(const Attrs& attrs);
using FillFn = void (*)(Tensor& tensor, const Attrs& attrs);

OpDef created(std::string name, std::string summary, std::vector<AttrSpec> attrs, ShapeOfFn shape_of,
              FillFn fill, const char* dtype = "float32") {
  OpDef op{.name = std::move(name), .summary = std::move(summary), .attrs = std::move(attrs)};
  op.attrs.push_back(text_attr("ctx", "").without_effect());
  op.attrs.push_back(dtype_attr("dtype", dtype));
  op.inputs = named_ports({});
  op.infer = [shape_of](const InferContext& context) -> std::vector<TensorType> {
    const Shape shape = shape_of(context.attrs);
    shape.elements();  // refuses what does not fit
    return {{dtype_of(context.attrs, "dtype"), shape}};
  };
  op.lower = [fill](LowerContext& context) {
    Tensor tensor(context.output(0).dtype, context.output(0).shape);
    if (tensor.elements() > 0) fill(tensor, context.attrs());
    return constant_step(std::move(tensor));
  };
  return op;
}

/// The end may be the only number: then the start is 0.
NumberSequence numpy_range(const Attrs& attrs) {
  NumberSequence sequence{.step = attrs.number("step"), .repeat = attrs.integer("repeat")};
  double stop = attrs.number("start");
  if (attrs.has("stop")) {
    sequence.start = stop;
    stop = attrs.number("stop");
  }
  if (sequence.step == 0) fail(ErrorCode::malformed, "attribute step is 0");
  const double count = std::ceil((stop - sequence.start) / sequence.step);
  if (!(count < kMostNumbers)) fail(ErrorCode::malformed, "a range of ", count, " numbers");
  const auto all = checked_mul(count > 0 ? static_cast<std::int64_t>(count) : 0, sequence.repeat);
  if (!all) fail(ErrorCode::malformed, "repeat=", sequence.repeat, " makes too many elements");
  sequence.count = *all;
  return sequence;
}

Shape numpy_eye_shape(const Attrs& attrs) {
  const std::int64_t rows = attrs.integer("N");
  return {rows, attrs.has("M") ? attrs.integer("M") : rows};
}

void fill_numpy_eye(Tensor& tensor, const Attrs& attrs) {
  fill_diagonal(tensor, attrs.integer("k"));
}

Shape stated_shape(const Attrs& attrs, const char* name) {
  const auto dims = attrs.tuple(name);
  for (const std::int64_t dim : dims) {
    if (dim < 0) fail(ErrorCode::malformed, "attribute ", name, " holds ", dim, "; expected sizes");
  }
  return Shape(Span<const std::int64_t>(dims.data(), dims.size()));
}

Shape identity_shape(const Attrs& attrs) {
  const Shape shape = stated_shape(attrs, "shape");
  if (shape.rank() != 2 || shape[0] != shape[1])
    fail(ErrorCode::malformed, "shape=", to_string(shape), ": expected a square");
  return shape;
}

void fill_identity(Tensor& tensor, const Attrs&) {
  fill_diagonal(tensor, 0);
}

Shape logspace_shape(const Attrs& attrs) {
  return {attrs.integer("num")};
}

void fill_logspace(Tensor& tensor, const Attrs& attrs) {
  const std::int64_t count = tensor.elements(), steps = attrs.flag("endpoint") ? count - 1 : count;
  const double start = attrs.number("start"), base = attrs.number("base");
  const double step = steps > 0 ? (attrs.number("stop") - start) / static_cast<double>(steps) : 0;
  for (std::int64_t i = 0; i < count; ++i)
    store_number(tensor, i, std::pow(base, start + step * static_cast<double>(i)));
}

Shape indices_shape(const Attrs& attrs) {
  Shape shape = stated_shape(attrs, "dimensions");
  shape.insert(0, static_cast<std::int64_t>(shape.rank()));
  return shape;
}

void fill_indices(Tensor& tensor, const Attrs&) {
  const Shape& shape = tensor.shape();
  const auto strides = row_major_strides(shape);
  std::int64_t at = 0;
  for (std::int64_t d = 0; d < shape[0]; ++d) {
    const auto axis = static_cast<std::size_t>(d) + 1;
    for (std::int64_t i = 0; i < strides[0]; ++i)
      store_number(tensor, at++, static_cast<double>(i / strides[axis] % shape[axis]));
  }
}

Shape window_shape(const Attrs& attrs) {
  if (!attrs.has("M")) fail(ErrorCode::malformed, "attribute M has no value");
  return {std::max<std::int64_t>(0, attrs.integer("M"))};
}

// MXNet's circle number is that of a float.
constexpr double kWindowPi = 3.14159274101257324;

/// a - b cos(x) + c cos(2 x), x = 2 pi i / (M - 1), in the arithmetic of T.
template <typename T>
void fill_window(Tensor& tensor, double a, double b, double c) {
  const std::int64_t count = tensor.elements();
  for (std::int64_t i = 0; i < count; ++i) {
    const double turn = 2 * kWindowPi * static_cast<double>(i) / static_cast<double>(count - 1);
    T value = static_cast<T>(a) - static_cast<T>(b) * std::cos(static_cast<T>(turn));
    if (c != 0) value += static_cast<T>(c) * std::cos(static_cast<T>(2 * turn));
    store_number(tensor, i, static_cast<double>(value));
  }
}

void fill_window(Tensor& tensor, double a, double b, double c) {
  if (tensor.elements() == 1) return store_number(tensor, 0, 1);
  switch (tensor.dtype()) {
    case DType::float64:
      return fill_window<double>(tensor, a, b, c);
    case DType::float32:
    case DType::float16:
    case DType::bfloat16:
      return fill_window<float>(tensor, a, b, c);
    default:
      return;  // of integers, the factors are 0
  }
}

OpDef window(std::string name, std::string summary, FillFn fill) {
  return created(std::move(name), std::move(summary), {integer_attr("M").optional_none()}, window_shape,
                 fill);
}

OpDef numpy_arange() {
  OpDef op = created(
      "_npi_arange", "start, start + step, ... up to but excluding stop, each `repeat` times.",
      {number_attr("start"), number_attr("stop").optional_none(), number_attr("step", 1),
       integer_attr("repeat", 1).at_least(1), flag_attr("infer_range", false).without_effect()},
      [](const Attrs& attrs) -> Shape { return {numpy_range(attrs).count}; },
      [](Tensor& tensor, const Attrs& attrs) { fill_sequence(tensor, numpy_range(attrs)); });
  return op;
}

}  // namespace

std::vector<OpDef> numpy_creation_ops() {
  return {
      numpy_arange(),
      created("_npi_eye", "Ones on the k-th diagonal of N rows and M columns (N if M is None).",
              {integer_attr("N").at_least(0), integer_attr("M").at_least(0).optional_none(),
               integer_attr("k", 0)},
              numpy_eye_shape, fill_numpy_eye),
      created("_npi_identity", "The matrix of a square shape with ones on its diagonal.",
              {tuple_attr("shape", "()")}, identity_shape, fill_identity),
      created("_npi_logspace", "base to the power of `num` numbers, evenly spaced from start to stop.",
              {number_attr("start"), number_attr("stop"), integer_attr("num").at_least(0),
               flag_attr("endpoint", true), number_attr("base", 10)},
              logspace_shape, fill_logspace),
      created("_npi_indices", "The index along each dimension of every place in an array of `dimensions`.",
              {tuple_attr("dimensions")}, indices_shape, fill_indices, "int32"),
      window("_npi_hanning", "0.5 - 0.5 cos(x), x = 2 pi i / (M - 1).",
             [](Tensor& tensor, const Attrs&) { fill_window(tensor, 0.5, 0.5, 0); }),
      window("_npi_hamming", "0.54 - 0.46 cos(x), x = 2 pi i / (M - 1).",
             [](Tensor& tensor, const Attrs&) { fill_window(tensor, 0.54, 0.46, 0); }),
      window("_npi_blackman", "0.42 - 0.5 cos(x) + 0.08 cos(2 x), x = 2 pi i / (M - 1).",
             [](Tensor& tensor, const Attrs&) { fill_window(tensor, 0.42, 0.5, 0.08); }),
  };
}

}  // namespace mxinfer::ops
