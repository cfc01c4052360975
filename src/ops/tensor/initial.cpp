// Operators without inputs: _zeros, _ones, _full, _arange, _linspace, _eye,
// _zeros_without_dtype.
#include <algorithm>
#include <cmath>
#include <cstring>

#include "base/checked.h"
#include "base/fail.h"
#include "ops/common/axes.h"
#include "ops/common/constant_step.h"
#include "ops/common/number_sequence.h"
#include "ops/common/unify_sizes.h"

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

// All elements as the first one: what is there is copied behind itself, twice as much each time.
void repeat_first(Tensor& tensor) {
  auto* bytes = static_cast<std::byte*>(tensor.raw());
  for (std::size_t done = size_of(tensor.dtype()); done < tensor.bytes(); done *= 2)
    std::memcpy(bytes + done, bytes, std::min(done, tensor.bytes() - done));
}

// A filled tensor: `value_of` gives the number.
OpDef filled(std::string name, std::string summary, double (*value_of)(const Attrs&)) {
  OpDef op;
  op.name = std::move(name);
  op.summary = std::move(summary);
  op.attrs = {graph::tuple_attr("shape", "()"), graph::text_attr("ctx", "").without_effect(),
              graph::dtype_attr("dtype", "float32")};
  op.inputs = [](const Attrs&) { return PortNames{}; };
  op.infer = [](const InferContext& context) -> std::vector<TensorType> {
    return {{dtype_of(context.attrs, "dtype"), full_shape(context.attrs)}};
  };
  op.unify = unify_filled;
  op.leaves_open = leaves_open;
  op.complete = complete_filled;
  op.lower = [value_of](LowerContext& context) {
    Tensor tensor(context.output(0).dtype, context.output(0).shape);
    if (tensor.elements() > 0) {
      store_number(tensor, 0, value_of(context.attrs()));
      repeat_first(tensor);
    }
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
  NumberSequence sequence;
  sequence.step = attrs.number("step");
  sequence.repeat = attrs.integer("repeat");
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
  NumberSequence sequence;
  sequence.count = attrs.integer("num");
  sequence.start = attrs.number("start");
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
  OpDef op;
  op.name = std::move(name);
  op.inputs = [](const Attrs&) { return PortNames{}; };
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
  const std::int64_t rows = tensor.shape()[0], columns = tensor.shape()[1], k = context.attrs().integer("k");
  for (std::int64_t row = 0; row < rows; ++row) {
    const auto column = checked_add(row, k);
    if (column && *column >= 0 && *column < columns) store_number(tensor, row * columns + *column, 1);
  }
  return constant_step(std::move(tensor));
}

}  // namespace

std::vector<OpDef> initial_ops() {
  OpDef zeros = filled("_zeros", "A tensor of zeros.", [](const Attrs&) { return 0.0; });
  OpDef ones = filled("_ones", "A tensor of ones.", [](const Attrs&) { return 1.0; });
  OpDef full =
      filled("_full", "A tensor of `value`.", [](const Attrs& attrs) { return attrs.number("value"); });
  full.aliases = {"_npi_full"};
  full.attrs.push_back(graph::number_attr("value"));

  OpDef arange = sequence_op("_arange", arange_of, fill_sequence);
  arange.summary = "start, start + step, ... up to but excluding stop, each `repeat` times.";
  arange.attrs = {graph::number_attr("start"),
                  graph::number_attr("stop").optional_none(),
                  graph::number_attr("step", 1),
                  graph::integer_attr("repeat", 1).at_least(1),
                  graph::flag_attr("infer_range", false),
                  graph::text_attr("ctx", "").without_effect(),
                  graph::dtype_attr("dtype", "float32")};
  arange.unify = unify_arange;
  arange.leaves_open = has_open_end;
  arange.complete = complete_arange;
  arange.lower = lower_arange;

  OpDef linspace = sequence_op("_linspace", linspace_of, fill_linspace);
  linspace.aliases = {"_npi_linspace"};
  linspace.summary = "num numbers, evenly spaced from start to stop.";
  linspace.attrs = {graph::number_attr("start"),
                    graph::number_attr("stop"),
                    graph::integer_attr("num").at_least(0),
                    graph::flag_attr("endpoint", true),
                    graph::text_attr("ctx", "").without_effect(),
                    graph::dtype_attr("dtype", "float32")};

  OpDef eye;
  eye.name = "_eye";
  eye.summary = "Ones on the k-th diagonal of N rows and M columns (N if M is 0), zeros elsewhere.";
  eye.attrs = {graph::integer_attr("N").at_least(1), graph::integer_attr("M", 0).at_least(0),
               graph::integer_attr("k", 0), graph::text_attr("ctx", "").without_effect(),
               graph::dtype_attr("dtype", "float32")};
  eye.inputs = [](const Attrs&) { return PortNames{}; };
  eye.infer = [](const InferContext& context) -> std::vector<TensorType> {
    return {{dtype_of(context.attrs, "dtype"), eye_shape(context.attrs)}};
  };
  eye.lower = lower_eye;

  OpDef untyped = zeros;
  untyped.name = "_zeros_without_dtype";
  untyped.summary = "A tensor of zeros; dtype is MXNet's type number, and -1 (unspecified) means float32.";
  untyped.attrs = {graph::tuple_attr("shape", "()"), graph::text_attr("ctx", "").without_effect(),
                   graph::integer_attr("dtype", -1).at_least(-1).at_most(7)};
  untyped.infer = [](const InferContext& context) -> std::vector<TensorType> {
    const std::int64_t dtype = std::max<std::int64_t>(0, context.attrs.integer("dtype"));
    return {{static_cast<DType>(dtype), full_shape(context.attrs)}};
  };

  return {zeros, ones, full, arange, linspace, eye, untyped};
}

}  // namespace mxinfer::ops
