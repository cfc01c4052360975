#include "api/generation/generator_graph.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "api/generation/generator_trials.h"
#include "base/fail.h"
#include "model/check_inputs.h"
#include "model/model_data.h"
#include "ops/op_def.h"
#include "sequence/check_options.h"
#include "sequence/input_roles.h"
#include "sequence/input_trace.h"
#include "sequence/state_pairs.h"
#include "tensor/names.h"

namespace mxinfer::api {
namespace {

std::size_t input_named(const Model& model, const std::string& name, const char* option) {
  return index_named(model.signature().inputs, name, option, "input", describe_model(data_of(model)));
}

std::size_t output_named(const Model& model, const std::string& name, const char* option) {
  return index_named(model.signature().outputs, name, option, "output", describe_model(data_of(model)));
}

bool may_be_equal(const Shape& a, const Shape& b) {
  if (a.rank() == 0 || b.rank() == 0) return true;
  if (a.rank() != b.rank()) return false;
  for (std::size_t i = 0; i < a.rank(); ++i) {
    if (a[i] >= 0 && b[i] >= 0 && a[i] != b[i]) return false;
  }
  return true;
}

// Optional inputs; none if there are not enough outputs, or their shapes are others.
std::vector<GeneratorGraph::State> guess_states(const Model& model) {
  const Signature& signature = model.signature();
  std::vector<std::size_t> inputs;
  for (std::size_t i = 0; i < signature.inputs.size(); ++i) {
    if (signature.inputs[i].is_optional) inputs.push_back(i);
  }
  std::vector<GeneratorGraph::State> states;
  for (const auto& [input, output] : guessed_pairs(data_of(model).graph, inputs, signature.outputs.size())) {
    if (!may_be_equal(signature.inputs[input].shape, signature.outputs[output].shape)) return {};
    states.push_back({input, output, axis_of_rows(signature.inputs[input])});
  }
  return states;
}

std::vector<GeneratorGraph::State> find_states(const Model& model, const std::vector<StateNames>& names) {
  if (names.empty()) return guess_states(model);
  const Signature& signature = model.signature();
  std::vector<GeneratorGraph::State> states;
  std::set<std::size_t> outputs;
  for (const StateNames& name : names) {
    const std::size_t input = input_named(model, name.input, "GeneratorOptions::states");
    states.push_back({input, output_named(model, name.output, "GeneratorOptions::states"),
                      axis_of_rows(signature.inputs[input])});
    if (!outputs.insert(states.back().output).second) {
      fail(ErrorCode::invalid_argument, "GeneratorOptions::states names output '", printable(name.output),
           "' twice; each state needs its own output");
    }
  }
  return states;
}

class Roles {
 public:
  explicit Roles(const Signature& signature) : signature_(signature) {}

  void take(std::size_t input, const char* part) {
    if (!taken_.insert(input).second) {
      fail(ErrorCode::invalid_argument, "GeneratorOptions give input '",
           printable(signature_.inputs[input].name), "' two roles, one of them ", part,
           "; an input has at most one");
    }
  }
  bool is_free(std::size_t input) const { return taken_.count(input) == 0; }
  std::size_t size() const { return signature_.inputs.size(); }

 private:
  const Signature& signature_;
  std::set<std::size_t> taken_{};
};

bool keeps_values(const std::string& op) {
  static const auto& names = *new std::set<std::string>{
      "_copy",     "identity", "Reshape", "reshape", "expand_dims", "squeeze",   "SwapAxis",
      "transpose", "Flatten",  "flatten", "Cast",    "cast",        "BlockGrad", "slice_axis"};
  return names.count(op) != 0;
}

// Whether an Embedding reads it.
bool is_looked_up(const graph::Graph& graph, std::size_t input) {
  for (const graph::Node& node : graph.nodes) {
    if (node.op == nullptr || node.op->name != "Embedding" || node.inputs.empty()) continue;
    const graph::Node* from = &graph.nodes[static_cast<std::size_t>(node.inputs[0].node)];
    while (!from->is_variable() && keeps_values(from->op_name) && !from->inputs.empty())
      from = &graph.nodes[static_cast<std::size_t>(from->inputs[0].node)];
    if (from->input_index == static_cast<std::int32_t>(input)) return true;
  }
  return false;
}

std::size_t guess_tokens(const Roles& roles, const Model& model) {
  const Signature& signature = model.signature();
  for (std::size_t i = 0; i < roles.size(); ++i) {
    if (roles.is_free(i) && is_looked_up(data_of(model).graph, i)) return i;
  }
  const bool lengths_too = roles.size() == 1;
  for (std::size_t i = 0; i < roles.size(); ++i) {
    if (roles.is_free(i) && (lengths_too || !is_length_name(signature.inputs[i].name))) return i;
  }
  fail(ErrorCode::invalid_argument, "the model has no input for tokens: all of its inputs (",
       names_of(signature.inputs),
       ") are states or steps. If one of them takes the tokens, name it in GeneratorOptions::token_input");
}

std::size_t find_score_output(const GeneratorGraph& graph, const Model& model, const std::string& name) {
  if (!name.empty()) return output_named(model, name, "GeneratorOptions::score_output");
  const Signature& signature = model.signature();
  for (std::size_t i = 0; i < signature.outputs.size(); ++i) {
    const auto is_it = [i](const GeneratorGraph::State& state) { return state.output == i; };
    if (std::none_of(graph.states.begin(), graph.states.end(), is_it)) return i;
  }
  fail(ErrorCode::invalid_argument, "all outputs of the model (", names_of(signature.outputs),
       ") are states; expected one with a score for each token (GeneratorOptions::score_output, states)");
}

// By the operator that computes the scores, skipping those that only move them.
ScoreKind guess_kind(const graph::Graph& graph, std::size_t output) {
  if (output >= graph.heads.size()) return ScoreKind::logits;
  const graph::Node* node = &graph.nodes[static_cast<std::size_t>(graph.heads[output].node)];
  while (!node->is_variable() && keeps_values(node->op_name) && !node->inputs.empty())
    node = &graph.nodes[static_cast<std::size_t>(node->inputs[0].node)];
  const std::string& op = node->op_name;
  if (op == "log_softmax") return ScoreKind::log_probabilities;
  if (op == "softmax" || op == "SoftmaxOutput" || op == "Softmax" || op == "SoftmaxActivation")
    return ScoreKind::probabilities;
  return ScoreKind::logits;
}

void check_layout(const GeneratorOptions& options, bool whole_prefix) {
  const std::string layout = layout_named(options.token_layout);
  if (layout.empty() || layout == "NT" || layout == "TN" || (layout == "N" && !whole_prefix)) return;
  fail(ErrorCode::invalid_argument, "GeneratorOptions::token_layout is '", printable(layout), "'; expected ",
       whole_prefix ? "NT or TN for a whole prefix" : "N, NT or TN");
}

void check_lengths(const GeneratorOptions& options, bool whole_prefix) {
  check_buckets(options.buckets, "GeneratorOptions::buckets");
  if (options.buckets.empty() || whole_prefix) return;
  fail(ErrorCode::invalid_argument,
       "GeneratorOptions::buckets are for networks that take a whole prefix; this one takes one token per "
       "step");
}

void check_pad_id(const Model& model, const GeneratorGraph& graph, double value) {
  const DataDesc& desc = model.signature().inputs[graph.tokens];
  if (value != std::trunc(value)) {
    fail(ErrorCode::invalid_argument, "GeneratorOptions::pad_value is ", value,
         "; expected a whole number, the id of a token of input '", printable(desc.name), "', ",
         to_string(desc.dtype));
  }
  const graph::Graph& network = data_of(model).graph;
  const auto rows = trace_input(network, variable_of(network, graph.tokens)).rows;
  check_pad_value(value, desc, rows, "GeneratorOptions::pad_value", describe_model(data_of(model)));
}

// Assigns the roles of the inputs.
void find_inputs(const Model& model, const GeneratorOptions& options, GeneratorGraph& graph) {
  const auto& inputs = model.signature().inputs;
  Roles roles(model.signature());
  for (const GeneratorGraph::State& state : graph.states) roles.take(state.input, "a state");
  if (!options.position_input.empty()) {
    graph.position = input_named(model, options.position_input, "GeneratorOptions::position_input");
    roles.take(*graph.position, "the number of the step");
  }
  if (!options.length_input.empty()) {
    graph.length = input_named(model, options.length_input, "GeneratorOptions::length_input");
    roles.take(*graph.length, "the length");
  }
  graph.tokens = options.token_input.empty()
                     ? guess_tokens(roles, model)
                     : input_named(model, options.token_input, "GeneratorOptions::token_input");
  roles.take(graph.tokens, "the tokens");
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (!roles.is_free(i)) continue;
    if (graph.whole_prefix && !graph.length && is_length_name(inputs[i].name)) {
      graph.length = i;
    } else {
      graph.fixed.push_back(i);
    }
  }
}

}  // namespace

std::size_t axis_of_rows(const DataDesc& desc) {
  const std::size_t found = desc.layout.find('N');
  return found == std::string::npos ? 0 : found;
}

Shape token_shape(const std::string& layout, std::int64_t rows, std::int64_t tokens) {
  if (layout == "N") return {rows};
  return layout == "TN" ? Shape{tokens, rows} : Shape{rows, tokens};
}

GeneratorGraph find_generator_graph(const Predictor& predictor, const GeneratorOptions& options) {
  const Model& model = predictor.model();
  GeneratorGraph graph;
  graph.states = find_states(model, options.states);
  graph.whole_prefix =
      options.step == StepKind::whole_prefix || (options.step == StepKind::automatic && graph.states.empty());
  check_layout(options, graph.whole_prefix);
  check_lengths(options, graph.whole_prefix);
  find_inputs(model, options, graph);
  check_pad_id(model, graph, options.pad_value);
  graph.scores = find_score_output(graph, model, options.score_output);
  graph.kind = options.scores == ScoreKind::automatic ? guess_kind(data_of(model).graph, graph.scores)
                                                      : options.scores;
  find_layout(predictor, layout_named(options.token_layout), graph);
  if (graph.whole_prefix) find_order_of_scores(predictor, options.buckets, graph);
  return graph;
}

}  // namespace mxinfer::api
