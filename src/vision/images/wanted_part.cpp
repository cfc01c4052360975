#include "vision/images/wanted_part.h"

#include <mxinfer/error.h>

#include <algorithm>
#include <cmath>

#include "ops/image/image_chain.h"
#include "ops/is_op.h"
#include "passes/passes.h"

namespace mxinfer::api {
namespace {

constexpr int kScales[] = {8, 4, 2};

struct Interval {
  int begin;
  int end;
};

/// What a resize of `from` pixels to `to` reads for the window's [begin, end), and some more: a pixel of the
/// result reads at most 8 around its centre, or, where it averages, 8 times those that it stands for.
Interval read_by_resize(int from, int to, Interval window) {
  constexpr double kReach = 4;
  const double ratio = static_cast<double>(from) / to;
  const double reach = kReach * std::max(1.0, ratio) + 1;
  return {std::max(0, static_cast<int>(std::floor(window.begin * ratio - reach))),
          std::min(from, static_cast<int>(std::ceil(window.end * ratio + reach)))};
}

Region region_read_by(const ops::ImageChain& chain) {
  const Region& window = chain.window;
  const Interval x =
      read_by_resize(chain.region.width, chain.resized.width, {window.x, window.x + window.width});
  const Interval y =
      read_by_resize(chain.region.height, chain.resized.height, {window.y, window.y + window.height});
  return {chain.region.x + x.begin, chain.region.y + y.begin, x.end - x.begin, y.end - y.begin};
}

ops::ImageChain chain_for(const graph::Attrs& attrs, Size image, int channels) {
  return ops::image_chain(attrs, {DType::uint8, {1, image.height, image.width, channels}});
}

/// Whether the whole image is resized, to no more pixels than it has.
bool only_shrinks(const ops::ImageChain& chain) {
  const Region& region = chain.region;
  const bool is_whole = region.x == 0 && region.y == 0 && region.width == chain.image.width &&
                        region.height == chain.image.height;
  return is_whole && chain.resized.width <= region.width && chain.resized.height <= region.height;
}

bool is_one_chain(const graph::Graph& graph) {
  const auto& nodes = graph.nodes;
  return nodes.size() == 2 && nodes[0].is_variable() && !nodes[0].constant &&
         ops::is_op(nodes[1], "_mxinfer_image_chain");
}

}  // namespace

WantedPart::WantedPart(const passes::ItemStage& stage, int channels, bool scaled)
    : channels_(channels), scaled_(scaled) {
  graph::Graph graph = stage.graph;
  passes::fuse_image_chain(graph);
  if (is_one_chain(graph)) chain_ = graph.nodes[1].attrs;
}

image::DecodePart WantedPart::of(Size full) const try {
  if (!chain_) return {};
  if (scaled_) {
    for (const int scale : kScales) {
      const ops::ImageChain chain = chain_for(*chain_, image::scaled_size(full, scale), channels_);
      if (only_shrinks(chain)) return {region_read_by(chain), scale};
    }
  }
  return {region_read_by(chain_for(*chain_, full, channels_))};
} catch (const Error&) {
  return {};  // the transforms do not take such images, and say so
}

}  // namespace mxinfer::api
