// Index inputs of any dtype, read as int64: floats are cut towards zero as MXNet does.
#pragma once

#include "kernels/elementwise/cast.h"
#include "ops/elementwise/elementwise.h"

namespace mxinfer::ops {

/// One input of indices (or lengths) of an operator.
class IndexInput {
 public:
  IndexInput() = default;
  IndexInput(LowerContext& context, std::size_t input)
      : input_(input), count_(context.input(input).shape.elements()) {
    const DType dtype = context.input(input).dtype;
    if (dtype == DType::int64) return;
    cast_ = kernels::select_cast(element_type(dtype), kernels::ElementType::int64);
    if (cast_ == nullptr) fail(ErrorCode::unsupported, "indices of ", to_string(dtype));
  }

  std::int64_t count() const { return count_; }
  /// What Step::scratch_bytes needs for read().
  std::size_t scratch_bytes() const {
    return cast_ == nullptr ? 0 : static_cast<std::size_t>(count_) * sizeof(std::int64_t);
  }
  /// The indices, valid during the run; they use the first scratch_bytes() of the scratch memory.
  const std::int64_t* read(const RunContext& context) const {
    if (cast_ == nullptr) return context.input<std::int64_t>(input_);
    auto* indices = reinterpret_cast<std::int64_t*>(context.scratch);
    cast_(context.inputs[input_], indices, count_);
    return indices;
  }

 private:
  std::size_t input_ = 0;
  std::int64_t count_ = 0;
  kernels::CastFn cast_ = nullptr;
};

}  // namespace mxinfer::ops
