// ValueDTypes: the dtypes of the values of a graph as far as dtypes alone tell, without shapes.
//
//   const ValueDTypes dtypes(graph);
//   if (dtypes.of(head).dtype == DType::float16) ...
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "graph/graph.h"
#include "ops/elementwise/promotion.h"
#include "tensor/floating.h"

namespace mxinfer::passes {

inline bool is_half(std::optional<DType> dtype) {
  return dtype && mxinfer::is_half(*dtype);
}

struct ValueDType {
  std::optional<DType> dtype{};  ///< nothing: not known
  /// The node of the input of the network whose dtype it has, -1 if it has one of its own. `dtype` is then
  /// what the file, or the signature, says of that input: a caller may give another one.
  std::int32_t input = -1;

  bool is_surely(DType other) const { return dtype == other && input < 0; }
};

/// Inputs of the network have the dtypes in `inputs`, by Node::input_index; those behind its end are float32
/// unless their attribute __dtype__ says that they are not.
class ValueDTypes {
 public:
  explicit ValueDTypes(const graph::Graph& graph, std::vector<DType> inputs = {});

  ValueDType of(graph::Value value) const;

 private:
  using Outputs = std::vector<ValueDType>;
  Outputs outputs_of(const graph::Graph& graph, std::size_t id) const;
  ValueDType first_output(const graph::Graph& graph, const graph::Node& node) const;
  std::optional<ValueDType> quantized_output(const graph::Node& node) const;
  Outputs multicast(const graph::Node& node) const;
  ValueDType mixed_result(const graph::Node& node, ops::MixedDType mixed) const;

  std::vector<DType> inputs_;
  std::vector<Outputs> known_;
};

}  // namespace mxinfer::passes
