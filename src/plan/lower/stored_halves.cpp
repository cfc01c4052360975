#include "plan/lower/stored_halves.h"

#include <algorithm>

#include "base/fail.h"
#include "ops/backend.h"
#include "ops/elementwise/float16_range.h"
#include "plan/lower/node_view.h"

namespace mxinfer::plan {
namespace {

using graph::Node;
using graph::Value;
using ops::HalfForm;
using ops::TensorType;

/// What is known of a value.
struct ValueFacts {
  bool wanted = false;        ///< a product reads it, at once or through nodes that follow
  bool products_only = true;  ///< nothing else does, nor anything but moves in between
  bool large = false;         ///< it may be beyond the range of float16
  bool half = false;          ///< it is stored in 16 bits
};

/// What a node can do.
struct NodeFacts {
  ops::HalfSupport support;
  bool writes_halves = false;   ///< its kernel reads its data in 16 bits and writes its results so
  bool writes_float32 = false;  ///< it reads its data in 16 bits and writes float32
};

class HalfStorage {
 public:
  HalfStorage(const graph::Graph& graph, const shapes::ValueTypes& types, const std::vector<bool>& on_device,
              const PlanOptions& options)
      : graph_(graph), types_(types), on_device_(on_device), options_(options), half_(stored_type(options)) {
    for (const auto& outputs : types) values_.emplace_back(outputs.size());
    nodes_.resize(graph.nodes.size());
  }

  std::vector<StoredNode> run() {
    const std::size_t count = graph_.nodes.size();
    trial_ = types_;
    for (std::size_t id = 0; id < count; ++id) {
      stored_.push_back(as_in_graph(id));
      if (on_device_[id]) ask(id);
    }
    for (const Value head : graph_.heads) facts(head).products_only = false;
    for (std::size_t id = count; id-- > 0;) find_wanted(id);
    for (std::size_t id = 0; id < count; ++id) decide(id);
    return std::move(stored_);
  }

 private:
  const Node& node(std::size_t id) const { return graph_.nodes[id]; }
  const TensorType& type(Value value) const {
    return types_[static_cast<std::size_t>(value.node)][static_cast<std::size_t>(value.index)];
  }
  ValueFacts& facts(Value value) {
    return values_[static_cast<std::size_t>(value.node)][static_cast<std::size_t>(value.index)];
  }
  const Parameter* parameter(Value value) const {
    return graph_.nodes[static_cast<std::size_t>(value.node)].constant.get();
  }

  StoredNode as_in_graph(std::size_t id) const {
    StoredNode stored;
    for (const Value input : node(id).inputs) stored.inputs.push_back(type(input).dtype);
    for (const TensorType& output : types_[id]) stored.outputs.push_back(output.dtype);
    return stored;
  }

  /// Whether input i of a node is of float32 values that its kernel may read in 16 bits.
  bool is_data(std::size_t id, std::size_t i) const {
    const Value input = node(id).inputs[i];
    return nodes_[id].support.reads_half(node(id), i) && type(input).dtype == DType::float32 &&
           !parameter(input) && !is_shape_only(id, i);
  }
  bool is_shape_only(std::size_t id, std::size_t i) const {
    return i == 1 && node(id).op->traits.reads_only_shape_of_second;
  }
  /// Parameters are float32 in memory.
  bool reads_parameter_as_data(std::size_t id) const {
    for (std::size_t i = 0; i < node(id).inputs.size(); ++i) {
      const Value input = node(id).inputs[i];
      if (parameter(input) && type(input).dtype == DType::float32 &&
          nodes_[id].support.reads_half(node(id), i) && !is_shape_only(id, i))
        return true;
    }
    return false;
  }

  bool has_one_type(std::size_t id) const {
    const HalfForm form = nodes_[id].support.form;
    return form == HalfForm::moves || form == HalfForm::one_type;
  }

  // Asks the backend about a node that reads and writes such types.
  bool accepts(std::size_t id, const StoredNode& stored) {
    const auto with_types = [&](bool trial) {
      for (std::size_t i = 0; i < stored.inputs.size(); ++i)
        set(node(id).inputs[i], trial ? stored.inputs[i] : type(node(id).inputs[i]).dtype);
      for (std::size_t o = 0; o < stored.outputs.size(); ++o)
        set({static_cast<std::int32_t>(id), static_cast<std::int32_t>(o)},
            trial ? stored.outputs[o] : types_[id][o].dtype);
    };
    with_types(true);
    const NodeProblem problem(graph_, trial_, id, options_);
    const bool accepted =
        in_context([&] { return graph::describe(node(id)); },
                   [&] { return !ops::accepted(options_.backend->implementations(problem)).empty(); });
    with_types(false);
    return accepted;
  }
  void set(Value value, DType dtype) {
    TensorType& to = trial_[static_cast<std::size_t>(value.node)][static_cast<std::size_t>(value.index)];
    to.dtype = dtype;
    to.is_stored_half = dtype != type(value).dtype;
  }

  StoredNode with_halves(std::size_t id, bool outputs) const {
    StoredNode stored = as_in_graph(id);
    for (std::size_t i = 0; i < stored.inputs.size(); ++i) {
      if (is_data(id, i)) stored.inputs[i] = half_;
    }
    for (DType& output : stored.outputs) {
      if (outputs && output == DType::float32) output = half_;
    }
    return stored;
  }

  void ask(std::size_t id) {
    NodeFacts& facts = nodes_[id];
    facts.support = options_.backend->half_support(node(id));
    if (facts.support.form == HalfForm::none) return;
    const auto& outputs = types_[id];
    const bool is_float32 = std::any_of(outputs.begin(), outputs.end(),
                                        [](const TensorType& t) { return t.dtype == DType::float32; });
    if (!is_float32 || (has_one_type(id) && reads_parameter_as_data(id))) return;
    facts.writes_halves = accepts(id, with_halves(id, true));
    if (facts.support.form == HalfForm::product) facts.writes_float32 = accepts(id, with_halves(id, false));
  }

  bool is_product(std::size_t id) const {
    return nodes_[id].support.form == HalfForm::product &&
           (nodes_[id].writes_halves || nodes_[id].writes_float32);
  }

  void find_wanted(std::size_t id) {
    bool wanted = false, products_only = true;
    for (std::size_t o = 0; o < types_[id].size(); ++o) {
      if (types_[id][o].dtype != DType::float32) continue;
      wanted = wanted || values_[id][o].wanted;
      products_only = products_only && values_[id][o].wanted && values_[id][o].products_only;
    }
    const bool follows = !is_product(id) && nodes_[id].writes_halves && wanted;
    const bool passes_on = follows && nodes_[id].support.form == HalfForm::moves && products_only;
    for (std::size_t i = 0; i < node(id).inputs.size(); ++i) {
      if (node(id).op != nullptr && is_shape_only(id, i)) continue;
      ValueFacts& input = facts(node(id).inputs[i]);
      const bool reads_halves = (is_product(id) || follows) && is_data(id, i);
      input.wanted = input.wanted || reads_halves;
      input.products_only = input.products_only && reads_halves && (is_product(id) || passes_on);
    }
  }

  void decide(std::size_t id) {
    const bool large = half_ == DType::float16 && !node(id).constant && is_large(id);
    for (ValueFacts& output : values_[id]) output.large = large;
    if (!on_device_[id]) return;
    if (is_product(id)) {
      decide_product(id);
    } else {
      decide_other(id, large);
    }
    for (std::size_t o = 0; o < types_[id].size(); ++o)
      values_[id][o].half = stored_[id].outputs[o] != types_[id][o].dtype;
    keep_shape_inputs(id);
  }

  void decide_product(std::size_t id) {
    const NodeFacts& can = nodes_[id];
    const bool wanted = values_[id][0].wanted;
    stored_[id] = with_halves(id, wanted ? can.writes_halves : !can.writes_float32);
  }

  void decide_other(std::size_t id, bool large) {
    bool wanted = false, products_only = true, reads_half = false;
    for (std::size_t o = 0; o < types_[id].size(); ++o) {
      if (types_[id][o].dtype != DType::float32) continue;
      wanted = wanted || values_[id][o].wanted;
      products_only = products_only && values_[id][o].wanted && values_[id][o].products_only;
    }
    for (std::size_t i = 0; i < node(id).inputs.size(); ++i)
      reads_half = reads_half || (is_data(id, i) && facts(node(id).inputs[i]).half);
    const bool is_any_type = nodes_[id].support.form == HalfForm::any_type;
    const bool follows = nodes_[id].writes_halves && wanted;
    const bool before_products = products_only && nodes_[id].support.form != HalfForm::one_type;
    if (follows && (before_products || (reads_half && !large))) {
      StoredNode mixed = as_stored(id, true);
      stored_[id] = is_any_type && accepts(id, mixed) ? mixed : with_halves(id, true);
      return;
    }
    if (is_any_type && reads_half) {
      const StoredNode mixed = as_stored(id, false);
      if (accepts(id, mixed)) stored_[id] = mixed;
    }
    if (follows && reads_half)
      stored_[id].note = "stays float32: its results may be beyond the range of float16";
  }

  /// Its data as it is stored, its results in 16 bits or not.
  StoredNode as_stored(std::size_t id, bool outputs) {
    StoredNode stored = with_halves(id, outputs);
    for (std::size_t i = 0; i < stored.inputs.size(); ++i) {
      if (is_data(id, i) && !facts(node(id).inputs[i]).half) stored.inputs[i] = DType::float32;
    }
    return stored;
  }

  void keep_shape_inputs(std::size_t id) {
    for (std::size_t i = 0; i < node(id).inputs.size(); ++i) {
      const Value input = node(id).inputs[i];
      if (node(id).op != nullptr && is_shape_only(id, i) && facts(input).half) stored_[id].inputs[i] = half_;
    }
  }

  bool is_large(std::size_t id) {
    const Node& at = node(id);
    // An input of the network may be anything.
    if (at.is_variable()) return true;
    if (is_product(id)) return false;
    return ops::may_exceed_float16(at, [&](std::size_t i) {
      const Value input = at.inputs[i];
      const bool is_element =
          at.op->traits.elementwise != ops::Elementwise::no || type(input).dtype == DType::float32;
      if (!is_element || is_shape_only(id, i) || !holds_large(type(input).dtype)) return false;
      const Parameter* constant = parameter(input);
      return constant != nullptr ? ops::exceeds_float16(*constant) : facts(input).large;
    });
  }

  /// Whether elements of the type may be beyond the range of float16.
  static bool holds_large(DType dtype) {
    return size_of(dtype) > 2 || dtype == DType::bfloat16 || dtype == DType::int16 || dtype == DType::uint16;
  }

  const graph::Graph& graph_;
  const shapes::ValueTypes& types_;
  const std::vector<bool>& on_device_;
  const PlanOptions& options_;
  const DType half_;
  shapes::ValueTypes trial_;  ///< types_, but while a node is asked about
  std::vector<NodeFacts> nodes_;
  std::vector<std::vector<ValueFacts>> values_;
  std::vector<StoredNode> stored_;
};

}  // namespace

DType stored_type(const PlanOptions& options) {
  switch (options.precision) {
    case kernels::Precision::float16:
      return DType::float16;
    case kernels::Precision::bfloat16:
      return DType::bfloat16;
    default:
      return DType::float32;
  }
}

std::vector<StoredNode> store_halves(const graph::Graph& graph, const shapes::ValueTypes& types,
                                     const std::vector<bool>& on_device, const PlanOptions& options) {
  return HalfStorage(graph, types, on_device, options).run();
}

}  // namespace mxinfer::plan
