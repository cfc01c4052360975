// cast_storage, _sparse_retain, _contrib_getnnz: operators on sparse arrays. Arrays are dense here (sparse
// parameters are filled up with zeros when they are loaded), so these work on the values.
#include <cstring>

#include "base/fail.h"
#include "kernels/check/check.h"
#include "kernels/scatter/scatter.h"
#include "ops/common/axes.h"
#include "ops/common/indices.h"
#include "ops/elementwise/elementwise.h"

namespace mxinfer::ops {
namespace {

OpDef cast_storage_op() {
  OpDef op;
  op.name = "cast_storage";
  op.aliases = {"_sparse_cast_storage"};
  op.summary = "The input: every array is dense here, and stype is ignored.";
  op.attrs = {graph::choice_attr("stype", {"csr", "default", "row_sparse"}).without_effect()};
  op.op_class = OpClass::identity;
  op.infer = infer_same;
  op.lower = lower_identity;
  return op;
}

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
  Step step;
  step.kernel = "retain_rows [ref]";
  step.reason = "moves elements only";
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

OpDef retain_op() {
  OpDef op;
  op.name = "_sparse_retain";
  op.summary = "Rows `indices` of data; the others become 0.";
  op.inputs = [](const Attrs&) { return PortNames{{"data", "indices"}}; };
  op.infer = infer_retain;
  op.lower = lower_retain;
  return op;
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
  Step step;
  step.kernel = concat("count_nonzero_ref_", to_string(data.dtype), " [ref]");
  step.reason = "one pass over the input";
  step.run = [=](const RunContext& run) { count(run.inputs[0], rows, n, run.output<std::int64_t>(0)); };
  return step;
}

OpDef getnnz_op() {
  OpDef op;
  op.name = "_contrib_getnnz";
  op.summary =
      "The number of elements of a matrix, or with axis=1 of each row, that are not 0, as int64 (MXNet "
      "counts the stored ones).";
  op.attrs = {graph::integer_attr("axis").optional_none()};
  op.infer = infer_getnnz;
  op.lower = lower_getnnz;
  return op;
}

}  // namespace

std::vector<OpDef> sparse_storage_ops() {
  return {cast_storage_op(), retain_op(), getnnz_op()};
}

}  // namespace mxinfer::ops
