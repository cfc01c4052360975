#include "sequence/output_axes.h"

#include <algorithm>

#include "sequence/changed_axis.h"

namespace mxinfer::api {
namespace {

using Heads = std::vector<ops::TensorType>;

// Sets the axes of samples and returns whether each output keeps its samples apart. One that depends on the
// inputs but has no such axis, such as a loss, combines all samples.
bool find_batches(const Heads& two, const Heads& three, const std::vector<bool>& follows,
                  SequenceLayout& layout) {
  bool apart = true;
  for (std::size_t o = 0; o < layout.outputs.size(); ++o) {
    layout.outputs[o].axes.batch = changed_axis(two[o].shape, three[o].shape, 2, 3);
    if (!layout.outputs[o].axes.batch && (follows[o] || two[o].shape != three[o].shape)) apart = false;
  }
  return apart;
}

// For a network that accepts only one batch size, the samples' axis is the layout's, or the first if it has
// that size.
void find_fixed_batches(const Heads& heads, std::int64_t batch, const std::vector<DataDesc>& descs,
                        SequenceLayout& layout) {
  for (std::size_t o = 0; o < layout.outputs.size(); ++o) {
    const Shape& shape = heads[o].shape;
    const std::size_t stated = descs[o].layout.find('N');
    if (stated != std::string::npos && descs[o].layout.size() == shape.rank()) {
      layout.outputs[o].axes.batch = stated;
    } else if (shape.rank() > 0 && shape[0] == batch) {
      layout.outputs[o].axes.batch = 0;
    }
  }
}

}  // namespace

std::vector<bool> follow_from_inputs(const graph::Graph& graph) {
  std::vector<bool> follows;
  for (const graph::Node& node : graph.nodes) {
    follows.push_back(node.input_index >= 0 ||
                      std::any_of(node.inputs.begin(), node.inputs.end(), [&](graph::Value value) {
                        return follows[static_cast<std::size_t>(value.node)];
                      }));
  }
  std::vector<bool> heads;
  for (const graph::Value head : graph.heads) heads.push_back(follows[static_cast<std::size_t>(head.node)]);
  return heads;
}

void find_output_axes(InferHeads infer, const std::vector<std::int64_t>& lengths,
                      const std::vector<DataDesc>& descs, const std::vector<bool>& follows,
                      SequenceLayout& layout) {
  if (lengths.empty()) return;
  const std::int64_t first = lengths.front();
  const auto stated = layout.batch;
  const auto two = infer(2, first), three = infer(3, first);
  const bool apart = two && three && find_batches(*two, *three, follows, layout);
  if (!apart && !stated) layout.batch = 1;
  const std::int64_t batch = layout.batch.value_or(2);
  const auto of_first = infer(batch, first);
  if (!of_first) return;
  if (!two || !three) find_fixed_batches(*of_first, batch, descs, layout);
  for (std::size_t o = 0; o < layout.outputs.size(); ++o) layout.outputs[o].dtype = (*of_first)[o].dtype;

  const auto of_last = lengths.size() > 1 ? infer(batch, lengths.back()) : std::nullopt;
  for (std::size_t o = 0; o < layout.outputs.size(); ++o) {
    Axes& axes = layout.outputs[o].axes;
    if (of_last) {
      axes.time = changed_axis((*of_first)[o].shape, (*of_last)[o].shape, first, lengths.back());
    } else if (descs[o].layout.size() == (*of_first)[o].shape.rank()) {
      const std::size_t at = descs[o].layout.find('T');
      if (at != std::string::npos) axes.time = at;
    }
    if (axes.time == axes.batch) axes.time = std::nullopt;
  }
}

}  // namespace mxinfer::api
