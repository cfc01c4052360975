#include "ops/traits.h"

#include "ops/layout/layout_rules.h"

namespace mxinfer::ops {

bool keeps_shape(const Traits& traits) {
  return traits.keeps_shape || traits.elementwise == Elementwise::same_shape;
}

bool keeps_channels(const Traits& traits) {
  return traits.keeps_channels || keeps_shape(traits) || traits.elementwise == Elementwise::broadcast;
}

std::optional<OutputRank> output_rank(const Traits& traits, const graph::Attrs& attrs) {
  if (traits.output_rank != nullptr) return traits.output_rank(attrs);
  return keeps_shape(traits) ? std::optional(kSameRank) : std::nullopt;
}

bool is_per_sample(const Traits& traits, const graph::Attrs& attrs, std::size_t rank) {
  if (traits.per_sample != nullptr) return traits.per_sample(attrs, rank);
  return traits.elementwise == Elementwise::same_shape;
}

bool has_batched_inputs(const Traits& traits) {
  return traits.batched_inputs || traits.elementwise == Elementwise::same_shape;
}

LayoutRule layout_rule(const Traits& traits) {
  if (traits.channels_last != nullptr) return traits.channels_last;
  switch (traits.elementwise) {
    case Elementwise::same_shape:
      return elementwise_layout;
    case Elementwise::broadcast:
      return broadcast_layout;
    case Elementwise::no:
      break;
  }
  return nullptr;
}

bool always_per_sample(const graph::Attrs& /*attrs*/, std::size_t /*rank*/) {
  return true;
}

std::optional<OutputRank> always_same_rank(const graph::Attrs& /*attrs*/) {
  return kSameRank;
}

bool always_follows(const graph::Node& /*node*/) {
  return true;
}

}  // namespace mxinfer::ops
