#include "ops/nn/convolution/convolution_layout.h"

#include <algorithm>
#include <vector>

#include "base/fail.h"
#include "kernels/conv/conv.h"
#include "ops/layout/layout_rewriter.h"
#include "ops/nn/convolution/conv_params.h"
#include "ops/registry.h"

namespace mxinfer::ops {
namespace {

using graph::Node;
using graph::Value;

bool all_ones(const std::vector<std::int64_t>& numbers) {
  return std::all_of(numbers.begin(), numbers.end(), [](std::int64_t n) { return n == 1; });
}

bool is_eligible(const LayoutRewriter& rewriter, const Node& node, std::size_t id) {
  const Parameter* weight = rewriter.constant(id, 1);
  const std::size_t rank = node.attrs.tuple("kernel").size() + 2;
  return !has_channels_last(node.attrs) && weight != nullptr && weight->dtype() == DType::float32 &&
         weight->shape().rank() == rank && rank >= 3 && rank <= 5 && node.attrs.integer("num_group") > 0;
}

// Whether its kernel can read channels-first images, so that no transpose is needed.
bool can_read_planes(const LayoutRewriter& rewriter, const Node& node, std::size_t id) {
  const std::vector<std::int64_t> dilate = node.attrs.tuple("dilate");
  kernels::ConvProblem shape;
  shape.channels = rewriter.constant(id, 1)->shape()[1];
  shape.groups = node.attrs.integer("num_group");
  return node.attrs.tuple("kernel").size() < 3 && all_ones(dilate) && kernels::reads_nchw(shape);
}

void rewrite_channels_last(LayoutRewriter& rewriter, std::size_t id) {
  const auto rank = static_cast<std::int64_t>(rewriter.node(id).attrs.tuple("kernel").size()) + 2;
  const Value data = rewriter.node(id).inputs[0];
  const bool planes = !rewriter.is_moved(data) && can_read_planes(rewriter, rewriter.node(id), id);
  const Value read = planes ? data : rewriter.as_moved(data, rank);
  rewriter.node(id).inputs[0] = read;
  if (rewriter.node(id).post_ops.residual) {
    const Value residual = rewriter.as_moved(rewriter.node(id).inputs.back(), rank);
    rewriter.node(id).inputs.back() = residual;
  }
  Node& node = rewriter.node(id);
  node.op = find_op("_mxinfer_convolution_nhwc");
  node.attrs.set("planes", planes);
  node.attrs.set("border", false, false);
  rewriter.mark_outputs_moved(id, rank);
}

/// A node with the attribute layout=NHWC becomes one of channels-first.
bool rewrite_channels_first(LayoutRewriter& rewriter, std::size_t id) {
  const Attrs& attrs = rewriter.node(id).attrs;
  const std::size_t spatial = attrs.tuple("kernel").size();
  if (spatial < 1 || spatial > 3 || !attrs.has("layout")) return false;
  if (attrs.choice("layout") != spatial_layout(spatial, true)) return false;
  const auto rank = static_cast<std::int64_t>(spatial) + 2;
  const Value data = rewriter.as_moved(rewriter.node(id).inputs[0], rank);
  const Value weight = rewriter.as_moved(rewriter.node(id).inputs[1], rank);
  Node& node = rewriter.node(id);
  node.inputs[0] = data;
  node.inputs[1] = weight;
  node.notes.push_back(
      concat(node.attrs.choice("layout"), " is computed as ", spatial_layout(spatial, false)));
  node.attrs.set("layout", std::string(spatial_layout(spatial, false)));
  rewriter.mark_outputs_moved(id, rank);
  return true;
}

}  // namespace

bool deconvolution_layout(LayoutRewriter& rewriter, std::size_t id) {
  return !rewriter.to_last() && rewrite_channels_first(rewriter, id);
}

bool convolution_layout(LayoutRewriter& rewriter, std::size_t id) {
  if (!rewriter.to_last()) return rewrite_channels_first(rewriter, id);
  if (!is_eligible(rewriter, rewriter.node(id), id)) return false;
  rewrite_channels_last(rewriter, id);
  return true;
}

}  // namespace mxinfer::ops
