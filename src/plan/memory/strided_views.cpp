#include "plan/memory/strided_views.h"

#include <algorithm>
#include <utility>

#include "ops/op_def.h"

namespace mxinfer::plan {

using graph::Node;
using graph::Value;

StridedViews::StridedViews(const graph::Graph& graph, shapes::ValueTypes& types, BackendOf backend_of)
    : graph_(graph), types_(types), backend_of_(std::move(backend_of)) {
  for (std::size_t n = 0; n < graph.nodes.size(); ++n) {
    const Node& node = graph.nodes[n];
    for (std::size_t i = 0; i < node.inputs.size(); ++i)
      readers_[key(node.inputs[i])].push_back({static_cast<std::int32_t>(n), i});
  }
  for (Value head : graph.heads) readers_[key(head)].push_back({-1, 0});
}

bool StridedViews::accepts(const Reader& reader, std::int64_t row_stride) const {
  if (reader.node < 0 || reader.input != 0) return false;
  const auto id = static_cast<std::size_t>(reader.node);
  const Node& node = graph_.nodes[id];
  return backend_of_(id).takes_strided_input(node, type(node.inputs[0]), row_stride);
}

bool StridedViews::are_accepted(Value value, std::int64_t row_stride, std::int32_t but_for) const {
  const auto found = readers_.find(key(value));
  if (found == readers_.end()) return false;
  return std::all_of(found->second.begin(), found->second.end(), [&](const Reader& reader) {
    return (reader.node >= 0 && reader.node == but_for) || accepts(reader, row_stride);
  });
}

bool StridedViews::can_be_placed(Value value, std::int64_t row_stride, std::int32_t concatenation) const {
  const auto id = static_cast<std::size_t>(value.node);
  const Node& producer = graph_.nodes[id];
  if (producer.is_variable() || value.index != 0) return false;
  if (types_[id].size() != 1 || type(value).shape.elements() == 0) return false;
  const auto& readers = readers_.at(key(value));
  if (!backend_of_(id).takes_strided_output(producer, type(value), row_stride)) return false;
  const auto times = std::count_if(readers.begin(), readers.end(),
                                   [&](const Reader& reader) { return reader.node == concatenation; });
  return times == 1 && are_accepted(value, row_stride, concatenation);
}

std::vector<PlacedPart> StridedViews::place_parts() {
  std::vector<PlacedPart> parts;
  // Backwards: a concatenation inside another one has the row stride of that one.
  for (std::size_t n = graph_.nodes.size(); n-- > 0;) {
    const Node& node = graph_.nodes[n];
    if (node.is_variable() || node.op->traits.concatenates_rows == nullptr) continue;
    const auto id = static_cast<std::int32_t>(n);
    const ops::TensorType& whole = type({id, 0});
    if (whole.shape.elements() == 0 || !node.op->traits.concatenates_rows(node.attrs, whole.shape.rank()))
      continue;
    const std::int64_t row_stride = whole.row_stride != 0 ? whole.row_stride : whole.shape.back();
    std::size_t offset = 0;
    for (std::size_t i = 0; i < node.inputs.size(); ++i) {
      const Value input = node.inputs[i];
      if (type(input).row_stride == 0 && can_be_placed(input, row_stride, id)) {
        set(input, row_stride);
        parts.push_back({id, i, offset});
      }
      offset += static_cast<std::size_t>(type(input).shape.back()) * size_of(type(input).dtype);
    }
  }
  return parts;
}

}  // namespace mxinfer::plan
