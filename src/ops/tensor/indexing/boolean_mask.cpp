// _contrib_boolean_mask: the rows whose mask is not 0. How many they are depends on the mask, so a plan holds
// _mxinfer_boolean_mask instead, whose output has room for all rows and which says how many there are
// (passes/bind/cut_at_data.h).
#include "base/fail.h"
#include "kernels/elementwise/cast.h"
#include "kernels/take/compress.h"
#include "ops/elementwise/elementwise.h"
#include "ops/op_def.h"

namespace mxinfer::ops {
namespace {

// The type with all rows kept.
TensorType check_mask(const InferContext& context) {
  const Shape& data = context.shape(0);
  const Shape& index = context.shape(1);
  if (context.attrs.integer("axis") != 0) {
    fail(ErrorCode::unsupported, "axis=", context.attrs.integer("axis"),
         ": MXNet's boolean_mask takes axis 0 only");
  }
  if (data.rank() == 0 || index.rank() != 1 || index[0] != data[0]) {
    fail(ErrorCode::invalid_argument, "index has shape ", to_string(index), ", data ", to_string(data),
         "; index needs one element for each row of data");
  }
  return context.inputs[0];
}

Step lower_bounded(LowerContext& context) {
  const Shape& data = context.input(0).shape;
  const std::int64_t rows = data[0];
  const std::size_t row_bytes =
      static_cast<std::size_t>(data.elements(1, data.rank())) * size_of(context.input(0).dtype);
  const kernels::CastFn to_bool =
      kernels::select_cast(element_type(context.input(1).dtype), kernels::ElementType::boolean);
  if (to_bool == nullptr) fail(ErrorCode::unsupported, "a mask of ", to_string(context.input(1).dtype));
  Step step;
  step.kernel = "compress_rows [ref]";
  step.reason = "moves elements only";
  step.scratch_bytes = static_cast<std::size_t>(rows) * sizeof(bool);
  step.run = [=](const RunContext& run) {
    auto* keep = reinterpret_cast<bool*>(run.scratch);
    to_bool(run.inputs[1], keep, rows);
    run.output<std::int64_t>(1)[0] =
        kernels::compress_rows(keep, rows, row_bytes, run.input<std::byte>(0), run.output<std::byte>(0));
  };
  return step;
}

PortNames mask_ports(const Attrs&) {
  return {{"data", "index"}};
}

}  // namespace

std::vector<OpDef> boolean_mask_ops() {
  OpDef mask;
  mask.name = "_contrib_boolean_mask";
  mask.aliases = {"_npi_boolean_mask"};
  mask.summary =
      "The rows of data for which index is not 0. The graph is cut behind this operator, and the rest is "
      "planned once the number of rows is known.";
  mask.attrs = {graph::integer_attr("axis", 0)};
  mask.inputs = mask_ports;
  mask.bounded_form = "_mxinfer_boolean_mask";
  mask.infer = [](const InferContext& context) -> std::vector<TensorType> { return {check_mask(context)}; };
  mask.lower = [](LowerContext&) -> Step {
    fail(ErrorCode::internal, "the size of its output depends on data, and the graph was not cut behind it");
  };

  OpDef bounded = mask;
  bounded.name = "_mxinfer_boolean_mask";
  bounded.aliases = {};
  bounded.made_by_passes = true;
  bounded.summary = "_contrib_boolean_mask with room for all rows, and the number of rows.";
  bounded.bounded_form = nullptr;
  bounded.outputs = [](const Attrs&) { return PortNames{{"output", "rows"}}; };
  bounded.infer = [](const InferContext& context) -> std::vector<TensorType> {
    return {check_mask(context), {DType::int64, Shape{1}}};
  };
  bounded.lower = lower_bounded;
  return {std::move(mask), std::move(bounded)};
}

}  // namespace mxinfer::ops
