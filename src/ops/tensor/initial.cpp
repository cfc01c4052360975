// Operators whose output is known when the plan is made. Without inputs: _zeros, _ones, _full, _arange,
// _linspace, _eye, _zeros_without_dtype. From the shape of another tensor: shape_array, size_array,
// _contrib_arange_like, _contrib_index_array.
#include <algorithm>
#include <cmath>

#include "ops/common/axes.h"
#include "ops/common/constant_step.h"

namespace mxinfer::ops {
namespace {

constexpr double kMostElements = 9e18;

bool is_open(const Attrs& attrs, std::int64_t dim) {
  return dim < 0 || (dim == 0 && !attrs.given(kNumpyShape));
}

bool leaves_open(const Attrs& attrs) {
  const auto dims = attrs.tuple("shape");
  if (dims.empty()) return !attrs.given(kNumpyShape);
  return std::any_of(dims.begin(), dims.end(), [&](std::int64_t dim) { return is_open(attrs, dim); });
}

Shape full_shape(const Attrs& attrs) {
  const auto dims = attrs.tuple("shape");
  const Shape shape(Span<const std::int64_t>(dims.data(), dims.size()));
  if (leaves_open(attrs)) {
    fail(ErrorCode::unsupported, "shape=", to_string(shape),
         attrs.given(kNumpyShape) ? ": sizes of -1" : ": sizes of 0, or no sizes at all,",
         " follow from the operators that read the tensor, but these do not determine them; write the sizes "
         "into the model");
  }
  shape.elements();  // refuses what does not fit
  return shape;
}

// The shape as the attributes tell it.
void unify_filled(const Attrs& attrs, PartialShapes& /*inputs*/, PartialShapes& outputs) {
  const auto dims = attrs.tuple("shape");
  if (dims.empty() && leaves_open(attrs)) return;
  Shape shape;
  for (std::int64_t dim : dims) shape.push_back(is_open(attrs, dim) ? kUnknown : dim);
  learn(outputs[0], shape);
}

void complete_filled(Attrs& attrs, const Shape& shape) {
  graph::IntTuple dims;
  for (std::int64_t dim : shape) dims.emplace_back(dim);
  attrs.set("shape", std::move(dims));
  attrs.set(kNumpyShape, true);  // a batch of 0 is one
}

// A filled tensor: `value_of` gives the number.
OpDef filled(std::string name, std::string summary, double (*value_of)(const Attrs&)) {
  OpDef op{.name = std::move(name), .summary = std::move(summary)};
  op.attrs = {tuple_attr("shape", "()"), text_attr("ctx", "").without_effect(),
              dtype_attr("dtype", "float32")};
  op.inputs = named_ports({});
  op.infer = [](const InferContext& context) -> std::vector<TensorType> {
    return {{dtype_of(context.attrs, "dtype"), full_shape(context.attrs)}};
  };
  op.unify = unify_filled;
  op.leaves_open = leaves_open;
  op.complete = complete_filled;
  op.lower = [value_of](LowerContext& context) {
    Tensor tensor(context.output(0).dtype, context.output(0).shape);
    fill_all(tensor, value_of(context.attrs()));
    return constant_step(std::move(tensor));
  };
  return op;
}

std::int64_t checked_count(double count) {
  if (!(count >= 0 && count < kMostElements))
    fail(ErrorCode::malformed, "a sequence of ", count, " elements");
  return static_cast<std::int64_t>(count);
}

// How many numbers a range without an end has, once its readers have said it.
constexpr const char* kCount = "count";

bool has_open_end(const Attrs& attrs) {
  return attrs.flag("infer_range") && !attrs.has("stop") && !attrs.given(kCount);
}

void unify_arange(const Attrs& attrs, PartialShapes& /*inputs*/, PartialShapes& outputs) {
  if (has_open_end(attrs)) learn(outputs[0], Shape{kUnknown});
}

void complete_arange(Attrs& attrs, const Shape& shape) {
  if (shape.rank() == 1) attrs.set(kCount, shape[0]);
}

NumberSequence arange_of(const Attrs& attrs) {
  if (has_open_end(attrs)) {
    fail(ErrorCode::unsupported,
         "infer_range=True: the length follows from the operators that read the numbers, but these do not "
         "determine it; write stop into the model");
  }
  NumberSequence sequence{.step = attrs.number("step"), .repeat = attrs.integer("repeat")};
  if (attrs.given(kCount)) {
    sequence.start = attrs.number("start");
    sequence.count = attrs.integer(kCount);
    return sequence;
  }
  double stop = attrs.number("start");
  if (attrs.has("stop")) {
    sequence.start = stop;
    stop = attrs.number("stop");
  }
  const double span = stop - sequence.start;
  if (sequence.step == 0 || !(span / sequence.step > 0)) {
    fail(ErrorCode::malformed, "start=", sequence.start, ", stop=", stop, ", step=", sequence.step,
         " is an empty range");
  }
  const auto count = checked_mul(checked_count(std::ceil(span / sequence.step)), sequence.repeat);
  if (!count) fail(ErrorCode::malformed, "repeat=", sequence.repeat, " makes too many elements");
  sequence.count = *count;
  return sequence;
}

// The node's own attributes leave open what the plan knows.
Step lower_arange(LowerContext& context) {
  Tensor tensor(context.output(0).dtype, context.output(0).shape);
  Attrs attrs = context.attrs();
  if (has_open_end(attrs)) complete_arange(attrs, tensor.shape());
  fill_sequence(tensor, arange_of(attrs));
  return constant_step(std::move(tensor));
}

NumberSequence linspace_of(const Attrs& attrs) {
  NumberSequence sequence{.count = attrs.integer("num"), .start = attrs.number("start")};
  const std::int64_t steps = attrs.flag("endpoint") ? sequence.count - 1 : sequence.count;
  sequence.step = steps > 0 ? (attrs.number("stop") - sequence.start) / static_cast<double>(steps) : 0;
  return sequence;
}

void fill_linspace(Tensor& tensor, const NumberSequence& sequence) {
  for (std::int64_t i = 0; i < sequence.count; ++i) {
    store_number(tensor, i, sequence.start + sequence.step * static_cast<double>(i));
  }
}

OpDef sequence_op(std::string name, NumberSequence (*sequence_of)(const Attrs&),
                  void (*fill_with)(Tensor&, const NumberSequence&)) {
  OpDef op{.name = std::move(name), .inputs = named_ports({})};
  op.infer = [sequence_of](const InferContext& context) -> std::vector<TensorType> {
    return {{dtype_of(context.attrs, "dtype"), Shape{sequence_of(context.attrs).count}}};
  };
  op.lower = [=](LowerContext& context) {
    Tensor tensor(context.output(0).dtype, context.output(0).shape);
    fill_with(tensor, sequence_of(context.attrs()));
    return constant_step(std::move(tensor));
  };
  return op;
}

Shape eye_shape(const Attrs& attrs) {
  const std::int64_t rows = attrs.integer("N"), columns = attrs.integer("M");
  const Shape shape{rows, columns == 0 ? rows : columns};
  shape.elements();
  return shape;
}

Step lower_eye(LowerContext& context) {
  Tensor tensor(context.output(0).dtype, context.output(0).shape);
  fill_diagonal(tensor, context.attrs().integer("k"));
  return constant_step(std::move(tensor));
}

std::vector<TensorType> infer_shape_array(const InferContext& context) {
  return {{DType::int64, Shape{static_cast<std::int64_t>(context.shape(0).rank())}}};
}

Step lower_shape_array(LowerContext& context) {
  const Shape& of = context.input(0).shape;
  Tensor value(DType::int64, context.output(0).shape);
  for (std::size_t d = 0; d < of.rank(); ++d) value.data<std::int64_t>()[d] = of[d];
  return constant_step(std::move(value));
}

std::vector<TensorType> infer_size_array(const InferContext&) {
  return {{DType::int64, Shape{1}}};
}

Step lower_size_array(LowerContext& context) {
  Tensor value(DType::int64, Shape{1});
  value.data<std::int64_t>()[0] = context.input(0).shape.elements();
  return constant_step(std::move(value));
}

std::vector<TensorType> infer_arange_like(const InferContext& context) {
  const TensorType& data = context.inputs[0];
  if (!context.attrs.has("axis")) return {data};
  const std::size_t axis = resolve_axis("axis", context.attrs.integer("axis"), data.shape.rank());
  return {{data.dtype, Shape{data.shape[axis]}}};
}

Step lower_arange_like(LowerContext& context) {
  Tensor value(context.output(0).dtype, context.output(0).shape);
  fill_sequence(value, {value.elements(), context.attrs().number("start"), context.attrs().number("step"),
                        context.attrs().integer("repeat")});
  return constant_step(std::move(value));
}

/// The dimensions whose indices are wanted.
std::vector<std::size_t> index_axes(const Attrs& attrs, const Shape& shape) {
  std::vector<std::size_t> axes;
  if (!attrs.has("axes")) {
    for (std::size_t d = 0; d < shape.rank(); ++d) axes.push_back(d);
  } else {
    for (std::int64_t axis : attrs.tuple("axes")) axes.push_back(resolve_axis("axes", axis, shape.rank()));
  }
  return axes;
}

std::vector<TensorType> infer_index_array(const InferContext& context) {
  Shape out = context.shape(0);
  out.push_back(static_cast<std::int64_t>(index_axes(context.attrs, out).size()));
  return {{DType::int64, out}};
}

Step lower_index_array(LowerContext& context) {
  const Shape& of = context.input(0).shape;
  const auto axes = index_axes(context.attrs(), of);
  const auto strides = row_major_strides(of);
  Tensor value(DType::int64, context.output(0).shape);
  std::int64_t* out = value.data<std::int64_t>();
  const std::int64_t places = of.elements();
  for (std::int64_t place = 0; place < places; ++place) {
    for (std::size_t axis : axes) *out++ = place / strides[axis] % of[axis];
  }
  return constant_step(std::move(value));
}

}  // namespace

std::vector<OpDef> initial_ops() {
  OpDef zeros = filled("_zeros", "A tensor of zeros.", [](const Attrs&) { return 0.0; });
  zeros.aliases = {"_npi_zeros"};
  OpDef ones = filled("_ones", "A tensor of ones.", [](const Attrs&) { return 1.0; });
  ones.aliases = {"_npi_ones"};
  OpDef full =
      filled("_full", "A tensor of `value`.", [](const Attrs& attrs) { return attrs.number("value"); });
  full.aliases = {"_npi_full"};
  full.attrs.push_back(number_attr("value"));

  OpDef arange = sequence_op("_arange", arange_of, fill_sequence);
  arange.summary = "start, start + step, ... up to but excluding stop, each `repeat` times.";
  arange.attrs = {number_attr("start"),
                  number_attr("stop").optional_none(),
                  number_attr("step", 1),
                  integer_attr("repeat", 1).at_least(1),
                  flag_attr("infer_range", false),
                  text_attr("ctx", "").without_effect(),
                  dtype_attr("dtype", "float32")};
  arange.unify = unify_arange;
  arange.leaves_open = has_open_end;
  arange.complete = complete_arange;
  arange.lower = lower_arange;

  OpDef linspace = sequence_op("_linspace", linspace_of, fill_linspace);
  linspace.aliases = {"_npi_linspace"};
  linspace.summary = "num numbers, evenly spaced from start to stop.";
  linspace.attrs = {number_attr("start"),
                    number_attr("stop"),
                    integer_attr("num").at_least(0),
                    flag_attr("endpoint", true),
                    text_attr("ctx", "").without_effect(),
                    dtype_attr("dtype", "float32")};

  OpDef eye;
  eye.name = "_eye";
  eye.summary = "Ones on the k-th diagonal of N rows and M columns (N if M is 0), zeros elsewhere.";
  eye.attrs = {integer_attr("N").at_least(1), integer_attr("M", 0).at_least(0), integer_attr("k", 0),
               text_attr("ctx", "").without_effect(), dtype_attr("dtype", "float32")};
  eye.inputs = named_ports({});
  eye.infer = [](const InferContext& context) -> std::vector<TensorType> {
    return {{dtype_of(context.attrs, "dtype"), eye_shape(context.attrs)}};
  };
  eye.lower = lower_eye;

  OpDef untyped = zeros;
  untyped.aliases = {};
  untyped.name = "_zeros_without_dtype";
  untyped.summary = "A tensor of zeros; dtype is MXNet's type number, and -1 (unspecified) means float32.";
  untyped.attrs = {tuple_attr("shape", "()"), text_attr("ctx", "").without_effect(),
                   integer_attr("dtype", -1).at_least(-1).at_most(7)};
  untyped.infer = [](const InferContext& context) -> std::vector<TensorType> {
    const std::int64_t dtype = std::max<std::int64_t>(0, context.attrs.integer("dtype"));
    return {{static_cast<DType>(dtype), full_shape(context.attrs)}};
  };

  return {zeros, ones, full, arange, linspace, eye, untyped};
}

std::vector<OpDef> shape_of_ops() {
  return {
      {.name = "shape_array",
       .aliases = {"_npx_shape_array"},
       .summary = "The sizes of data's dimensions, as int64.",
       .infer = infer_shape_array,
       .lower = lower_shape_array},
      {.name = "size_array",
       .summary = "The number of data's elements, as int64.",
       .infer = infer_size_array,
       .lower = lower_size_array},
      {.name = "_contrib_arange_like",
       .aliases = {"_npx_arange_like"},
       .summary = "start, start + step, ..., each `repeat` times: as many numbers as data has along axis; "
                  "without axis, in data's shape.",
       .attrs = {number_attr("start", 0), number_attr("step", 1), integer_attr("repeat", 1).at_least(1),
                 text_attr("ctx", "").without_effect(), integer_attr("axis").optional_none()},
       .infer = infer_arange_like,
       .lower = lower_arange_like},
      {.name = "_contrib_index_array",
       .summary = "The indices of each element of data along axes (all by default), as int64.",
       .attrs = {tuple_attr("axes", "None")},
       .infer = infer_index_array,
       .lower = lower_index_array},
  };
}

}  // namespace mxinfer::ops
