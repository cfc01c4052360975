#include "load/signature/network_inputs.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <unordered_set>
#include <utility>

#include "ops/nn/convolution/conv_params.h"
#include "ops/op_def.h"
#include "passes/infer_outputs.h"
#include "tensor/read_element.h"

namespace mxinfer::api {
namespace {

using graph::Graph;
using graph::Node;
using ops::PartialShape;
using ops::PartialShapes;

// Markers for the dimensions of a value while a layout is traced; no network has such sizes.
constexpr std::int64_t kFirstMark = std::int64_t{1} << 61;

const Parameter* constant_at(const Graph& graph, const Node& node, std::size_t i) {
  if (i >= node.inputs.size() || node.inputs[i].index != 0) return nullptr;
  return graph.nodes[static_cast<std::size_t>(node.inputs[i].node)].constant.get();
}

// What the weight of a node says about its first input; nullopt if there is no weight or it says nothing.
std::optional<Shape> shape_for_weight(const Graph& graph, const Node& node) {
  const Parameter* weight = constant_at(graph, node, 1);
  if (node.op->traits.input_shape == nullptr || weight == nullptr || weight->shape().rank() < 1)
    return std::nullopt;
  return node.op->traits.input_shape(node.attrs, weight->shape());
}

// The layout of an input of operators that have one: sequences and states of an RNN, data of a convolution,
// or of a pooling with channels last.
std::string layout_of_input(const Graph& graph, const Node& node, std::size_t input) {
  if (node.op->name == "RNN") return input == 0 ? "TNC" : "LNC";
  if (ops::has_channels_last(node.attrs)) return node.attrs.choice("layout");
  const auto shape = shape_for_weight(graph, node);
  if (!shape || shape->rank() < 3 || shape->rank() > 5) return "";
  return node.attrs.has("layout") ? node.attrs.choice("layout")
                                  : ops::spatial_layout(shape->rank() - 2, false);
}

// Whether the node determines the shape of this input: data beside a weight, the sequences of an RNN, its
// states.
bool tells_of_input(const Graph& graph, const Node& node, std::size_t input) {
  if (node.op->name == "RNN")
    return input == 0 || input == 2 || (input == 3 && node.attrs.text("mode") == "lstm");
  return input == 0 && (ops::has_channels_last(node.attrs) || shape_for_weight(graph, node).has_value());
}

// The meaning of an empty layout.
bool is_usual(const std::string& layout) {
  return layout == "NCHW" || layout == "NCW" || layout == "NCDHW" || layout == "NTC";
}

// A node and which of its inputs it is.
struct Reading {
  int node;
  std::size_t input;
};

// By node: those that read its first output.
class ReadersOfFirst {
 public:
  explicit ReadersOfFirst(const Graph& graph) : readers_(graph.nodes.size()) {
    for (std::size_t id = 0; id < graph.nodes.size(); ++id) {
      const Node& node = graph.nodes[id];
      if (node.op == nullptr) continue;
      for (std::size_t i = 0; i < node.inputs.size(); ++i) {
        if (node.inputs[i].index == 0)
          readers_[static_cast<std::size_t>(node.inputs[i].node)].push_back({static_cast<int>(id), i});
      }
    }
  }
  const std::vector<Reading>& of(int node) const { return readers_[static_cast<std::size_t>(node)]; }

 private:
  std::vector<std::vector<Reading>> readers_;
};

bool turns_axes(const Node& node) {
  const std::string& op = node.op->name;
  return op == "transpose" || op == "SwapAxis" || op == "expand_dims" || op == "squeeze" ||
         op == "_np_transpose" || op == "_np_squeeze";
}

// Whether the output of a node has the dimensions of that input, perhaps permuted.
bool passes_on(const Node& node, std::size_t input) {
  if (input > 0) return node.op->traits.elementwise == ops::Elementwise::same_shape;
  return ops::keeps_channels(node.op->traits) || turns_axes(node);
}

// The path from a variable to the first operator that determines one of its inputs, searched depth first.
class Way {
 public:
  Way(const Graph& graph, const ReadersOfFirst& readers, int variable) : graph_(graph) {
    // An explicit stack: deep graphs would overflow the call stack.
    std::vector<Step> open;
    std::unordered_set<int> seen;
    const auto follow = [&](int node, int from) {
      const auto& of = readers.of(node);
      for (auto reader = of.rbegin(); reader != of.rend(); ++reader) open.push_back({*reader, from});
    };
    follow(variable, -1);
    while (!open.empty()) {
      const Step step = open.back();
      open.pop_back();
      const Node& node = at(step.reading.node);
      if (tells_of_input(graph, node, step.reading.input)) {
        end_ = step.reading;
        before_end_ = step.from;
        return;
      }
      if (!passes_on(node, step.reading.input) || !seen.insert(step.reading.node).second) continue;
      steps_.push_back(step);
      follow(step.reading.node, static_cast<int>(steps_.size()) - 1);
    }
  }

  // nullptr if there is none.
  const Node* end() const { return end_ ? &at(end_->node) : nullptr; }
  // Which input of it. Precondition: there is one.
  std::size_t input() const { return end_->input; }

  // The nodes between the variable and the end, the last one first.
  std::vector<const Node*> between() const {
    std::vector<const Node*> nodes;
    for (int i = before_end_; i >= 0; i = steps_[static_cast<std::size_t>(i)].from)
      nodes.push_back(&at(steps_[static_cast<std::size_t>(i)].reading.node));
    return nodes;
  }

 private:
  struct Step {
    Reading reading;
    int from;  ///< of steps_; -1 for the variable
  };

  const Node& at(int id) const { return graph_.nodes[static_cast<std::size_t>(id)]; }

  const Graph& graph_;
  std::vector<Step> steps_;
  std::optional<Reading> end_;
  int before_end_ = -1;
};

// The shape of a node's first input if its output has `shape`.
PartialShape before(const Node& node, PartialShape shape) {
  if (ops::keeps_channels(node.op->traits)) return shape;
  PartialShapes inputs(node.inputs.size());
  PartialShapes outputs(static_cast<std::size_t>(std::max(node.num_outputs, 1)));
  outputs[0] = shape;
  if (!node.op->unify) return std::nullopt;
  try {
    node.op->unify(node.attrs, inputs, outputs);
  } catch (const Error&) {
    return std::nullopt;  // attributes that do not fit the rank: inference will report them
  }
  return inputs[0];
}

PartialShape at_the_variable(const Way& way, PartialShape shape) {
  for (const Node* node : way.between()) {
    if (shape) shape = before(*node, shape);
  }
  return shape;
}

// Marks each dimension at the end of the path and finds it at its beginning.
std::string layout_at_the_variable(const Graph& graph, const Way& way) {
  const std::string layout = layout_of_input(graph, *way.end(), way.input());
  if (layout.empty()) return "";
  Shape marks;
  for (std::size_t i = 0; i < layout.size(); ++i) marks.push_back(kFirstMark + static_cast<std::int64_t>(i));
  const PartialShape found = at_the_variable(way, marks);
  if (!found) return "";
  std::string letters;
  for (const std::int64_t mark : *found) {
    if (mark < kFirstMark) return "";
    letters += layout[static_cast<std::size_t>(mark - kFirstMark)];
  }
  return is_usual(letters) ? "" : letters;
}

bool changes_nothing(const Node& node) {
  return node.op->op_class == ops::OpClass::identity || node.op->name == "Cast" || turns_axes(node);
}

// Means of the channels of photographs are about 100 where pixels are 0 to 255, and below 1 where they are
// 0 to 1.
bool are_means_of_pixels(const Parameter& constant) {
  constexpr std::int64_t kMostChannels = 4;
  if (constant.elements() < 1 || constant.elements() > kMostChannels) return false;
  const std::shared_ptr<const Tensor> means = constant.value();
  const ElementReader read = element_reader(means->dtype());
  for (std::int64_t i = 0; i < constant.elements(); ++i) {
    const double mean = read(means->raw(), i);
    if (!(mean > 1 && mean < 255)) return false;
  }
  return true;
}

bool subtracts_means_of_pixels(const Graph& graph, const Way& way) {
  const std::vector<const Node*> nodes = way.between();
  const auto first =
      std::find_if(nodes.rbegin(), nodes.rend(), [](const Node* node) { return !changes_nothing(*node); });
  if (first == nodes.rend() || (*first)->op->name != "broadcast_sub") return false;
  const Parameter* constant = constant_at(graph, **first, 1);
  return constant != nullptr && are_means_of_pixels(*constant);
}

// A size besides the batch.
bool says_more_than_rank(const PartialShape& shape) {
  return shape && std::any_of(shape->begin(), shape->end(), [](std::int64_t dim) { return dim >= 0; });
}

}  // namespace

std::vector<NetworkInput> read_network_inputs(const Graph& graph) {
  std::vector<int> variables;
  for (std::size_t id = 0; id < graph.nodes.size(); ++id) {
    const auto index = static_cast<std::size_t>(graph.nodes[id].input_index);
    if (graph.nodes[id].input_index < 0) continue;
    if (variables.size() <= index) variables.resize(index + 1, -1);
    variables[index] = static_cast<int>(id);
  }
  std::vector<NetworkInput> inputs(variables.size());
  const PartialShapes shapes = passes::complete_inputs(graph, PartialShapes(variables.size()), {});
  const ReadersOfFirst readers(graph);
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    NetworkInput& input = inputs[i];
    if (says_more_than_rank(shapes[i])) input.shape = shapes[i];
    if (variables[i] < 0) continue;
    const Way way(graph, readers, variables[i]);
    if (way.end() == nullptr) continue;
    if (const auto shape = shape_for_weight(graph, *way.end())) {
      PartialShape at_start = at_the_variable(way, *shape);
      ops::unify(input.shape, at_start);
    }
    input.layout = layout_at_the_variable(graph, way);
    if (input.shape && input.layout.size() != input.shape->rank()) input.layout.clear();
    input.is_pixels = subtracts_means_of_pixels(graph, way);
  }
  return inputs;
}

}  // namespace mxinfer::api
