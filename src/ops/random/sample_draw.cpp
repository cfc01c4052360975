// Operators that draw from distributions whose parameters are tensors: _sample_uniform and its kin draw a
// block of numbers for each element of their parameters, _sample_multinomial draws places by probabilities.
// _shuffle draws an order of rows.
#include <algorithm>
#include <cstring>
#include <numeric>

#include "kernels/elementwise/cast.h"
#include "ops/elementwise/elementwise.h"
#include "ops/random/draws.h"

namespace mxinfer::ops {
namespace {

struct SampleEntry {
  const char* distribution;
  std::vector<std::string> parameters;
};

const std::vector<SampleEntry>& sample_entries() {
  static const auto& entries = *new std::vector<SampleEntry>{
      {"uniform", {"low", "high"}},
      {"normal", {"mu", "sigma"}},
      {"gamma", {"alpha", "beta"}},
      {"exponential", {"lam"}},
      {"poisson", {"lam"}},
      {"negative_binomial", {"k", "p"}},
      {"generalized_negative_binomial", {"mu", "alpha"}},
  };
  return entries;
}

std::vector<TensorType> infer_sample(const InferContext& context) {
  const TensorType& first = context.inputs[0];
  for (const TensorType& other : context.inputs) {
    widening_cast(other.dtype);
    if (!(other.shape == first.shape)) {
      fail(ErrorCode::invalid_argument, "the parameters have the shapes ", to_string(first.shape), " and ",
           to_string(other.shape), ": expected the same shape");
    }
  }
  Shape shape = first.shape;
  for (const std::int64_t size : drawn_shape(context.attrs, "shape")) shape.push_back(size);
  const bool given = context.attrs.has("dtype");
  const bool floating = first.dtype == DType::float16 || first.dtype == DType::float64;
  return {{given ? context.attrs.dtype("dtype") : floating ? first.dtype : DType::float32, shape}};
}

OpDef make_sample(const SampleEntry& entry) {
  const std::string name = concat("sample_", entry.distribution);
  OpDef op{.name = "_" + name, .aliases = {name}};
  op.summary = concat("Draws numbers of the ", entry.distribution,
                      " distribution, a block of the given shape for each element of the parameters.");
  op.attrs = {tuple_attr("shape", "()").optional_none(),
              choice_attr("dtype", {"float16", "float32", "float64"}, "None").optional_none()};
  op.traits.draws_random_numbers = true;
  op.inputs = named_ports(entry.parameters);
  op.infer = infer_sample;
  op.lower = [entry](LowerContext& context) {
    std::vector<DrawParameter> parameters;
    for (std::size_t i = 0; i < context.num_inputs(); ++i) {
      parameters.push_back({.input = static_cast<int>(i),
                            .strides = leading_strides(context.input(i).shape, context.output(0).shape)});
    }
    return draw_step(context, find_distribution(entry.distribution), parameters);
  };
  return op;
}

std::vector<TensorType> infer_places(const InferContext& context) {
  const TensorType& data = context.inputs[0];
  if (data.shape.empty() || data.shape.back() == 0) {
    fail(ErrorCode::invalid_argument, "data has the shape ", to_string(data.shape),
         ": expected (..., k), with k probabilities");
  }
  Shape shape = data.shape;
  shape.erase(shape.rank() - 1);
  for (const std::int64_t size : drawn_shape(context.attrs, "shape")) shape.push_back(size);
  if (shape.empty() && !context.attrs.given(kNumpyShape)) shape.push_back(1);
  widening_cast(data.dtype);
  std::vector<TensorType> outputs{{context.attrs.dtype("dtype"), shape}};
  if (context.attrs.flag("get_prob")) outputs.push_back({data.dtype, shape});
  return outputs;
}

Step lower_places(LowerContext& context) {
  const TensorType& data = context.input(0);
  const std::int64_t width = data.shape.back(), elements = data.shape.elements();
  const std::int64_t rows = elements / width, count = context.output(0).shape.elements();
  const auto wide = kernels::ElementType::float64;
  const kernels::CastFn widen = widening_cast(data.dtype);
  const kernels::CastFn narrow = kernels::select_cast(wide, element_type(context.output(0).dtype));
  const kernels::CastFn narrow_logs = kernels::select_cast(wide, element_type(data.dtype));
  const bool has_logs = context.num_outputs() > 1;
  Step step{.kernel = "draw_places_ref [ref]"};
  step.scratch_bytes = static_cast<std::size_t>(elements + 2 * count) * sizeof(double);
  step.run = [=, source = RandomSource(context)](const RunContext& run) {
    auto* probabilities = reinterpret_cast<double*>(run.scratch);
    double *places = probabilities + elements, *logs = places + count;
    widen(run.inputs[0], probabilities, elements);
    const std::uint64_t key = source.next_run();
    for (std::int64_t i = 0; i < count; ++i) {
      const double* row = probabilities + i / (count / rows) * width;
      RandomDraws draws = RandomSource::draws(key, i);
      const std::int64_t place = draw_place(draws, row, width);
      places[i] = static_cast<double>(place);
      logs[i] = std::log(row[place]);
    }
    narrow(places, run.outputs[0], count);
    if (has_logs) narrow_logs(logs, run.outputs[1], count);
  };
  return step;
}

OpDef make_places() {
  OpDef op{.name = "_sample_multinomial", .aliases = {"sample_multinomial"}};
  op.summary = "Draws indices by the probabilities in the last dimension of data.";
  op.attrs = {tuple_attr("shape", "()").optional_none(), flag_attr("get_prob", false),
              choice_attr("dtype", {"float16", "float32", "float64", "int32", "uint8"}, "int32")};
  op.traits.draws_random_numbers = true;
  op.outputs = [](const Attrs& attrs) {
    PortNames ports{{"output"}};
    if (attrs.flag("get_prob")) ports.names = {"output0", "output1"};
    return ports;
  };
  op.infer = infer_places;
  op.lower = lower_places;
  return op;
}

Step lower_shuffle(LowerContext& context) {
  const TensorType& data = context.input(0);
  const std::int64_t rows = data.shape.empty() ? 1 : data.shape[0];
  const auto row_bytes =
      static_cast<std::size_t>(data.shape.elements() / std::max<std::int64_t>(1, rows)) * size_of(data.dtype);
  Step step{.kernel = "shuffle_rows_ref [ref]"};
  step.scratch_bytes = static_cast<std::size_t>(rows) * sizeof(std::int64_t);
  step.run = [=, source = RandomSource(context)](const RunContext& run) {
    auto* order = reinterpret_cast<std::int64_t*>(run.scratch);
    std::iota(order, order + rows, 0);
    RandomDraws draws = RandomSource::draws(source.next_run(), 0);
    for (std::int64_t i = rows - 1; i > 0; --i) std::swap(order[i], order[draws.below(i + 1)]);
    for (std::int64_t i = 0; i < rows; ++i) {
      std::memcpy(run.output<std::byte>(0) + static_cast<std::size_t>(i) * row_bytes,
                  run.input<std::byte>(0) + static_cast<std::size_t>(order[i]) * row_bytes, row_bytes);
    }
  };
  return step;
}

OpDef make_shuffle() {
  OpDef op{.name = "_shuffle", .aliases = {"_npi_shuffle", "shuffle"}};
  op.summary = "Puts the rows of data (along dimension 0) into a random order.";
  op.traits.draws_random_numbers = true;
  op.traits.keeps_shape = true;
  op.infer = [](const InferContext& context) -> std::vector<TensorType> { return {context.inputs[0]}; };
  op.unify = unify_first;
  op.lower = lower_shuffle;
  return op;
}

}  // namespace

std::vector<OpDef> sample_draw_ops() {
  std::vector<OpDef> ops{make_places(), make_shuffle()};
  for (const SampleEntry& entry : sample_entries()) ops.push_back(make_sample(entry));
  return ops;
}

}  // namespace mxinfer::ops
