// ShapeForms: what a graph says about the shapes of its values before sizes are known: from which value they
// come, and through which layers.
//
//   const ShapeForms forms(graph);
//   if (forms.are_equal(add.inputs[0], add.inputs[1])) ...   // of one shape and dtype, for every input
#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "graph/graph.h"

namespace mxinfer::passes {

class ShapeForms {
 public:
  explicit ShapeForms(const graph::Graph& graph);

  /// Whether both have the same shape and dtype for every input of the network. False if that is not known.
  bool are_equal(graph::Value a, graph::Value b) const;

 private:
  static constexpr std::int64_t kAsBefore = -1;

  /// A window along one dimension makes floor((size + offset) / stride) + 1 of size; these in a row.
  using Windows = std::vector<std::pair<std::int64_t, std::int64_t>>;

  /// The shape of `root`, with other channels (dimension 1), windows in the dimensions behind them, or
  /// another last dimension.
  struct Form {
    graph::Value root{};
    std::int64_t channels = kAsBefore;
    std::vector<Windows> windows{};  ///< by dimension behind the channels; empty: none anywhere
    std::int64_t last = kAsBefore;
    friend bool operator==(const Form&, const Form&) = default;
  };

  Form form_of(const graph::Graph& graph, std::size_t id) const;
  /// nullopt if the windows have sizes that no layer has, and that inference rejects.
  std::optional<Form> behind_windows(const graph::Node& node, std::int64_t channels) const;
  Form behind_dense(const graph::Node& node) const;
  const Form& of(graph::Value value) const { return forms_[static_cast<std::size_t>(value.node)]; }

  std::vector<Form> forms_;  ///< of the first output of each node
};

}  // namespace mxinfer::passes
