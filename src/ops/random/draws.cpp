#include "ops/random/draws.h"

#include <algorithm>
#include <numeric>

#include "kernels/elementwise/cast.h"
#include "ops/elementwise/elementwise.h"

namespace mxinfer::ops {
namespace {

std::vector<std::int64_t> strides_from(const Shape& shape, const Shape& output, std::size_t skipped) {
  std::vector<std::int64_t> strides(output.rank(), 0);
  std::int64_t stride = 1;
  for (std::size_t d = shape.rank(); d-- > 0;) {
    if (shape[d] != 1) strides[skipped + d] = stride;
    stride *= shape[d];
  }
  return strides;
}

std::int64_t offset_of(const std::vector<std::int64_t>& strides, const Shape& output, std::int64_t element) {
  std::int64_t offset = 0;
  for (std::size_t d = strides.size(); d-- > 0;) {
    offset += element % output[d] * strides[d];
    element /= output[d];
  }
  return offset;
}

/// An input as double, in the scratch of the step.
struct WidenedInput {
  kernels::CastFn widen = nullptr;
  std::int64_t elements = 0;
  std::int64_t offset = 0;  ///< in doubles
};

}  // namespace

std::vector<std::int64_t> broadcast_strides(const Shape& shape, const Shape& output) {
  return strides_from(shape, output, output.rank() - shape.rank());
}

std::vector<std::int64_t> leading_strides(const Shape& shape, const Shape& output) {
  return strides_from(shape, output, 0);
}

kernels::CastFn widening_cast(DType dtype) {
  const kernels::CastFn cast = kernels::select_cast(element_type(dtype), kernels::ElementType::float64);
  if (cast == nullptr) {
    fail(ErrorCode::unsupported, "a parameter is ", to_string(dtype),
         ": expected a floating point dtype, int8, uint8, int32, int64 or bool");
  }
  return cast;
}

std::int64_t draw_place(RandomDraws& draws, const double* weights, std::int64_t count) {
  const double sum = std::accumulate(weights, weights + count, 0.0);
  double left = draws.unit() * sum;
  std::int64_t last = 0;
  for (std::int64_t i = 0; i < count; ++i) {
    if (!(weights[i] > 0)) continue;
    last = i;
    left -= weights[i];
    if (left < 0) break;
  }
  return last;
}

Shape drawn_shape(const Attrs& attrs, const char* name) {
  if (!attrs.has(name)) return {};
  const auto dims = attrs.tuple(name);
  for (const std::int64_t dim : dims) {
    if (dim < 0)
      fail(ErrorCode::malformed, name, "=", to_string(Shape(dims)), ": expected sizes of at least 0");
  }
  Shape shape(dims);
  shape.elements();  // refuses what does not fit
  return shape;
}

Step draw_step(LowerContext& context, const Distribution& distribution,
               const std::vector<DrawParameter>& parameters) {
  const TensorType& output = context.output(0);
  std::vector<WidenedInput> inputs(context.num_inputs());
  std::int64_t doubles = output.shape.elements();
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const TensorType& type = context.input(i);
    inputs[i] = {widening_cast(type.dtype), type.shape.elements(), doubles};
    doubles += inputs[i].elements;
  }
  const kernels::CastFn narrow =
      kernels::select_cast(kernels::ElementType::float64, element_type(output.dtype));
  Step step{.kernel = concat("draw_", distribution.name, "_ref [ref]")};
  step.reason = "in double, one number at a time";
  step.scratch_bytes = static_cast<std::size_t>(doubles) * sizeof(double);
  step.run = [=, source = RandomSource(context), draw = distribution.draw,
              shape = output.shape](const RunContext& run) {
    auto* numbers = reinterpret_cast<double*>(run.scratch);
    for (std::size_t i = 0; i < inputs.size(); ++i)
      inputs[i].widen(run.inputs[i], numbers + inputs[i].offset, inputs[i].elements);
    const std::uint64_t key = source.next_run();
    const auto value_of = [&](std::size_t p, std::int64_t element) {
      if (p >= parameters.size()) return 0.0;
      const DrawParameter& parameter = parameters[p];
      if (parameter.input < 0) return parameter.value;
      return numbers[inputs[static_cast<std::size_t>(parameter.input)].offset +
                     offset_of(parameter.strides, shape, element)];
    };
    const std::int64_t count = shape.elements();
    parallel_for(count, 256, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t i = begin; i < end; ++i) {
        RandomDraws draws = RandomSource::draws(key, i);
        numbers[i] = draw(draws, value_of(0, i), value_of(1, i));
      }
    });
    narrow(numbers, run.outputs[0], count);
  };
  return step;
}

}  // namespace mxinfer::ops
