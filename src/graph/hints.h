// Hints: annotations of a file on the variables of a graph. They are advice that may be missing or wrong.
//
//   set_dtype_hint(variable, DType::float16);   // "__dtype__": "2"
//   dtype_hint(variable);                       // DType::float16
#pragma once

#include <optional>
#include <string>

#include "graph/graph.h"

namespace mxinfer::graph {

inline constexpr const char* kShapeHint = "__shape__";
inline constexpr const char* kDTypeHint = "__dtype__";
inline constexpr const char* kLayoutHint = "__layout__";
inline constexpr const char* kHints[] = {kShapeHint, kDTypeHint, kLayoutHint};

/// Null if the node has none.
const std::string* find_hint(const Node& node, const char* key);

/// nullopt if the node has none, or if the number is not a dtype.
std::optional<DType> dtype_hint(const Node& node);
void set_dtype_hint(Node& node, DType dtype);

}  // namespace mxinfer::graph
