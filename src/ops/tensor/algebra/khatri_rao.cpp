// khatri_rao: the column by column Kronecker product of several matrices.
#include "kernels/linalg/khatri_rao.h"

#include <algorithm>
#include <cstring>

#include "base/checked.h"
#include "base/fail.h"
#include "ops/common/axes.h"
#include "ops/elementwise/elementwise.h"

namespace mxinfer::ops {
namespace {

std::vector<TensorType> infer_khatri_rao(const InferContext& context) {
  if (context.count() == 0) fail(ErrorCode::malformed, "it has no inputs");
  std::int64_t rows = 1;
  for (std::size_t i = 0; i < context.count(); ++i) {
    const TensorType& matrix = context.inputs[i];
    require_float(matrix.dtype);
    if (matrix.dtype != context.dtype(0) || matrix.shape.rank() != 2 ||
        matrix.shape[1] != context.shape(0)[1]) {
      fail(ErrorCode::invalid_argument, "input ", i, " is ", to_string(matrix), " and input 0 ",
           to_string(context.inputs[0]), ": expected matrices of one dtype with as many columns");
    }
    const auto product = checked_mul(rows, matrix.shape[0]);
    if (!product) fail(ErrorCode::invalid_argument, "the product has too many rows");
    rows = *product;
  }
  return {{context.dtype(0), Shape{rows, context.shape(0)[1]}}};
}

/// Products of the first two, three, ... inputs, written to scratch and to the output in turn.
template <typename T>
Step khatri_rao_step(LowerContext& context) {
  std::vector<std::int64_t> rows;
  for (std::size_t i = 0; i < context.num_inputs(); ++i) rows.push_back(context.input(i).shape[0]);
  const std::int64_t columns = context.input(0).shape[1];
  const std::int64_t elements = context.output(0).shape.elements();
  Step step;
  step.kernel = concat("khatri_rao_ref_", to_string(context.output(0).dtype), " [ref]");
  step.reason = "one multiplication an element";
  if (rows.size() > 2) step.scratch_bytes = static_cast<std::size_t>(elements) * sizeof(T);
  step.run = [=](const RunContext& run) {
    const T* left = run.input<T>(0);
    std::int64_t left_rows = rows[0];
    for (std::size_t i = 1; i < rows.size(); ++i) {
      // The last product belongs into the output; those before it alternate.
      const bool to_output = (rows.size() - 1 - i) % 2 == 0;
      T* dst = to_output ? run.output<T>(0) : reinterpret_cast<T*>(run.scratch);
      kernels::KhatriRaoArgs<T> args{left_rows, rows[i], columns, left, run.input<T>(i), dst};
      left_rows *= rows[i];
      parallel_for(left_rows, std::max<std::int64_t>(1, kElementGrain / std::max<std::int64_t>(1, columns)),
                   [&](std::int64_t begin, std::int64_t end) { kernels::khatri_rao(args, begin, end); });
      left = dst;
    }
    if (rows.size() == 1 && elements > 0)
      std::memcpy(run.outputs[0], run.inputs[0], static_cast<std::size_t>(elements) * sizeof(T));
  };
  return step;
}

}  // namespace

std::vector<OpDef> khatri_rao_ops() {
  OpDef op;
  op.name = "khatri_rao";
  op.summary = "Matrices multiplied column by column: each column is the Kronecker product of the inputs'.";
  op.attrs = {graph::integer_attr("num_args").at_least(1)};
  op.inputs = [](const Attrs&) { return PortNames{{}, false, "num_args"}; };
  op.infer = infer_khatri_rao;
  op.lower = [](LowerContext& context) {
    return context.input(0).dtype == DType::float64 ? khatri_rao_step<double>(context)
                                                    : khatri_rao_step<float>(context);
  };
  return {op};
}

}  // namespace mxinfer::ops
