#include "ops/common/through_float32.h"

#include <array>
#include <memory>
#include <utility>

#include "base/checked.h"
#include "base/fail.h"
#include "kernels/elementwise/cast.h"
#include "ops/elementwise/elementwise.h"

namespace mxinfer::ops {
namespace {

constexpr std::size_t kMaxOperands = 16;
constexpr std::size_t kAlignment = 64;

TensorType widened(TensorType type) {
  if (type.dtype == DType::float16) type.dtype = DType::float32;
  return type;
}

void convert(DType from, DType to, const void* src, void* dst, std::int64_t count) {
  const kernels::CastFn cast = kernels::select_cast(element_type(from), element_type(to));
  parallel_for(count, kElementGrain, [&](std::int64_t begin, std::int64_t end) {
    const auto offset = [begin](DType dtype) { return static_cast<std::size_t>(begin) * size_of(dtype); };
    cast(static_cast<const std::byte*>(src) + offset(from), static_cast<std::byte*>(dst) + offset(to),
         end - begin);
  });
}

Tensor as_float32(const TensorView& value) {
  Tensor wide = Tensor::uninitialized(DType::float32, value.shape());
  convert(DType::float16, DType::float32, value.raw(), wide.raw(), wide.elements());
  return wide;
}

/// The node as its float32 twin. Parameters are widened when they are asked for, and live as long as this.
class AsFloat32 : public LowerContext {
 public:
  explicit AsFloat32(LowerContext& of) : of_(of), constants_(of.num_inputs()), packed_(of.num_inputs()) {
    for (std::size_t i = 0; i < of.num_inputs(); ++i) inputs_.push_back(widened(of.input(i)));
    for (std::size_t o = 0; o < of.num_outputs(); ++o) outputs_.push_back(widened(of.output(o)));
  }
  bool aliased() const { return aliased_; }
  bool is_packed(std::size_t i) const { return packed_[i]; }

  const graph::Node& node() const override { return of_.node(); }
  std::size_t num_inputs() const override { return of_.num_inputs(); }
  const TensorType& input(std::size_t i) const override { return inputs_[i]; }
  std::size_t num_outputs() const override { return of_.num_outputs(); }
  const TensorType& output(std::size_t o) const override { return outputs_[o]; }
  bool is_constant(std::size_t i) const override { return of_.is_constant(i); }
  const Tensor* constant(std::size_t i) const override {
    const Tensor* value = of_.constant(i);
    if (value == nullptr || value->dtype() != DType::float16) return value;
    if (constants_[i] == nullptr) constants_[i] = std::make_unique<Tensor>(as_float32(*value));
    return constants_[i].get();
  }
  kernels::Target target() const override { return of_.target(); }
  int threads() const override { return of_.threads(); }
  const std::byte* packed(std::size_t i, const std::string& packing, std::size_t bytes,
                          const Pack& pack) override {
    packed_[i] = true;
    const auto pack_widened = [pack](const TensorView& value, std::byte* dst) {
      if (value.dtype() != DType::float16) return pack(value, dst);
      pack(as_float32(value), dst);
    };
    return of_.packed(i, packing + " as float32", bytes, pack_widened);
  }
  void alias(std::size_t o, std::size_t i, std::size_t offset) override {
    aliased_ = true;
    of_.alias(o, i, offset / size_of(output(o).dtype) * size_of(of_.output(o).dtype));
  }
  void may_hold(std::size_t, std::size_t, std::size_t) override {}
  void may_overwrite(std::size_t, std::size_t) override {}

 private:
  LowerContext& of_;
  std::vector<TensorType> inputs_, outputs_;
  mutable std::vector<std::unique_ptr<Tensor>> constants_;
  std::vector<bool> packed_;
  bool aliased_ = false;
};

/// An operand that the float32 step finds in scratch memory instead, or where it is.
struct Operand {
  bool converted = false;
  std::int64_t count = 0;
  std::size_t offset = 0;  ///< in scratch
};

struct ConvertedStep {
  Step inner;
  std::array<Operand, kMaxOperands> inputs{}, outputs{};
  std::size_t num_inputs = 0, num_outputs = 0;

  void operator()(const RunContext& run) const {
    std::array<const void*, kMaxOperands> in{};
    std::array<void*, kMaxOperands> out{};
    for (std::size_t i = 0; i < num_inputs; ++i) {
      in[i] = run.inputs[i];
      if (!inputs[i].converted) continue;
      in[i] = run.scratch + inputs[i].offset;
      convert(DType::float16, DType::float32, run.inputs[i], run.scratch + inputs[i].offset, inputs[i].count);
    }
    for (std::size_t o = 0; o < num_outputs; ++o) {
      out[o] = outputs[o].converted ? run.scratch + outputs[o].offset : run.outputs[o];
    }
    RunContext wide = run;
    wide.inputs = in.data();
    wide.outputs = out.data();
    inner.run(wide);
    for (std::size_t o = 0; o < num_outputs; ++o) {
      if (outputs[o].converted) {
        convert(DType::float32, DType::float16, out[o], run.outputs[o], outputs[o].count);
      }
    }
  }
};

Operand place(const TensorType& type, std::size_t& bytes) {
  Operand operand;
  operand.converted = type.dtype == DType::float16;
  if (!operand.converted) return operand;
  operand.count = type.shape.elements();
  operand.offset = bytes;
  bytes +=
      (static_cast<std::size_t>(operand.count) * sizeof(float) + kAlignment - 1) / kAlignment * kAlignment;
  return operand;
}

Step lower_widened(LowerContext& context, const LowerFn& lower) {
  if (context.num_inputs() > kMaxOperands || context.num_outputs() > kMaxOperands) {
    fail(ErrorCode::unsupported, context.num_inputs(), " inputs of float16: at most ", kMaxOperands, " run");
  }
  AsFloat32 wide(context);
  Step inner = lower(wide);
  if (wide.aliased()) return inner;
  ConvertedStep converted;
  converted.num_inputs = context.num_inputs();
  converted.num_outputs = context.num_outputs();
  Step step = inner;
  step.scratch_bytes = (inner.scratch_bytes + kAlignment - 1) / kAlignment * kAlignment;
  for (std::size_t i = 0; i < context.num_inputs(); ++i) {
    if (!wide.is_packed(i)) converted.inputs[i] = place(context.input(i), step.scratch_bytes);
  }
  for (std::size_t o = 0; o < context.num_outputs(); ++o) {
    converted.outputs[o] = place(context.output(o), step.scratch_bytes);
  }
  step.reason = concat("float16 through float32", inner.reason.empty() ? "" : "; ", inner.reason);
  converted.inner = std::move(inner);
  step.run = std::move(converted);
  return step;
}

bool has_float16(const std::vector<TensorType>& types) {
  for (const TensorType& type : types) {
    if (type.dtype == DType::float16) return true;
  }
  return false;
}

}  // namespace

OpDef through_float32(OpDef op, OtherOutputs others) {
  op.infer = [infer = op.infer, others](const InferContext& context) {
    if (!has_float16(context.inputs)) return infer(context);
    std::vector<TensorType> wide;
    for (const TensorType& type : context.inputs) wide.push_back(widened(type));
    std::vector<TensorType> outputs = infer(InferContext{context.attrs, wide});
    const bool half = context.dtype(0) == DType::float16;
    for (std::size_t o = 0; o < outputs.size(); ++o) {
      const bool narrow = half && (o == 0 || others == OtherOutputs::float16);
      if (narrow && outputs[o].dtype == DType::float32) outputs[o].dtype = DType::float16;
    }
    return outputs;
  };
  op.lower = [lower = op.lower](LowerContext& context) {
    std::vector<TensorType> types;
    for (std::size_t i = 0; i < context.num_inputs(); ++i) types.push_back(context.input(i));
    return has_float16(types) ? lower_widened(context, lower) : lower(context);
  };
  return op;
}

}  // namespace mxinfer::ops
