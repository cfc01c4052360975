// _npi_bincount: how often each number occurs. The size of the output depends on the values.
#include "kernels/histogram/bincount.h"

#include <algorithm>

#include "ops/common/open_sizes.h"
#include "ops/elementwise/elementwise.h"

namespace mxinfer::ops {
namespace {

/// Of numbers of 32 bits and more. Memory for so many counts is taken before the values are known.
constexpr std::int64_t kMostBins = std::int64_t{1} << 20;

std::int64_t most_bins(DType dtype, std::int64_t at_least) {
  const std::int64_t most = dtype == DType::int8 ? 128 : dtype == DType::uint8 ? 256 : kMostBins;
  return std::max(most, at_least);
}

std::vector<TensorType> infer_bincount(const InferContext& context) {
  const TensorType& data = context.inputs[0];
  if (kernels::select_count_bins(element_type(data.dtype)) == nullptr)
    fail(ErrorCode::unsupported, "data is ", to_string(data.dtype), ": expected integers");
  if (data.shape.rank() != 1)
    fail(ErrorCode::invalid_argument, "data has the shape ", to_string(data.shape), ": expected a vector");
  DType result = data.dtype;
  if (context.attrs.flag("has_weights")) {
    if (context.shape(1) != data.shape)
      fail(ErrorCode::invalid_argument, "weights have the shape ", to_string(context.shape(1)), ", data ",
           to_string(data.shape), ": expected the same");
    result = context.dtype(1);
    if (kernels::select_bincount(element_type(data.dtype), element_type(result)) == nullptr)
      fail(ErrorCode::unsupported, "weights are ", to_string(result), ": expected numbers");
  }
  return {{result, Shape{most_bins(data.dtype, context.attrs.integer("minlength"))}}};
}

Step lower_bincount(LowerContext& context) {
  const TensorType& data = context.input(0);
  const std::int64_t least = context.attrs().integer("minlength"), most = context.output(0).shape[0];
  const bool weighted = context.attrs().flag("has_weights");
  const auto count_bins = kernels::select_count_bins(element_type(data.dtype));
  const auto run = kernels::select_bincount(element_type(data.dtype), element_type(context.output(0).dtype));
  kernels::BincountArgs args;
  args.count = data.shape.elements();
  Step step{.kernel = ref_kernel("bincount", data.dtype), .reason = "one element at a time"};
  step.run = [=](const RunContext& now) {
    kernels::BincountArgs a = args;
    a.src = now.inputs[0];
    std::int64_t bad = 0;
    const std::int64_t bins = count_bins(a.src, a.count, &bad);
    if (bins < 0) fail(ErrorCode::invalid_argument, "element ", bad, " of data is negative");
    if (bins > most)
      fail(ErrorCode::unsupported, "data holds ", bins - 1, ": counts of numbers up to ", most - 1,
           " are supported, or up to the attribute minlength");
    a.bins = std::max(bins, least);
    if (weighted) a.weights = now.inputs[1];
    a.dst = now.outputs[0];
    run(a);
    set_sizes(now.output<std::int64_t>(1), 0, Shape{a.bins});
  };
  return step;
}

}  // namespace

std::vector<OpDef> numpy_bincount_ops() {
  OpDef op{.name = "_npi_bincount"};
  op.summary =
      "How often each number from 0 to the largest one occurs, or the sum of the weights there; at least "
      "minlength of them. The graph is cut after this operator, and the rest is planned once their number "
      "is known.";
  op.attrs = {integer_attr("minlength", 0).at_least(0), flag_attr("has_weights", false)};
  op.inputs = [](const Attrs& attrs) {
    return attrs.flag("has_weights") ? PortNames{{"data", "weights"}} : PortNames{{"data"}};
  };
  op.infer = infer_bincount;
  return open_and_bounded(std::move(op), "_mxinfer_bincount", lower_bincount);
}

}  // namespace mxinfer::ops
