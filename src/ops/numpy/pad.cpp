// _npi_pad: elements added around a tensor of any type.
#include "kernels/pad/pad.h"

#include <cstring>

#include "kernels/pad/pad_extreme.h"
#include "ops/common/axes.h"
#include "ops/common/constant_step.h"
#include "ops/elementwise/elementwise.h"
#include "ops/tensor/kernel_args.h"

namespace mxinfer::ops {
namespace {

using Widths = std::vector<std::int64_t>;

/// "((1, 2), (0, 3))": the numbers, whatever brackets are around them.
Widths pad_widths(const Attrs& attrs) {
  std::string numbers = attrs.text("pad_width");
  for (char& c : numbers) {
    if (c == '(' || c == ')' || c == '[' || c == ']') c = ' ';
  }
  // Commas that were behind a bracket are left: "1, 2 ,  0, 3 ".
  std::string list;
  bool wants_comma = false;
  for (const char c : numbers) {
    const bool separates = c == ' ' || c == ',';
    if (separates) {
      wants_comma = wants_comma || !list.empty();
      continue;
    }
    if (wants_comma) list += ',';
    wants_comma = false;
    list += c;
  }
  const auto parsed = graph::parse_value(tuple_attr("pad_width"), "(" + list + ")");
  Widths widths;
  for (const auto& width : std::get<graph::IntTuple>(parsed)) {
    if (!width || *width < 0) {
      fail(ErrorCode::malformed, "attribute pad_width=\"", printable(attrs.text("pad_width")),
           "\": expected sizes of 0 or more");
    }
    widths.push_back(*width);
  }
  return widths;
}

bool is_extreme(const Attrs& attrs) {
  return attrs.choice("mode") == "maximum" || attrs.choice("mode") == "minimum";
}

std::vector<TensorType> infer_numpy_pad(const InferContext& context) {
  Shape shape = context.shape(0);
  const Widths widths = pad_widths(context.attrs);
  if (shape.rank() == 0 || widths.size() != 2 * shape.rank()) {
    fail(ErrorCode::invalid_argument, "pad_width has ", widths.size(), " entries; an input of shape ",
         to_string(shape), " needs ", 2 * shape.rank());
  }
  if (is_extreme(context.attrs) &&
      kernels::select_pad_extreme(true, element_type(context.dtype(0))) == nullptr) {
    fail(ErrorCode::unsupported, "mode=", context.attrs.choice("mode"), " of ", to_string(context.dtype(0)));
  }
  for (std::size_t d = 0; d < shape.rank(); ++d) {
    const auto sum = checked_add(widths[2 * d], widths[2 * d + 1]);
    const auto size = sum ? checked_add(shape[d], *sum) : std::nullopt;
    if (!size) fail(ErrorCode::invalid_argument, "pad_width makes axis ", d, " too large");
    if (shape[d] == 0 && *size > 0 && context.attrs.choice("mode") != "constant") {
      fail(ErrorCode::invalid_argument, "axis ", d, " has no elements to pad with");
    }
    shape[d] = *size;
  }
  return {{context.dtype(0), shape}};
}

Step lower_extreme(LowerContext& context) {
  const DType dtype = context.input(0).dtype;
  const auto run =
      kernels::select_pad_extreme(context.attrs().choice("mode") == "maximum", element_type(dtype));
  Step step{.kernel = ref_kernel("pad_extreme", dtype), .reason = "one line after another"};
  step.run = [run, args = numpy_pad_args(context)](const RunContext& at) {
    run(args, at.inputs[0], at.outputs[0]);
  };
  return step;
}

Step lower_numpy_pad(LowerContext& context) {
  if (context.output(0).shape.elements() == 0)
    return {.kernel = "nothing [ref]", .reason = "there are no elements"};
  if (is_extreme(context.attrs())) return lower_extreme(context);
  const Shape& out = context.output(0).shape;
  const std::size_t bytes = size_of(context.input(0).dtype);
  const std::int64_t width = out.back(), rows = width == 0 ? 0 : out.elements() / width;
  Step step{.kernel = concat("pad_rows_", 8 * bytes, "bit [ref]"), .reason = "moves elements only"};
  step.run = [=, args = numpy_pad_args(context), run = kernels::select_pad(bytes),
              grain = piece_grain(kElementGrain, width)](const RunContext& at) {
    const std::byte* src = at.input<std::byte>(0);
    std::byte* dst = at.output<std::byte>(0);
    parallel_for(rows, grain, [&](std::int64_t begin, std::int64_t end) { run(args, src, dst, begin, end); });
  };
  return step;
}

}  // namespace

kernels::PadArgs numpy_pad_args(const OpProblem& node) {
  const Shape &in = node.input(0).shape, &out = node.output(0).shape;
  const Widths widths = pad_widths(node.attrs());
  const std::string& mode = node.attrs().choice("mode");
  kernels::PadArgs args{.rank = static_cast<int>(in.rank())};
  args.mode = mode == "edge"        ? kernels::PadMode::edge
              : mode == "reflect"   ? kernels::PadMode::reflect
              : mode == "symmetric" ? kernels::PadMode::symmetric
                                    : kernels::PadMode::constant;
  for (std::size_t d = 0; d < in.rank(); ++d) {
    args.in[d] = in[d];
    args.out[d] = out[d];
    args.before[d] = widths[2 * d];
  }
  const StoredNumber value = stored_number(node.output(0).dtype, node.attrs().number("constant_value"));
  std::memcpy(args.value, value.bytes, sizeof args.value);
  return args;
}

std::vector<OpDef> numpy_pad_ops() {
  AttrSpec widths = text_attr("pad_width", "");
  widths.required = true;
  return {{.name = "_npi_pad",
           .summary = "Adds pad_width (before, after) elements to each axis: a constant, the edge, mirrored "
                      "elements, or the extreme of the line.",
           .attrs = {widths,
                     choice_attr("mode", {"constant", "edge", "maximum", "minimum", "reflect", "symmetric"},
                                 "constant"),
                     number_attr("constant_value", 0), text_attr("reflect_type", "even").without_effect()},
           .traits = {.output_rank = always_same_rank},
           .infer = infer_numpy_pad,
           .lower = lower_numpy_pad}};
}

}  // namespace mxinfer::ops
