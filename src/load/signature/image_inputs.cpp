#include "load/signature/image_inputs.h"

#include <cstddef>

#include "graph/hints.h"
#include "ops/op_def.h"

namespace mxinfer::api {
namespace {

using graph::Graph;
using graph::Node;

// Whether operators of one input turn the value into a batch of one, so that the input is a single sample.
bool makes_batch_of_one(const Graph& graph, graph::Value value) {
  for (std::size_t id = static_cast<std::size_t>(value.node) + 1; id < graph.nodes.size(); ++id) {
    const Node& node = graph.nodes[id];
    if (node.op == nullptr || node.inputs.size() != 1 || !(node.inputs[0] == value)) continue;
    if (node.op->name == "expand_dims") return node.attrs.integer("axis") == 0;
    const auto rank = ops::output_rank(node.op->traits, node.attrs);
    const bool keeps_rank = rank && rank->follows_input && rank->rank == 0;
    if (keeps_rank) return makes_batch_of_one(graph, {static_cast<std::int32_t>(id), 0});
  }
  return false;
}

}  // namespace

ImageInputs::ImageInputs(const Graph& graph) : graph_(graph), readers_(graph.nodes.size()) {
  for (std::size_t id = 0; id < graph.nodes.size(); ++id) {
    const Node& node = graph.nodes[id];
    if (node.op == nullptr || node.inputs.empty()) continue;
    readers_[static_cast<std::size_t>(node.inputs[0].node)].push_back(static_cast<std::int32_t>(id));
  }
}

void ImageInputs::describe(std::int32_t id, DataDesc& input) const {
  const bool has_dtype =
      graph::find_hint(graph_.nodes[static_cast<std::size_t>(id)], graph::kDTypeHint) != nullptr;
  for (const std::int32_t reader_id : readers_[static_cast<std::size_t>(id)]) {
    const Node& reader = graph_.nodes[static_cast<std::size_t>(reader_id)];
    const ops::ImageSource source = reader.op->traits.image_source;
    if (source == ops::ImageSource::none) continue;
    if (source != ops::ImageSource::pixels) {
      const Meaning meaning =
          source == ops::ImageSource::encoded ? Meaning::encoded_image : Meaning::image_path;
      input = {input.name, {-1}, DType::uint8, "", meaning};
      return;
    }
    if (input.shape.rank() == 0) {
      const bool one_sample = makes_batch_of_one(graph_, {id, 0});
      input.shape = one_sample ? Shape{-1, -1, 3} : Shape{-1, -1, -1, 3};
    }
    if (input.shape.rank() != 3 && input.shape.rank() != 4) return;
    input.meaning = Meaning::image;
    if (input.layout.empty()) input.layout = input.shape.rank() == 4 ? "NHWC" : "HWC";
    if (!has_dtype) input.dtype = DType::uint8;
    return;
  }
}

}  // namespace mxinfer::api
