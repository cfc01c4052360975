// _histogram: how many elements lie in each bin.
#include "kernels/histogram/histogram.h"

#include <cstring>

#include "ops/elementwise/elementwise.h"

namespace mxinfer::ops {
namespace {

constexpr std::int64_t kMostBins = std::int64_t{1} << 31;

/// Bins of equal width, rather than bounds from an input.
bool is_even(const Attrs& attrs) {
  return attrs.has("bin_cnt") || attrs.has("range");
}

kernels::EvenBins even_bins(const Attrs& attrs) {
  if (!attrs.has("bin_cnt") || !attrs.has("range"))
    fail(ErrorCode::malformed, "bin_cnt and range are given together, or neither");
  const auto& range = attrs.number_tuple("range");
  if (range.size() != 2 || !(range[0] <= range[1])) {
    fail(ErrorCode::malformed, "attribute range must hold two numbers, the smaller one first");
  }
  kernels::EvenBins bins{range[0], range[1], attrs.integer("bin_cnt")};
  if (bins.low == bins.high) {
    bins.low -= 0.5;
    bins.high += 0.5;
  }
  return bins;
}

std::vector<TensorType> infer_histogram(const InferContext& context) {
  const DType dtype = context.dtype(0);
  if (kernels::select_histogram(element_type(dtype)) == nullptr)
    fail(ErrorCode::unsupported, "an input of ", to_string(dtype), ": expected numbers");
  if (is_even(context.attrs)) {
    const std::int64_t count = even_bins(context.attrs).count;
    return {{DType::int64, Shape{count}}, {dtype, Shape{count + 1}}};
  }
  const TensorType& bounds = context.inputs[1];
  if (bounds.dtype != dtype || bounds.shape.elements() < 2) {
    fail(ErrorCode::invalid_argument, "bins is ", to_string(bounds), ": expected 2 bounds or more, of ",
         to_string(dtype), " as data is");
  }
  return {{DType::int64, Shape{bounds.shape.elements() - 1}}, {dtype, Shape{bounds.shape.elements()}}};
}

Step lower_histogram(LowerContext& context) {
  const DType dtype = context.input(0).dtype;
  const kernels::HistogramKernel* kernel = kernels::select_histogram(element_type(dtype));
  const std::int64_t elements = context.input(0).shape.elements();
  Step step{.kernel = ref_kernel("histogram", dtype), .reason = "one element at a time"};
  if (is_even(context.attrs())) {
    const kernels::EvenBins bins = even_bins(context.attrs());
    step.run = [=](const RunContext& run) {
      kernel->even(bins, run.inputs[0], elements, run.output<std::int64_t>(0), run.outputs[1]);
    };
  } else {
    const std::int64_t bounds = context.input(1).shape.elements();
    step.run = [=](const RunContext& run) {
      kernel->between(run.inputs[0], elements, run.inputs[1], bounds, run.output<std::int64_t>(0));
      std::memcpy(run.outputs[1], run.inputs[1], static_cast<std::size_t>(bounds) * size_of(dtype));
    };
  }
  return step;
}

}  // namespace

std::vector<OpDef> histogram_ops() {
  OpDef op{.name = "_histogram", .aliases = {"_npi_histogram"}};
  op.summary =
      "The number of elements of data in each of bin_cnt bins over range, or between neighbours of bins, as "
      "int64; and the bounds.";
  AttrSpec count = integer_attr("bin_cnt").at_least(1).at_most(kMostBins).optional_none();
  AttrSpec range = number_tuple_attr("range").optional_none();
  op.attrs = {std::move(count), std::move(range)};
  op.inputs = [](const Attrs& attrs) {
    return is_even(attrs) ? PortNames{{"data"}} : PortNames{{"data", "bins"}};
  };
  op.outputs = named_ports({"output0", "output1"});
  op.infer = infer_histogram;
  op.lower = lower_histogram;
  return {op};
}

}  // namespace mxinfer::ops
