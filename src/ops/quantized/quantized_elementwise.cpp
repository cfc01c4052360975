// _contrib_quantized_elemwise_add and _contrib_quantized_elemwise_mul.
#include <cmath>

#include "ops/quantized/elements.h"
#include "ops/unify.h"

namespace mxinfer::ops {
namespace {

void expect_pair(const InferContext& context) {
  expect_8bit(context, 0, "lhs");
  expect_8bit(context, 1, "rhs");
  if (context.shape(0) != context.shape(1)) {
    fail(ErrorCode::invalid_argument, "lhs is ", to_string(context.inputs[0]), " and rhs ",
         to_string(context.inputs[1]), "; expected the same shape");
  }
  expect_ranges(context, 2, 4);
}

std::vector<TensorType> infer_add(const InferContext& context) {
  expect_pair(context);
  DType dtype = DType::int32;
  if (calibrated_range(context.attrs))
    dtype = context.dtype(0) == context.dtype(1) ? context.dtype(0) : DType::int8;
  return with_range({dtype, context.shape(0)});
}

/// dst = round(a * a_factor + b * b_factor). Of int8 and uint8 values, MXNet first rounds the latter to int8
/// in the range of the sum.
struct Addition {
  float a_factor = 0, b_factor = 0;
  bool rounds_a = false, rounds_b = false;

  static float term(float x, float factor, bool rounds) {
    return rounds ? static_cast<float>(kernels::saturate<std::int8_t>(x * factor)) : x * factor;
  }
  template <typename A, typename B, typename To>
  void run(const A* a, const B* b, To* dst, std::int64_t count) const {
    parallel_for(count, kQuantizedGrain, [=, *this](std::int64_t begin, std::int64_t end) {
      for (std::int64_t i = begin; i < end; ++i) {
        dst[i] = kernels::saturate<To>(term(static_cast<float>(a[i]), a_factor, rounds_a) +
                                       term(static_cast<float>(b[i]), b_factor, rounds_b));
      }
    });
  }
};

template <typename A, typename B>
void add(const RunContext& run, const Addition& addition, DType made, std::int64_t count) {
  const A* a = run.input<A>(0);
  const B* b = run.input<B>(1);
  if (made == DType::int32) return addition.run(a, b, run.output<std::int32_t>(0), count);
  with_8bit(made, [&](auto* type) {
    using T = std::remove_pointer_t<decltype(type)>;
    addition.run(a, b, run.output<T>(0), count);
  });
}

Step lower_add(LowerContext& context) {
  const DType a = context.input(0).dtype, b = context.input(1).dtype, made = context.output(0).dtype;
  const auto calibrated = calibrated_range(context.attrs());
  const std::int64_t count = context.input(0).shape.elements();
  Step step{.kernel = ref_kernel("quantized_add", made)};
  step.run = [=](const RunContext& run) {
    const ValueRange of_a = range_at(run, 2), of_b = range_at(run, 4);
    const float sum = of_a.largest() + of_b.largest();
    const ValueRange range = calibrated ? *calibrated : ValueRange{-sum, sum};
    Addition addition;
    if (calibrated) {
      const float scale = plain_scale(made, range);
      addition = {scale / plain_scale(a, of_a), scale / plain_scale(b, of_b)};
    } else {
      addition = {of_a.largest() * kInt32Range / (sum * quantized_range(a)),
                  of_b.largest() * kInt32Range / (sum * quantized_range(b))};
    }
    addition.rounds_a = a != b && a == DType::uint8;
    addition.rounds_b = a != b && b == DType::uint8;
    with_8bit(a, [&](auto* left) {
      with_8bit(b, [&](auto* right) {
        using A = std::remove_pointer_t<decltype(left)>;
        using B = std::remove_pointer_t<decltype(right)>;
        add<A, B>(run, addition, made, count);
      });
    });
    write_range(run, 1, range);
  };
  return step;
}

bool gives_float(const Attrs& attrs) {
  return attrs.flag("enable_float_output");
}

std::vector<TensorType> infer_mul(const InferContext& context) {
  expect_pair(context);
  if (context.dtype(0) != DType::int8 || context.dtype(1) != DType::int8) {
    fail(ErrorCode::invalid_argument, "lhs is ", to_string(context.inputs[0]), " and rhs ",
         to_string(context.inputs[1]), "; expected int8, the only dtype that MXNet multiplies");
  }
  if (gives_float(context.attrs)) return {{DType::float32, context.shape(0)}};
  return with_range({calibrated_range(context.attrs) ? DType::int8 : DType::int32, context.shape(0)});
}

/// Products are cut off, not rounded, and wrap around, as in MXNet.
template <typename To>
void multiply(const RunContext& run, float factor, std::int64_t count) {
  const auto* a = run.input<std::int8_t>(0);
  const auto* b = run.input<std::int8_t>(1);
  To* dst = run.output<To>(0);
  parallel_for(count, kQuantizedGrain, [=](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) {
      const float x = static_cast<float>(a[i] * b[i]) * factor;
      if constexpr (std::is_same_v<To, float>) {
        dst[i] = x;
      } else {
        dst[i] = static_cast<To>(kernels::saturate<std::int32_t>(std::trunc(x)));
      }
    }
  });
}

Step lower_mul(LowerContext& context) {
  const auto calibrated = calibrated_range(context.attrs());
  const bool to_float = gives_float(context.attrs());
  const std::int64_t count = context.input(0).shape.elements();
  Step step{.kernel = ref_kernel("quantized_mul", context.output(0).dtype)};
  step.run = [=](const RunContext& run) {
    const ValueRange a = range_at(run, 2), b = range_at(run, 4);
    const float of_a = plain_scale(DType::int8, a), of_b = plain_scale(DType::int8, b);
    if (to_float) return multiply<float>(run, 1.0F / of_a / of_b, count);
    if (!calibrated) {
      multiply<std::int32_t>(run, 1.0F, count);
      return write_range(run, 1, product_range(a.largest() / 127.0F, b.largest() / 127.0F));
    }
    multiply<std::int8_t>(run, plain_scale(DType::int8, *calibrated) / of_a / of_b, count);
    write_range(run, 1, *calibrated);
  };
  return step;
}

OpDef pair_op(std::string name, std::string summary) {
  OpDef op{.name = std::move(name), .summary = std::move(summary), .attrs = calibration_attrs()};
  op.inputs = named_ports({"lhs", "rhs", "lhs_min", "lhs_max", "rhs_min", "rhs_max"});
  op.outputs = ports_with_range();
  op.traits.keeps_shape = true;
  op.traits.channels_last = [](LayoutRewriter& rewriter, std::size_t id) {
    return values_layout(rewriter, id, 2);
  };
  op.unify = unify_first;
  return op;
}

}  // namespace

std::vector<OpDef> quantized_elementwise_ops() {
  OpDef sum = pair_op("_contrib_quantized_elemwise_add",
                      "The sum of 8-bit values as int32, or 8-bit in a calibrated range; then the range.");
  sum.infer = infer_add;
  sum.lower = lower_add;

  OpDef product = pair_op("_contrib_quantized_elemwise_mul",
                          "The product of int8 values as int32, int8 in a calibrated range, or float32.");
  product.attrs.push_back(flag_attr("enable_float_output", false));
  product.outputs = [](const Attrs& attrs) {
    return gives_float(attrs) ? PortNames{{"output"}} : ports_with_range()(attrs);
  };
  product.infer = infer_mul;
  product.lower = lower_mul;
  return {std::move(sum), std::move(product)};
}

}  // namespace mxinfer::ops
