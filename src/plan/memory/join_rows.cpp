#include "plan/memory/join_rows.h"

#include <algorithm>

#include "ops/op_def.h"

namespace mxinfer::plan {

using graph::Node;
using graph::Value;
using ops::TensorType;

RowStrides::RowStrides(const graph::Graph& graph, const ValueTypes& types) : graph_(graph), types_(types) {
  for (std::size_t n = 0; n < graph.nodes.size(); ++n) {
    const Node& node = graph.nodes[n];
    for (std::size_t i = 0; i < node.inputs.size(); ++i)
      readers_[key(node.inputs[i])].push_back({static_cast<std::int32_t>(n), i});
  }
  for (Value head : graph.heads) readers_[key(head)].push_back({-1, 0});
}

const TensorType& RowStrides::type(Value value) const {
  return types_[static_cast<std::size_t>(value.node)][static_cast<std::size_t>(value.index)];
}

std::int64_t RowStrides::of(Value value) const {
  const auto found = strides_.find(key(value));
  return found != strides_.end() ? found->second : 0;
}

bool RowStrides::reads_apart(const Reader& reader) const {
  if (reader.node < 0 || reader.input != 0) return false;
  const Node& node = graph_.nodes[static_cast<std::size_t>(reader.node)];
  return node.op->reads_rows_apart != nullptr &&
         node.op->reads_rows_apart(node.attrs, type(node.inputs[0]).shape.rank());
}

/// `but_for` is a node that may read it as it likes.
bool RowStrides::may_lie_apart(Value value, std::int32_t but_for) const {
  const auto found = readers_.find(key(value));
  if (found == readers_.end() || type(value).dtype != DType::float32) return false;
  return std::all_of(found->second.begin(), found->second.end(), [&](const Reader& reader) {
    return (reader.node >= 0 && reader.node == but_for) || reads_apart(reader);
  });
}

bool RowStrides::may_be_joined(Value value, std::int32_t join) const {
  const Node& producer = graph_.nodes[static_cast<std::size_t>(value.node)];
  if (producer.is_variable() || producer.op->writes_rows_apart == nullptr || value.index != 0) return false;
  if (!producer.op->writes_rows_apart(producer.attrs, type(value).shape.rank())) return false;
  if (types_[static_cast<std::size_t>(value.node)].size() != 1 || type(value).shape.elements() == 0)
    return false;
  const auto& readers = readers_.at(key(value));
  const auto times = std::count_if(readers.begin(), readers.end(),
                                   [&](const Reader& reader) { return reader.node == join; });
  return times == 1 && may_lie_apart(value, join);
}

void RowStrides::join(const std::function<void(const JoinedRows&)>& tell) {
  // Backwards: a concatenation inside of another has its rows as far apart as that one.
  for (std::size_t n = graph_.nodes.size(); n-- > 0;) {
    const Node& node = graph_.nodes[n];
    if (node.is_variable() || node.op->joins_rows == nullptr) continue;
    const auto id = static_cast<std::int32_t>(n);
    const Shape& whole = type({id, 0}).shape;
    if (whole.elements() == 0 || !node.op->joins_rows(node.attrs, whole.rank())) continue;
    const std::int64_t stride = of({id, 0}) != 0 ? of({id, 0}) : whole.back();
    std::size_t offset = 0;
    for (std::size_t i = 0; i < node.inputs.size(); ++i) {
      const Value input = node.inputs[i];
      if (of(input) == 0 && may_be_joined(input, id)) {
        set(input, stride);
        tell({id, i, offset});
      }
      offset += static_cast<std::size_t>(type(input).shape.back()) * size_of(type(input).dtype);
    }
  }
}

}  // namespace mxinfer::plan
