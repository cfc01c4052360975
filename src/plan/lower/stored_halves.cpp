#include "plan/lower/stored_halves.h"

#include <algorithm>

#include "base/fail.h"
#include "ops/backend.h"
#include "ops/elementwise/float16_range.h"
#include "ops/narrow_values.h"
#include "plan/lower/node_view.h"

namespace mxinfer::plan {
namespace {

using graph::Node;
using graph::Value;
using ops::HalfForm;
using ops::NarrowInput;
using ops::TensorType;

class HalfStorage {
 public:
  HalfStorage(const graph::Graph& graph, const shapes::ValueTypes& types, const std::vector<bool>& on_device,
              const PlanOptions& options)
      : graph_(graph),
        types_(types),
        on_device_(on_device),
        options_(options),
        half_(stored_type(options)),
        trial_(types),
        support_(graph.nodes.size()),
        nodes_(graph.nodes.size()) {}

  std::vector<StoredNode> run() {
    const std::size_t count = graph_.nodes.size();
    for (std::size_t id = 0; id < count; ++id) ask(id);
    decisions_ = ops::narrow_values(graph_, nodes_, [&](std::size_t id, const auto& input_is_large) {
      return half_ == DType::float16 && is_large(id, input_is_large);
    });
    std::vector<StoredNode> stored;
    for (std::size_t id = 0; id < count; ++id) stored.push_back(stored_node(id));
    return stored;
  }

 private:
  const Node& node(std::size_t id) const { return graph_.nodes[id]; }
  const TensorType& type(Value value) const {
    return types_[static_cast<std::size_t>(value.node)][static_cast<std::size_t>(value.index)];
  }
  const Parameter* parameter(Value value) const {
    return graph_.nodes[static_cast<std::size_t>(value.node)].constant.get();
  }
  bool is_half(Value value) const {
    return decisions_[static_cast<std::size_t>(value.node)].writes && type(value).dtype == DType::float32;
  }

  StoredNode as_in_graph(std::size_t id) const {
    StoredNode stored;
    for (const Value input : node(id).inputs) stored.inputs.push_back(type(input).dtype);
    for (const TensorType& output : types_[id]) stored.outputs.push_back(output.dtype);
    return stored;
  }

  bool is_shape_only(std::size_t id, std::size_t i) const {
    return i == 1 && node(id).op != nullptr && node(id).op->traits.reads_only_shape_of_second;
  }
  /// Whether the kernels of a node read input i as data, of float32 in the graph.
  bool reads_floats(std::size_t id, std::size_t i) const {
    return support_[id].reads_half(node(id), i) && type(node(id).inputs[i]).dtype == DType::float32 &&
           !is_shape_only(id, i);
  }
  bool reads_parameter_as_data(std::size_t id) const {
    for (std::size_t i = 0; i < node(id).inputs.size(); ++i) {
      if (parameter(node(id).inputs[i]) != nullptr && reads_floats(id, i)) return true;
    }
    return false;
  }
  /// Such a parameter would be packed in 16 bits.
  bool adds_large_parameter(std::size_t id) const {
    for (std::size_t i = 0; i < node(id).inputs.size() && half_ == DType::float16; ++i) {
      const Parameter* added = parameter(node(id).inputs[i]);
      if (added != nullptr && support_[id].adds_half(node(id), i) && ops::exceeds_float16(*added))
        return true;
    }
    return false;
  }
  NarrowInput kind_of(std::size_t id, std::size_t i) const {
    if (is_shape_only(id, i)) return NarrowInput::shape;
    if (!reads_floats(id, i) || parameter(node(id).inputs[i]) != nullptr) return NarrowInput::wide;
    return support_[id].adds_half(node(id), i) ? NarrowInput::addend : NarrowInput::data;
  }
  bool is_data(std::size_t id, std::size_t i) const {
    return nodes_[id].inputs[i] == NarrowInput::data || nodes_[id].inputs[i] == NarrowInput::addend;
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

  /// What the kernels of a node take.
  void ask(std::size_t id) {
    ops::NarrowNode& can = nodes_[id];
    if (on_device_[id]) support_[id] = options_.backend->half_support(node(id));
    const ops::HalfSupport& support = support_[id];
    for (std::size_t i = 0; i < node(id).inputs.size(); ++i) can.inputs.push_back(kind_of(id, i));
    for (const TensorType& output : types_[id]) can.outputs.push_back(output.dtype == DType::float32);
    const bool writes_floats = std::find(can.outputs.begin(), can.outputs.end(), true) != can.outputs.end();
    if (support.form == HalfForm::product) {
      if (adds_large_parameter(id)) return;
      can.writes_narrow = writes_floats && accepts(id, with_halves(id, true));
      can.writes_wide = writes_floats && accepts(id, with_halves(id, false));
      if (can.writes_narrow || can.writes_wide) can.form = HalfForm::product;
      return;
    }
    can.form = support.form;
    if (can.form == HalfForm::none || !writes_floats) return;
    const bool has_one_type = can.form == HalfForm::moves || can.form == HalfForm::one_type;
    if (has_one_type && reads_parameter_as_data(id)) {
      if (!support.packs_parameters) return;
      can.reads_packed = true;
    }
    can.writes_narrow = accepts(id, with_halves(id, true));
  }

  StoredNode stored_node(std::size_t id) {
    if (!on_device_[id]) return as_in_graph(id);
    const ops::NarrowDecision& decision = decisions_[id];
    const bool is_product = nodes_[id].form == HalfForm::product;
    StoredNode stored = is_product && decision.reads ? with_halves(id, decision.writes)
                        : decision.writes            ? writing_halves(id)
                        : decision.reads             ? reading_halves(id)
                                                     : as_in_graph(id);
    if ((is_product && decision.is_large) || adds_large_parameter(id)) {
      stored.note = "stays float32: what it adds may be beyond the range of float16";
    } else if (decision.is_large) {
      stored.note = "stays float32: its results may be beyond the range of float16";
    }
    for (std::size_t i = 0; i < stored.inputs.size(); ++i) {
      const bool is_taken = decision.reads && support_[id].takes_half(node(id), i);
      if ((is_shape_only(id, i) || is_taken) && is_half(node(id).inputs[i])) stored.inputs[i] = half_;
    }
    return stored;
  }

  StoredNode writing_halves(std::size_t id) {
    StoredNode mixed = as_stored(id, true);
    const bool is_mixed = nodes_[id].form == HalfForm::any_type && accepts(id, mixed);
    return is_mixed ? mixed : with_halves(id, true);
  }
  StoredNode reading_halves(std::size_t id) {
    StoredNode mixed = as_stored(id, false);
    const bool is_mixed = nodes_[id].form == HalfForm::any_type && accepts(id, mixed);
    return is_mixed ? mixed : as_in_graph(id);
  }

  /// Its data as it is stored, its results in 16 bits or not.
  StoredNode as_stored(std::size_t id, bool outputs) const {
    StoredNode stored = with_halves(id, outputs);
    for (std::size_t i = 0; i < stored.inputs.size(); ++i) {
      if (is_data(id, i) && !is_half(node(id).inputs[i])) stored.inputs[i] = DType::float32;
    }
    return stored;
  }

  bool is_large(std::size_t id, FunctionRef<bool(std::size_t)> input_is_large) const {
    const Node& at = node(id);
    if (at.constant != nullptr) return false;
    // An input of the network may be anything.
    if (at.is_variable()) return true;
    if (nodes_[id].form == HalfForm::product) return false;
    return ops::may_exceed_float16(at, [&](std::size_t i) {
      const Value input = at.inputs[i];
      if (!is_element(id, i) || is_shape_only(id, i) || !holds_large(type(input).dtype)) return false;
      const Parameter* constant = parameter(input);
      if (constant == nullptr) return input_is_large(i);
      return nodes_[id].reads_packed ? ops::exceeds_float16(*constant) : ops::may_exceed_float16(*constant);
    });
  }

  /// Whether results may be elements of input i, or made of them.
  bool is_element(std::size_t id, std::size_t i) const {
    if (support_[id].form == HalfForm::moves) return support_[id].reads_half(node(id), i);
    return node(id).op->traits.elementwise != ops::Elementwise::no ||
           type(node(id).inputs[i]).dtype == DType::float32;
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
  std::vector<ops::HalfSupport> support_;
  std::vector<ops::NarrowNode> nodes_;
  std::vector<ops::NarrowDecision> decisions_;
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
