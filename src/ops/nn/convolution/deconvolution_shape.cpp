#include "ops/nn/convolution/deconvolution_shape.h"

#include "base/fail.h"

namespace mxinfer::ops {
namespace {

/// Spatial dimension i (0..2) as people count it.
std::size_t number(const ConvParams& p, std::size_t i) {
  return i + p.rank - 3;
}

std::int64_t uncut_size(const ConvParams& p, std::size_t i) {
  return p.stride[i] * (p.input[i] - 1) + p.reach(i);
}

DeconvolutionPlacement place_at_target(const ConvParams& p, const kernels::Spatial& target) {
  DeconvolutionPlacement result{{0, 0, 0}, {1, 1, 1}};
  for (std::size_t i = 3 - p.rank; i < 3; ++i) {
    const std::int64_t surplus = uncut_size(p, i) - target[i];
    if (target[i] < 1 || surplus < 0) {
      fail(ErrorCode::invalid_argument, "attribute target_shape asks for ", target[i],
           " in spatial dimension ", number(p, i), ": expected 1 to ", uncut_size(p, i), " for data with ",
           p.input[i]);
    }
    result.pad[i] = (surplus + 1) / 2;
    result.output[i] = target[i];
  }
  return result;
}

}  // namespace

DeconvolutionPlacement place_deconvolution(const Attrs& attrs, const ConvParams& p) {
  const kernels::Spatial target = spatial_attr(attrs, "target_shape", p.rank, 0, 0);
  if (target != kernels::Spatial{0, 0, 0}) return place_at_target(p, target);
  const kernels::Spatial adj = spatial_attr(attrs, "adj", p.rank, 0, 0);
  DeconvolutionPlacement result{p.pad, {1, 1, 1}};
  for (std::size_t i = 3 - p.rank; i < 3; ++i) {
    if (adj[i] >= p.stride[i]) {
      fail(ErrorCode::malformed, "attribute adj: ", adj[i], " in spatial dimension ", number(p, i),
           " must be smaller than the stride, ", p.stride[i]);
    }
    result.output[i] = uncut_size(p, i) - 2 * p.pad[i] + adj[i];
    if (result.output[i] < 1) {
      fail(ErrorCode::invalid_argument, "spatial dimension ", number(p, i), " of the output would be ",
           result.output[i], ": data has ", p.input[i], " and pad=", p.pad[i], " is too much for it");
    }
  }
  return result;
}

kernels::DeconvShape deconvolution_shape(const OpProblem& context) {
  const Shape& data = context.input(0).shape;
  const ConvParams p = conv_params(context.attrs(), data);
  const DeconvolutionPlacement placement = place_deconvolution(context.attrs(), p);
  kernels::DeconvShape shape = to_conv_problem(p, data, context.threads());
  shape.pad = placement.pad;
  shape.output = placement.output;
  return shape;
}

}  // namespace mxinfer::ops
