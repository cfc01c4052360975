// _contrib_fft, _contrib_ifft and _contrib_count_sketch: what compact bilinear pooling is made of. MXNet has
// them on GPUs alone.
#include "kernels/fourier/fourier.h"

#include "ops/elementwise/indices.h"
#include "ops/nn/convolution/conv_params.h"

namespace mxinfer::ops {
namespace {

constexpr std::int64_t kFourierElements = 1 << 12;

std::int64_t transform_grain(std::int64_t row) {
  return piece_grain(kFourierElements, row);
}

void expect_rows(const InferContext& context) {
  expect_float_inputs(context);
  const Shape& data = context.shape(0);
  if ((data.rank() != 2 && data.rank() != 4) || data.back() < 1) {
    fail(ErrorCode::invalid_argument, "data has shape ", to_string(data), ": expected 2 or 4 dimensions");
  }
}

std::vector<TensorType> infer_transform(const InferContext& context, bool inverse) {
  expect_rows(context);
  Shape shape = context.shape(0);
  const std::size_t last = shape.rank() - 1;
  const auto doubled = checked_mul(shape[last], 2);
  if (inverse ? shape[last] % 2 != 0 : !doubled) {
    fail(
        ErrorCode::invalid_argument, "data has shape ", to_string(shape),
        inverse ? ": expected pairs in its last dimension, real and imaginary parts" : " which is too large");
  }
  shape[last] = inverse ? shape[last] / 2 : *doubled;
  return {{context.dtype(0), shape}};
}

template <typename T>
Step transform_step(const Shape& data, bool inverse) {
  const std::int64_t n = inverse ? data.back() / 2 : data.back();
  const std::int64_t rows = data.elements(0, data.rank() - 1);
  Step step{.thread_scratch_bytes = static_cast<std::size_t>(kernels::fourier_scratch_elements(n)) *
                                    sizeof(std::complex<double>)};
  step.run = [=](const RunContext& run) {
    parallel_for(rows, transform_grain(n), [&](std::int64_t begin, std::int64_t end) {
      auto* scratch = reinterpret_cast<std::complex<double>*>(run.my_scratch());
      const auto kernel = inverse ? kernels::fourier_inverse<T> : kernels::fourier_forward<T>;
      kernel(run.input<T>(0), run.output<T>(0), n, scratch, begin, end);
    });
  };
  return step;
}

OpDef transform(std::string name, std::string summary, bool inverse) {
  OpDef op{.name = std::move(name), .summary = std::move(summary)};
  op.attrs = {integer_attr("compute_size", 128).without_effect()};
  op.infer = [inverse](const InferContext& context) { return infer_transform(context, inverse); };
  op.lower = [inverse](LowerContext& context) {
    const TensorType& data = context.input(0);
    Step step = data.dtype == DType::float64 ? transform_step<double>(data.shape, inverse)
                                             : transform_step<float>(data.shape, inverse);
    step.kernel =
        concat(inverse ? "fourier_inverse_ref_" : "fourier_forward_ref_", to_string(data.dtype), " [ref]");
    step.reason = "computed in double";
    return step;
  };
  return op;
}

std::vector<TensorType> infer_sketch(const InferContext& context) {
  expect_rows(context);
  Shape shape = context.shape(0);
  const Shape vector{1, shape.back()};
  expect_shape(context, 1, "h", vector, "one place for each element of a row of data");
  expect_shape(context, 2, "s", vector, "one factor for each element of a row of data");
  shape[shape.rank() - 1] = context.attrs.integer("out_dim");
  return {{context.dtype(0), shape}};
}

template <typename T>
Step sketch_step(LowerContext& context) {
  const Shape& data = context.input(0).shape;
  const std::int64_t n = data.back(), m = context.output(0).shape.back();
  const std::int64_t rows = data.elements(0, data.rank() - 1);
  const IndexInput places(context, 1);
  Step step{.scratch_bytes = places.scratch_bytes()};
  step.run = [=](const RunContext& run) {
    const std::int64_t* h = places.read(run);
    for (std::int64_t i = 0; i < n; ++i) {
      if (h[i] < 0 || h[i] >= m) {
        fail(ErrorCode::invalid_argument, "h holds ", h[i], " at position ", i, ": expected 0 to ", m - 1);
      }
    }
    parallel_for(rows, transform_grain(n), [&](std::int64_t begin, std::int64_t end) {
      kernels::count_sketch(run.input<T>(0), h, run.input<T>(2), run.output<T>(0), n, m, begin, end);
    });
  };
  return step;
}

Step lower_sketch(LowerContext& context) {
  const DType dtype = context.input(0).dtype;
  Step step = dtype == DType::float64 ? sketch_step<double>(context) : sketch_step<float>(context);
  step.kernel = ref_kernel("count_sketch", dtype);
  return step;
}

}  // namespace

std::vector<OpDef> fourier_ops() {
  return {
      transform("_contrib_fft",
                "The Fourier transform of the last dimension, as adjacent pairs of real and imaginary parts.",
                false),
      transform("_contrib_ifft",
                "The real part of the inverse Fourier transform of pairs in the last dimension, n times too "
                "large, as cuFFT gives it.",
                true),
      {.name = "_contrib_count_sketch",
       .summary = "out[..., j] is the sum of s[i] * data[..., i] over all i with h[i] = j; h[i] outside "
                  "out_dim is an error.",
       .attrs = {integer_attr("out_dim").at_least(1),
                 integer_attr("processing_batch_size", 32).without_effect()},
       .inputs = named_ports({"data", "h", "s"}),
       .infer = infer_sketch,
       .lower = lower_sketch},
  };
}

}  // namespace mxinfer::ops
