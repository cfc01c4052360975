#include "graph/hints.h"

namespace mxinfer::graph {

const std::string* find_hint(const Node& node, const char* key) {
  const auto found = node.raw_attrs.find(key);
  return found == node.raw_attrs.end() ? nullptr : &found->second;
}

std::optional<DType> dtype_hint(const Node& node) {
  const std::string* text = find_hint(node, kDTypeHint);
  if (text == nullptr) return std::nullopt;
  for (int number = 0; number <= static_cast<int>(DType::bfloat16); ++number) {
    if (*text == std::to_string(number)) return static_cast<DType>(number);
  }
  return std::nullopt;
}

void set_dtype_hint(Node& node, DType dtype) {
  node.raw_attrs[kDTypeHint] = std::to_string(static_cast<int>(dtype));
}

}  // namespace mxinfer::graph
