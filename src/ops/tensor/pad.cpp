// Pad: elements added around a tensor.
#include <cstring>
#include <limits>
#include <type_traits>

#include "ops/common/axes.h"
#include "ops/layout/layout_rewriter.h"
#include "ops/tensor/kernel_args.h"

namespace mxinfer::ops {
namespace {

constexpr std::int64_t kPaddedElements = 1 << 14;

kernels::PadMode pad_mode(const Attrs& attrs) {
  const std::string& mode = attrs.choice("mode");
  if (mode == "constant") return kernels::PadMode::constant;
  return mode == "edge" ? kernels::PadMode::edge : kernels::PadMode::reflect;
}

void require_pads(kernels::PadMode mode, const Shape& shape, std::size_t d, std::int64_t before,
                  std::int64_t after) {
  if (mode == kernels::PadMode::constant || (before == 0 && after == 0)) return;
  const std::int64_t most =
      mode == kernels::PadMode::edge ? std::numeric_limits<std::int64_t>::max() : shape[d] - 1;
  if (shape[d] == 0 || before < 0 || after < 0 || before > most || after > most) {
    fail(ErrorCode::invalid_argument, "pad_width adds ", before, " and ", after, " elements to axis ", d,
         ", which has ", shape[d], "; reflect takes 0 to one fewer than there are, edge any number");
  }
}

std::vector<TensorType> infer_pad(const InferContext& context) {
  if (context.dtype(0) != DType::float16) require_float(context.dtype(0));
  Shape shape = context.shape(0);
  const auto widths = context.attrs.tuple("pad_width");
  if (shape.rank() == 0 || widths.size() != 2 * shape.rank()) {
    fail(ErrorCode::invalid_argument, "pad_width has ", widths.size(), " entries; an input of shape ",
         to_string(shape), " needs ", 2 * shape.rank());
  }
  for (std::size_t d = 0; d < shape.rank(); ++d) {
    const std::int64_t before = widths[2 * d], after = widths[2 * d + 1];
    require_pads(pad_mode(context.attrs), shape, d, before, after);
    const auto sum = checked_add(before, after);
    const auto size = sum ? checked_add(shape[d], *sum) : std::nullopt;
    if (!size || *size < 0) {
      fail(ErrorCode::invalid_argument, "pad_width ", before, " and ", after, " does not fit axis ", d,
           " of ", shape[d], " elements");
    }
    shape[d] = *size;
  }
  return {{context.dtype(0), shape}};
}

template <typename T>
void set_value(kernels::PadArgs& args, double value) {
  const T element = static_cast<T>(static_cast<std::conditional_t<sizeof(T) == 2, float, T>>(value));
  static_assert(sizeof(T) <= sizeof(args.value));
  std::memcpy(args.value, &element, sizeof(T));
}

Step lower_pad(LowerContext& context) {
  const Shape& out = context.output(0).shape;
  const kernels::PadArgs args = pad_args(context);
  const kernels::PadFn run = kernels::select_pad(size_of(context.input(0).dtype));
  const std::int64_t width = out.back();
  const std::int64_t rows = width == 0 ? 0 : out.elements() / width;
  const std::int64_t grain = piece_grain(kPaddedElements, width);
  Step step{.kernel = concat("pad_rows_", 8 * size_of(context.input(0).dtype), "bit [ref]")};
  step.reason = "moves elements only";
  step.run = [=](const RunContext& at_run) {
    const std::byte* src = at_run.input<std::byte>(0);
    std::byte* dst = at_run.output<std::byte>(0);
    parallel_for(rows, grain, [&](std::int64_t begin, std::int64_t end) { run(args, src, dst, begin, end); });
  };
  return step;
}

bool pad_layout(LayoutRewriter& rewriter, std::size_t id) {
  const std::int64_t rank = rewriter.input_rank(id);
  graph::Node& node = rewriter.node(id);
  const graph::IntTuple widths = node.attrs.optional_tuple("pad_width");
  if (static_cast<std::int64_t>(widths.size()) != 2 * rank) return false;
  node.attrs.set("pad_width", moved_entries(rewriter, widths, rank, 2, 0));
  rewriter.mark_outputs_moved(id, rank);
  return true;
}

}  // namespace

kernels::PadArgs pad_args(const OpProblem& node) {
  const Shape &in = node.input(0).shape, &out = node.output(0).shape;
  const auto widths = node.attrs().tuple("pad_width");
  kernels::PadArgs args{.rank = static_cast<int>(in.rank()), .mode = pad_mode(node.attrs())};
  for (std::size_t d = 0; d < in.rank(); ++d) {
    args.in[d] = in[d];
    args.out[d] = out[d];
    args.before[d] = widths[2 * d];
  }
  const double value = node.attrs().number("constant_value");
  switch (node.input(0).dtype) {
    case DType::float16:
      set_value<Half>(args, value);
      break;
    case DType::bfloat16:
      set_value<BFloat16>(args, value);
      break;
    case DType::float64:
      set_value<double>(args, value);
      break;
    default:
      set_value<float>(args, value);
      break;
  }
  return args;
}

std::vector<OpDef> pad_ops() {
  // MXNet pads neither batch nor channels.
  return {
      {.name = "Pad",
       .aliases = {"pad"},
       .summary =
           "Adds pad_width (before, after) elements to each axis: a constant, the edge, or the reflection.",
       .attrs = {choice_attr("mode", {"constant", "edge", "reflect"}), tuple_attr("pad_width"),
                 number_attr("constant_value", 0)},
       .traits = {.keeps_channels = true, .output_rank = always_same_rank, .channels_last = pad_layout},
       .infer = infer_pad,
       .lower = lower_pad}};
}

}  // namespace mxinfer::ops
