// _contrib_BilinearResize2D: planes brought to another height and width.
#include "kernels/bilinear/bilinear_resize.h"

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/checked.h"
#include "base/fail.h"
#include "ops/common/copy_step.h"
#include "ops/common/float_dispatch.h"
#include "ops/op_def.h"

namespace mxinfer::ops {
namespace {

using kernels::BilinearTap;

constexpr std::int64_t kResizedElements = 1 << 13;

bool is_like(const Attrs& attrs) {
  return attrs.choice("mode") == "like";
}

/// One dimension after its scale, which must leave something of it.
std::int64_t scaled(const Attrs& attrs, const char* name, std::int64_t size, bool odd) {
  const double scale = static_cast<double>(attrs.number32(name));
  // MXNet multiplies in float, or for an odd size in float with the neighbour below.
  const bool minus_one = odd && size % 2 == 1;
  const float product = static_cast<float>(size - (minus_one ? 1 : 0)) * static_cast<float>(scale);
  const float result = product + (minus_one ? 1.0f : 0.0f);
  if (!(result >= 1.0f) || result > 2147483520.0f) {
    fail(ErrorCode::invalid_argument, "attribute ", name, "=", scale, " makes ", size, " pixels ", result,
         ": expected at least 1 pixel to be left, and fewer than 2^31");
  }
  return static_cast<std::int64_t>(product) + (minus_one ? 1 : 0);
}

std::int64_t rounded_to(const std::string& mode, std::int64_t size) {
  const bool fits = (size % 2 == 0) == (mode == "to_even_down" || mode == "to_even_up");
  const bool up = mode == "to_even_up" || mode == "to_odd_up";
  const auto rounded = fits ? size : checked_add(size, up ? 1 : -1);
  if (!rounded) fail(ErrorCode::invalid_argument, "mode=", mode, " makes ", size, " pixels one too many");
  return *rounded;
}

std::pair<std::int64_t, std::int64_t> resized_size(const Attrs& attrs, const Shape& data) {
  const std::string& mode = attrs.choice("mode");
  const bool odd = mode == "odd_scale";
  if (!odd && mode != "size") return {rounded_to(mode, data[2]), rounded_to(mode, data[3])};
  if (!odd && !attrs.has("scale_height")) return {attrs.integer("height"), attrs.integer("width")};
  if (!attrs.has("scale_height") || !attrs.has("scale_width")) {
    fail(ErrorCode::malformed, "attributes scale_height and scale_width: expected both",
         odd ? " with mode=odd_scale" : "", ", only one or none is given");
  }
  return {scaled(attrs, "scale_height", data[2], odd), scaled(attrs, "scale_width", data[3], odd)};
}

std::vector<TensorType> infer_resize(const InferContext& context) {
  const Shape& data = context.shape(0);
  const DType dtype = context.dtype(0);
  if (dtype != DType::float32 && dtype != DType::float64 && dtype != DType::float16) {
    fail(ErrorCode::unsupported, "data is ", to_string(dtype), ": expected floating point");
  }
  if (data.rank() != 4 || data[2] < 1 || data[3] < 1) {
    fail(ErrorCode::invalid_argument, "data has shape ", to_string(data),
         ": expected (batch, channel, height, width) with at least one pixel");
  }
  if (!is_like(context.attrs)) {
    const auto [height, width] = resized_size(context.attrs, data);
    if (height < 1 || width < 1) {
      fail(ErrorCode::invalid_argument, "attribute mode=", context.attrs.choice("mode"),
           " leaves nothing of data of shape ", to_string(data));
    }
    return {{dtype, Shape{data[0], data[1], height, width}}};
  }
  const Shape& like = context.shape(1);
  if (like.rank() < 4 || like[2] < 1 || like[3] < 1) {
    fail(ErrorCode::invalid_argument, "like has shape ", to_string(like),
         ": expected (batch, channel, height, width) with at least one pixel");
  }
  return {{dtype, Shape{data[0], data[1], like[2], like[3]}}};
}

/// The taps of one axis and those of the other, for all runs.
struct Taps {
  std::vector<BilinearTap> rows, columns;
};

template <typename T>
Step resize_step(const Shape& in, const Shape& out, const std::shared_ptr<const Taps>& taps) {
  kernels::BilinearResizeArgs args;
  args.planes = out[0] * out[1];
  args.in_height = in[2];
  args.in_width = in[3];
  args.out_height = out[2];
  args.out_width = out[3];
  const std::int64_t rows = args.planes * args.out_height;
  const std::int64_t grain = std::max<std::int64_t>(8, kResizedElements / args.out_width);
  Step step;
  step.thread_scratch_bytes =
      static_cast<std::size_t>(kernels::bilinear_scratch_elements(args.out_width)) * sizeof(T);
  step.flops = 6.0 * static_cast<double>(out.elements());
  step.run = [=](const RunContext& run) {
    kernels::BilinearResizeArgs now = args;
    now.rows = taps->rows.data();
    now.columns = taps->columns.data();
    parallel_for(rows, grain, [&](std::int64_t begin, std::int64_t end) {
      kernels::bilinear_resize(now, run.input<T>(0), run.output<T>(0), reinterpret_cast<T*>(run.my_scratch()),
                               begin, end);
    });
  };
  return step;
}

Step lower_resize(LowerContext& context) {
  const Shape& in = context.input(0).shape;
  const Shape& out = context.output(0).shape;
  const DType dtype = context.input(0).dtype;
  if (in == out) return alias_step(context);
  auto taps = std::make_shared<Taps>();
  const bool corners = context.attrs().flag("align_corners");
  taps->rows.resize(static_cast<std::size_t>(out[2]));
  taps->columns.resize(static_cast<std::size_t>(out[3]));
  kernels::fill_bilinear_taps(in[2], corners, taps->rows.data(), out[2]);
  kernels::fill_bilinear_taps(in[3], corners, taps->columns.data(), out[3]);
  Step step = for_float(dtype, [&](auto zero) { return resize_step<decltype(zero)>(in, out, taps); });
  step.kernel = concat("bilinear_resize_ref_", to_string(dtype), " [ref]");
  step.reason = "rows are blended once each, then in pairs";
  return step;
}

}  // namespace

std::vector<OpDef> bilinear_resize_ops() {
  OpDef op;
  op.name = "_contrib_BilinearResize2D";
  op.summary =
      "Bilinear interpolation to height x width, to a multiple of the size (scale_height, scale_width), to "
      "the size of the input like, or to the next even or odd size.";
  op.attrs = {
      graph::integer_attr("height", 1).at_least(1),
      graph::integer_attr("width", 1).at_least(1),
      graph::number_attr("scale_height").optional_none(),
      graph::number_attr("scale_width").optional_none(),
      graph::choice_attr(
          "mode", {"like", "odd_scale", "size", "to_even_down", "to_even_up", "to_odd_down", "to_odd_up"},
          "size"),
      graph::flag_attr("align_corners", true)};
  op.inputs = [](const Attrs& attrs) {
    return is_like(attrs) ? PortNames{{"data", "like"}} : PortNames{{"data"}};
  };
  op.infer = infer_resize;
  op.lower = lower_resize;
  return {op};
}

}  // namespace mxinfer::ops
