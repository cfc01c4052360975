#include "ops/narrow_values.h"

#include <algorithm>

namespace mxinfer::ops {
namespace {

using graph::Value;

class NarrowValues {
 public:
  NarrowValues(const graph::Graph& graph, const std::vector<NarrowNode>& nodes, IsLarge is_large)
      : graph_(graph), nodes_(nodes), is_large_(is_large), decisions_(graph.nodes.size()) {
    for (const graph::Node& node : graph.nodes)
      facts_.emplace_back(static_cast<std::size_t>(node.num_outputs));
    large_.resize(graph.nodes.size());
  }

  std::vector<NarrowDecision> run() {
    for (const Value head : graph_.heads) facts(head).products_only = false;
    for (std::size_t id = nodes_.size(); id-- > 0;) find_wanted(id);
    for (std::size_t id = 0; id < nodes_.size(); ++id) decide(id);
    return std::move(decisions_);
  }

 private:
  /// How a value is read.
  struct Readers {
    bool wanted = false;        ///< by a product, at once or through nodes that follow
    bool products_only = true;  ///< by nothing else, nor through anything but moves
  };

  Readers& facts(Value value) {
    return facts_[static_cast<std::size_t>(value.node)][static_cast<std::size_t>(value.index)];
  }
  static bool is_data(NarrowInput input) {
    return input == NarrowInput::data || input == NarrowInput::addend;
  }
  bool is_product(std::size_t id) const {
    return nodes_[id].form == HalfForm::product && (nodes_[id].writes_narrow || nodes_[id].writes_wide);
  }
  NarrowInput kind_of(std::size_t id, std::size_t input) const {
    return input < nodes_[id].inputs.size() ? nodes_[id].inputs[input] : NarrowInput::wide;
  }
  /// Of all outputs of float32 together.
  Readers readers(std::size_t id) const {
    Readers all;
    for (std::size_t o = 0; o < facts_[id].size(); ++o) {
      if (o < nodes_[id].outputs.size() && !nodes_[id].outputs[o]) continue;
      const Readers& output = facts_[id][o];
      all.wanted = all.wanted || output.wanted;
      all.products_only = all.products_only && output.wanted && output.products_only;
    }
    return all;
  }

  void find_wanted(std::size_t id) {
    const Readers output = readers(id);
    const bool product = is_product(id);
    const bool follows = !product && nodes_[id].writes_narrow && output.wanted;
    const bool passes_on = follows && nodes_[id].form == HalfForm::moves && output.products_only;
    for (std::size_t i = 0; i < graph_.nodes[id].inputs.size(); ++i) {
      const NarrowInput kind = kind_of(id, i);
      if (kind == NarrowInput::shape) continue;
      const bool reads = (product || follows) && is_data(kind);
      const bool rounds = (product && kind != NarrowInput::addend) || passes_on;
      Readers& input = facts(graph_.nodes[id].inputs[i]);
      input.wanted = input.wanted || reads;
      input.products_only = input.products_only && reads && rounds;
    }
  }

  std::size_t producer(std::size_t id, std::size_t input) const {
    return static_cast<std::size_t>(graph_.nodes[id].inputs[input].node);
  }
  bool reads_narrow(std::size_t id) const {
    for (std::size_t i = 0; i < graph_.nodes[id].inputs.size(); ++i) {
      if (is_data(kind_of(id, i)) && decisions_[producer(id, i)].writes) return true;
    }
    return nodes_[id].reads_packed;
  }
  bool adds_large(std::size_t id) const {
    for (std::size_t i = 0; i < graph_.nodes[id].inputs.size(); ++i) {
      const std::size_t from = producer(id, i);
      if (kind_of(id, i) == NarrowInput::addend && large_[from] && !decisions_[from].writes) return true;
    }
    return false;
  }

  void decide(std::size_t id) {
    large_[id] = is_large_(id, [&](std::size_t i) { return large_[producer(id, i)]; });
    const NarrowNode& can = nodes_[id];
    NarrowDecision& decision = decisions_[id];
    const Readers output = readers(id);
    if (is_product(id)) {
      decision.is_large = adds_large(id);
      decision.reads = !decision.is_large;
      decision.writes = decision.reads && (output.wanted ? can.writes_narrow : !can.writes_wide);
      return;
    }
    decision.reads = reads_narrow(id);
    if (!can.writes_narrow || !output.wanted) return;
    const bool before_products = output.products_only && can.form != HalfForm::one_type;
    decision.writes = before_products || (decision.reads && !large_[id]);
    decision.is_large = decision.reads && !decision.writes;
  }

  const graph::Graph& graph_;
  const std::vector<NarrowNode>& nodes_;
  IsLarge is_large_;
  std::vector<std::vector<Readers>> facts_;  ///< by value
  std::vector<bool> large_;                  ///< by node
  std::vector<NarrowDecision> decisions_;
};

}  // namespace

std::vector<NarrowDecision> narrow_values(const graph::Graph& graph, const std::vector<NarrowNode>& nodes,
                                          IsLarge is_large) {
  return NarrowValues(graph, nodes, is_large).run();
}

}  // namespace mxinfer::ops
