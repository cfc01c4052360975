#include "graph/redirects.h"

namespace mxinfer::graph {

void Redirects::add(Value from, Value to) {
  if (!(from == to)) to_[from] = to;
}

Value Redirects::operator()(Value value) {
  Value end = value;
  for (auto found = to_.find(end); found != to_.end(); found = to_.find(end)) end = found->second;
  // Path compression: everything on the path now leads directly to the end.
  while (!(value == end)) {
    Value& next = to_.find(value)->second;
    value = next;
    next = end;
  }
  return end;
}

void Redirects::apply(Graph& graph) {
  if (to_.empty()) return;
  for (Node& node : graph.nodes) {
    for (Value& input : node.inputs) input = (*this)(input);
  }
  for (Value& head : graph.heads) head = (*this)(head);
}

}  // namespace mxinfer::graph
