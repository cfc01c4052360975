// cast_storage, _sparse_retain, _contrib_getnnz: operators on sparse arrays. Arrays are dense here (sparse
// parameters are filled up with zeros when they are loaded), so these work on the values.
// _contrib_boolean_mask: the rows whose mask is not 0. How many they are depends on the mask, so a plan holds
// _mxinfer_boolean_mask instead (ops/common/open_sizes.h).
#include <cstring>

#include "kernels/check/check.h"
#include "kernels/elementwise/cast.h"
#include "kernels/scatter/scatter.h"
#include "kernels/take/compress.h"
#include "ops/common/axes.h"
#include "ops/common/open_sizes.h"
#include "ops/elementwise/elementwise.h"
#include "ops/elementwise/indices.h"

namespace mxinfer::ops {
namespace {

std::vector<TensorType> infer_retain(const InferContext& context) {
  require_rank_at_least(context.shape(0), 1);
  if (context.shape(1).rank() != 1) {
    fail(ErrorCode::invalid_argument, "indices has the shape ", to_string(context.shape(1)),
         ": expected one dimension");
  }
  return {context.inputs[0]};
}

Step lower_retain(LowerContext& context) {
  const TensorType& data = context.input(0);
  const IndexInput index(context, 1);
  const std::size_t bytes = bytes_of(data);
  const std::int64_t rows = data.shape[0];
  const std::size_t row_bytes = rows == 0 ? 0 : bytes / static_cast<std::size_t>(rows);
  Step step{.kernel = "retain_rows [ref]", .reason = "moves elements only"};
  step.scratch_bytes = index.scratch_bytes();
  step.run = [=](const RunContext& run) {
    const std::int64_t* kept = index.read(run);
    auto* dst = run.output<std::byte>(0);
    if (bytes == 0) return;
    std::memset(dst, 0, bytes);
    for (std::int64_t k = 0; k < index.count(); ++k) {
      if (kept[k] < 0 || kept[k] >= rows) continue;
      const std::size_t at = static_cast<std::size_t>(kept[k]) * row_bytes;
      std::memcpy(dst + at, run.input<std::byte>(0) + at, row_bytes);
    }
  };
  return step;
}

std::vector<TensorType> infer_getnnz(const InferContext& context) {
  const Shape& data = context.shape(0);
  if (data.rank() != 2)
    fail(ErrorCode::invalid_argument, "data has the shape ", to_string(data), ": expected a matrix");
  if (!context.attrs.has("axis")) return {{DType::int64, Shape{1}}};
  if (context.attrs.integer("axis") != 1)
    fail(ErrorCode::unsupported, "axis=", context.attrs.integer("axis"), ": MXNet has None and 1");
  return {{DType::int64, Shape{data[0]}}};
}

Step lower_getnnz(LowerContext& context) {
  const TensorType& data = context.input(0);
  const auto count = kernels::select_count_nonzero(element_type(data.dtype));
  if (count == nullptr) fail(ErrorCode::unsupported, "an input of ", to_string(data.dtype));
  const std::int64_t rows = context.output(0).shape[0];
  const std::int64_t n = rows == 0 ? 0 : data.shape.elements() / rows;
  Step step{.kernel = ref_kernel("count_nonzero", data.dtype), .reason = "one pass over the input"};
  step.run = [=](const RunContext& run) { count(run.inputs[0], rows, n, run.output<std::int64_t>(0)); };
  return step;
}

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
  const Shape data = context.input(0).shape;
  const std::int64_t rows = data[0];
  const std::size_t row_bytes =
      static_cast<std::size_t>(data.elements(1, data.rank())) * size_of(context.input(0).dtype);
  const kernels::CastFn to_bool =
      kernels::select_cast(element_type(context.input(1).dtype), kernels::ElementType::boolean);
  if (to_bool == nullptr) fail(ErrorCode::unsupported, "a mask of ", to_string(context.input(1).dtype));
  Step step{.kernel = "compress_rows [ref]", .reason = "moves elements only"};
  step.scratch_bytes = static_cast<std::size_t>(rows) * sizeof(bool);
  step.run = [=](const RunContext& run) {
    auto* keep = reinterpret_cast<bool*>(run.scratch);
    to_bool(run.inputs[1], keep, rows);
    Shape kept = data;
    kept[0] =
        kernels::compress_rows(keep, rows, row_bytes, run.input<std::byte>(0), run.output<std::byte>(0));
    set_sizes(run.output<std::int64_t>(1), 0, kept);
  };
  return step;
}

PortNames mask_ports(const Attrs&) {
  return {{"data", "index"}};
}

}  // namespace

std::vector<OpDef> sparse_storage_ops() {
  return {
      {.name = "cast_storage",
       .aliases = {"_sparse_cast_storage"},
       .summary = "The input: every array is dense here, and stype is ignored.",
       .attrs = {choice_attr("stype", {"csr", "default", "row_sparse"}).without_effect()},
       .op_class = OpClass::identity,
       .infer = infer_same,
       .lower = lower_identity},
      {.name = "_sparse_retain",
       .summary = "Rows `indices` of data; the others become 0.",
       .inputs = named_ports({"data", "indices"}),
       .infer = infer_retain,
       .lower = lower_retain},
      {.name = "_contrib_getnnz",
       .summary = "The number of elements of a matrix, or with axis=1 of each row, that are not 0, as int64 "
                  "(MXNet counts the stored ones).",
       .attrs = {integer_attr("axis").optional_none()},
       .infer = infer_getnnz,
       .lower = lower_getnnz},
  };
}

std::vector<OpDef> boolean_mask_ops() {
  OpDef mask{.name = "_contrib_boolean_mask", .aliases = {"_npi_boolean_mask"}};
  mask.summary =
      "The rows of data for which index is not 0. The graph is cut after this operator, and the rest is "
      "planned once the number of rows is known.";
  mask.attrs = {integer_attr("axis", 0)};
  mask.inputs = mask_ports;
  mask.infer = [](const InferContext& context) -> std::vector<TensorType> { return {check_mask(context)}; };
  return open_and_bounded(std::move(mask), "_mxinfer_boolean_mask", lower_bounded);
}

}  // namespace mxinfer::ops
