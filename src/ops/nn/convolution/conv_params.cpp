#include "ops/nn/convolution/conv_params.h"

#include <limits>

#include "base/checked.h"
#include "ops/common/products.h"
#include "ops/layout/channels_last.h"

namespace mxinfer::ops {
namespace {

constexpr std::int64_t kLargestSize = std::numeric_limits<std::int32_t>::max();

std::size_t kernel_rank(const Attrs& attrs) {
  const std::size_t rank = attrs.tuple("kernel").size();
  if (rank >= 1 && rank <= 3) return rank;
  fail(ErrorCode::malformed, "attribute kernel has ", rank, " dimensions: expected 1, 2 or 3");
}

void check_layout(const Attrs& attrs, std::size_t rank) {
  if (!attrs.has("layout")) return;
  const std::string& layout = attrs.choice("layout");
  if (layout == spatial_layout(rank, false) || layout == spatial_layout(rank, true)) return;
  fail(ErrorCode::malformed, "attribute layout=", layout, " does not fit a kernel of ", rank,
       " dimensions: expected ", spatial_layout(rank, false), " or ", spatial_layout(rank, true));
}

void check_rank(const Attrs& attrs, const Shape& data, std::size_t rank) {
  if (data.rank() == rank + 2) return;
  fail(ErrorCode::invalid_argument, "data has shape ", to_string(data), ": expected ", rank + 2,
       " dimensions (", spatial_layout(rank, has_channels_last(attrs)), ") for a kernel of ", rank);
}

std::int64_t positive(const Attrs& attrs, const char* name) {
  const std::int64_t value = attrs.integer(name);
  if (value < 1 || value > kLargestSize) {
    fail(ErrorCode::malformed, "attribute ", name, "=", value, ": expected 1 to ", kLargestSize);
  }
  return value;
}

}  // namespace

const char* spatial_layout(std::size_t spatial, bool channels_last) {
  static constexpr const char* kFirst[] = {"NCW", "NCHW", "NCDHW"};
  static constexpr const char* kLast[] = {"NWC", "NHWC", "NDHWC"};
  return (channels_last ? kLast : kFirst)[spatial - 1];
}

bool has_channels_last(const Attrs& attrs) {
  return attrs.has("layout") && attrs.choice("layout").back() == 'C';
}

Shape channels_first_data(const Attrs& attrs, const Shape& data) {
  if (!has_channels_last(attrs)) return data;
  check_rank(attrs, data, kernel_rank(attrs));
  return to_channels_first(data);
}

Shape in_layout(const Attrs& attrs, const Shape& shape) {
  return has_channels_last(attrs) ? to_channels_last(shape) : shape;
}

std::vector<AttrSpec> conv_attr_specs(bool no_bias_default) {
  return {
      tuple_attr("kernel"),
      tuple_attr("stride", "()"),
      tuple_attr("dilate", "()"),
      tuple_attr("pad", "()"),
      integer_attr("num_filter"),
      integer_attr("num_group", 1),
      flag_attr("no_bias", no_bias_default),
      choice_attr("layout", {"NCW", "NCHW", "NCDHW", "NWC", "NHWC", "NDHWC"}, "None").optional_none(),
      integer_attr("workspace", 1024).without_effect(),
      choice_attr("cudnn_tune", {"fastest", "limited_workspace", "off"}, "None")
          .optional_none()
          .without_effect(),
      flag_attr("cudnn_off", false).without_effect(),
  };
}

kernels::Spatial spatial_attr(const Attrs& attrs, const std::string& name, std::size_t rank,
                              std::int64_t unset, std::int64_t minimum) {
  const std::vector<std::int64_t> given = attrs.tuple(name);
  if (!given.empty() && given.size() != rank) {
    fail(ErrorCode::malformed, "attribute ", name, " has ", given.size(), " elements, the kernel has ", rank,
         " dimensions");
  }
  kernels::Spatial result{unset, unset, unset};
  for (std::size_t i = 0; i < given.size(); ++i) {
    if (given[i] < minimum || given[i] > kLargestSize) {
      fail(ErrorCode::malformed, "attribute ", name, ": ", given[i], " is out of range, expected ", minimum,
           " to ", kLargestSize);
    }
    result[3 - rank + i] = given[i];
  }
  return result;
}

ConvParams conv_params(const Attrs& attrs, const Shape& data) {
  ConvParams p;
  p.rank = kernel_rank(attrs);
  check_layout(attrs, p.rank);
  check_rank(attrs, data, p.rank);
  for (std::size_t i = 0; i < data.rank(); ++i) {
    if (data[i] < (i == 0 ? 0 : 1) || data[i] > kLargestSize) {
      fail(ErrorCode::invalid_argument, "data has shape ", to_string(data), ": dimension ", i,
           " must be 1 to ", kLargestSize);
    }
    if (i >= 2) p.input[3 - p.rank + i - 2] = data[i];
  }
  p.kernel = spatial_attr(attrs, "kernel", p.rank, 1, 1);
  p.stride = spatial_attr(attrs, "stride", p.rank, 1, 1);
  p.dilate = spatial_attr(attrs, "dilate", p.rank, 1, 1);
  p.pad = spatial_attr(attrs, "pad", p.rank, 0, 0);
  p.filters = positive(attrs, "num_filter");
  p.groups = positive(attrs, "num_group");
  p.bias = !attrs.flag("no_bias");
  if (p.filters % p.groups != 0) {
    fail(ErrorCode::malformed, "attribute num_filter=", p.filters,
         " is not a multiple of num_group=", p.groups);
  }
  if (data[1] % p.groups != 0) {
    fail(ErrorCode::invalid_argument, "data has shape ", to_string(data), ": ", data[1],
         " channels are not a multiple of num_group=", p.groups);
  }
  return p;
}

kernels::ConvProblem to_conv_problem(const ConvParams& p, const Shape& data, int threads) {
  return {.batch = data[0],
          .channels = data[1],
          .filters = p.filters,
          .groups = p.groups,
          .input = p.input,
          .kernel = p.kernel,
          .stride = p.stride,
          .pad = p.pad,
          .dilate = p.dilate,
          .task_hint = task_hint(threads)};
}

Shape with_spatial(std::int64_t first, std::int64_t second, const kernels::Spatial& spatial,
                   std::size_t rank) {
  Shape shape{first, second};
  for (std::size_t i = 3 - rank; i < 3; ++i) shape.push_back(spatial[i]);
  return shape;
}

Shape with_kernel(std::int64_t first, std::int64_t second, const ConvParams& p) {
  return with_spatial(first, second, p.kernel, p.rank);
}

Shape with_channels(std::int64_t channels, std::size_t rank) {
  Shape shape{-1, channels};
  while (shape.rank() < rank) shape.push_back(-1);
  return shape;
}

// Weights are (m, c, k...), of channels-last layouts (m, k..., c).
std::optional<Shape> data_for_convolution(const Attrs& attrs, const Shape& weight) {
  if (weight.rank() < 3) return std::nullopt;
  const auto channels =
      checked_mul(has_channels_last(attrs) ? weight.back() : weight[1], attrs.integer("num_group"));
  if (!channels) return std::nullopt;
  return in_layout(attrs, with_channels(*channels, weight.rank()));
}

void expect_shape(const InferContext& context, std::size_t i, const char* name, const Shape& expected,
                  const std::string& why) {
  if (context.shape(i) == expected) return;
  fail(ErrorCode::invalid_argument, "input '", name, "' has shape ", to_string(context.shape(i)),
       ": expected ", to_string(expected), " (", why, ")");
}

void expect_float_inputs(const InferContext& context) {
  const DType dtype = context.dtype(0);
  if (dtype != DType::float32 && dtype != DType::float64) {
    fail(ErrorCode::unsupported, "data is ", to_string(dtype), ": only float32 and float64 run");
  }
  for (std::size_t i = 1; i < context.count(); ++i) {
    if (context.dtype(i) == dtype) continue;
    fail(ErrorCode::invalid_argument, "input ", i, " is ", to_string(context.dtype(i)), ", data is ",
         to_string(dtype), ": expected the same dtype");
  }
}

}  // namespace mxinfer::ops
