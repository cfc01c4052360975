#include "compose/attach_transforms.h"

#include <algorithm>
#include <map>
#include <memory>
#include <set>
#include <utility>

#include "base/fail.h"
#include "compose/columns/attach_columns.h"
#include "compose/connectors.h"
#include "compose/fit_input.h"
#include "compose/texts/attach_texts.h"
#include "model/check_inputs.h"
#include "ops/registry.h"

namespace mxinfer::api {
namespace {

using graph::Graph;
using graph::Node;
using graph::Value;
using ops::TensorType;

const std::vector<Transform>& steps_for(const TransformLists& lists, const std::string& name) {
  const auto found = lists.named.find(name);
  return found == lists.named.end() ? lists.all : found->second;
}

// The operator that does arithmetic on an input before anything else; nullptr if none does.
const Node* leading_arithmetic(const Graph& graph, const std::string& input) {
  static const std::set<std::string>& kOps = *new std::set<std::string>{
      "_plus_scalar",  "_minus_scalar", "_rminus_scalar", "_mul_scalar",   "_div_scalar",     "_rdiv_scalar",
      "broadcast_add", "broadcast_sub", "broadcast_mul",  "broadcast_div", "_image_normalize"};
  const Value value{find_variable(graph, input), 0};
  for (const Node& node : graph.nodes) {
    if (node.op == nullptr || kOps.count(node.op->name) == 0) continue;
    if (std::find(node.inputs.begin(), node.inputs.end(), value) != node.inputs.end()) return &node;
  }
  return nullptr;
}

void warn_of_arithmetic(const Network& network, const std::string& name, const std::vector<Transform>& steps,
                        std::vector<std::string>& warnings) {
  static const std::set<std::string>& kArithmetic =
      *new std::set<std::string>{"to_tensor", "normalize", "scale", "add", "sub", "mul", "div"};
  const auto step = std::find_if(steps.begin(), steps.end(),
                                 [](const Transform& each) { return kArithmetic.count(each.op) > 0; });
  const Node* node = leading_arithmetic(network.bare->graph, name);
  if (step == steps.end() || node == nullptr) return;
  warnings.push_back(concat("input '", printable(name), "': the network itself begins with arithmetic ('",
                            printable(node->name), "'), and step ", step->op,
                            " is applied as well; make sure that pixels are not normalised twice"));
}

void rename(const Graph& graph, Node& input, const std::string& name) {
  for (const Node& node : graph.nodes) {
    if (node.name != name) continue;
    fail(ErrorCode::invalid_argument, "the signature calls it '", printable(name),
         "', which is the name of another node of the network");
  }
  input.name = name;
}

/// Makes the nodes before `end` and the heads read `to` instead of `from`.
void redirect(Graph& graph, std::size_t end, Value from, Value to) {
  for (std::size_t id = 0; id < end; ++id) {
    for (Value& value : graph.nodes[id].inputs) {
      if (value == from) value = to;
    }
  }
  for (Value& head : graph.heads) {
    if (head == from) head = to;
  }
}

/// The variable of a network's input becomes the model's input, and its readers read the connector.
void put_in_front(Graph& graph, const std::string& name, std::size_t index, const FittedInput& fitted,
                  std::vector<std::string>& lines) {
  const Value variable{find_variable(graph, name), 0};
  const std::size_t first = graph.nodes.size();
  std::vector<std::string> chain_lines;
  const auto ends = append_chain(graph, fitted.chain, variable, name, chain_lines);
  if (ends.size() != 1) {
    fail(ErrorCode::invalid_argument, "the last step gives ", ends.size(),
         " values, but the network takes one (its input: ", fitted.chain.trace(), ")");
  }
  Node connector =
      make_input_connector(fresh_name(graph, name + "_batchify"), "batchify", index, name, ends[0].value);
  Node& input = graph.nodes[static_cast<std::size_t>(variable.node)];
  take_hints(input, connector);
  set_hints(input, fitted.desc);
  if (fitted.desc.name != name) rename(graph, input, fitted.desc.name);
  lines.push_back(to_string(fitted.desc));
  lines.insert(lines.end(), chain_lines.begin(), chain_lines.end());
  redirect(graph, first, variable, {graph::append(graph, std::move(connector)), 0});
}

/// The model's input if nothing is attached to it.
DataDesc plain_input(const Network& network, std::size_t index, const DataDesc* given) {
  const DataDesc& own = network.bare->signature.inputs[index];
  DataDesc desc = given != nullptr ? *given : own;
  if (desc.name != own.name) {
    fail(ErrorCode::invalid_argument, "the signature calls it '", printable(desc.name),
         "', but an input without transforms keeps its name");
  }
  if (desc.dtype != own.dtype && network.bare->declared.at(index)) {
    fail(ErrorCode::invalid_argument, "the signature says ", to_string(desc.dtype),
         ", but the network takes ", to_string(own.dtype));
  }
  return desc;
}

void attach_input(Graph& graph, const Network& network, std::size_t index,
                  const std::vector<Transform>& steps, const DataDesc* given, AttachedInputs& attached) {
  if (steps.empty()) {
    DataDesc desc = plain_input(network, index, given);
    attached.trials.push_back(desc.shape.rank() > 0 ? trials_of(desc, 1) : Trials());
    attached.descs.push_back(std::move(desc));
    return;
  }
  const DataDesc& own = network.bare->signature.inputs[index];
  FittedInput fitted = fit_input(own, steps, given);
  for (const std::string& warning : fitted.chain.warnings()) {
    attached.warnings.push_back(concat("input '", printable(own.name), "', ", warning));
  }
  warn_of_arithmetic(network, own.name, steps, attached.warnings);
  put_in_front(graph, own.name, index, fitted, attached.lines);
  attached.trials.push_back(fitted.chain.types());
  attached.descs.push_back(std::move(fitted.desc));
  attached.steps[own.name] = steps;
}

/// By input of the network: the texts that it is made of.
using TextInputs = std::map<std::string, std::shared_ptr<AttachedText>>;

TextInputs attach_texts(Graph& graph, const Network& network, const std::vector<PreparedText>& texts,
                        AttachedInputs& attached) {
  TextInputs inputs;
  for (const PreparedText& prepared : texts) {
    const auto text =
        std::make_shared<AttachedText>(attach_text(graph, network, prepared, attached.of_texts, attached));
    for (const auto& [name, trials] : text->trials) {
      inputs[name] = text;
      attached.of_texts.insert(name);
    }
    attached.sequences.push_back(text->sequence);
  }
  return inputs;
}

void refuse_both(const TransformLists& lists, const std::string& name) {
  if (lists.named.count(name) == 0 && lists.columns.count(name) == 0) return;
  fail(ErrorCode::invalid_argument, "it is made of texts, but it also has ",
       lists.named.count(name) > 0 ? "a list of steps" : "columns", "; give one of them");
}

/// The texts take the place of the first of the network's inputs made of them.
void take_text(AttachedText& text, const std::string& name, AttachedInputs& attached) {
  for (DataDesc& desc : std::exchange(text.descs, {})) attached.descs.push_back(std::move(desc));
  attached.trials.push_back(text.trials.at(name));
}

bool gives_scores(const Graph& graph, Value value, const DataDesc& desc,
                  const std::vector<std::string>& labels) {
  static const std::set<std::string>& kOps =
      *new std::set<std::string>{"SoftmaxOutput", "softmax", "SoftmaxActivation"};
  if (desc.shape.rank() != 2 || desc.dtype != DType::float32) return false;
  if (!labels.empty() && desc.shape[1] == static_cast<std::int64_t>(labels.size())) return true;
  const Node* node = &graph.nodes[static_cast<std::size_t>(value.node)];
  while (node->op != nullptr && node->op->op_class == ops::OpClass::identity) {
    node = &graph.nodes[static_cast<std::size_t>(node->inputs[0].node)];
  }
  return node->op != nullptr && kOps.count(node->op->name) > 0;
}

/// network: the descriptor of the network's output if the result is just that, else null.
DataDesc describe_result(const Graph& graph, const ChainResult& result, const DataDesc* network,
                         const std::vector<std::string>& labels) {
  DataDesc desc;
  if (network != nullptr) desc = *network;
  desc.name = ops::output_name(graph, result.value);
  if (!result.types.empty() && result.types[0].shape.rank() > 0) {
    const TensorType type = common_type(result.types);
    desc.shape = type.shape;
    desc.dtype = type.dtype;
    if (desc.layout.size() != desc.shape.rank()) desc.layout.clear();
  }
  if (desc.meaning == Meaning::unspecified) desc.meaning = result.meaning;
  if (desc.meaning == Meaning::unspecified && network != nullptr &&
      gives_scores(graph, result.value, desc, labels)) {
    desc.meaning = Meaning::scores;
  }
  return desc;
}

/// The chain of an output's steps, behind its connector; empty if there are none.
std::vector<ChainResult> attach_output(Graph& graph, std::size_t index, Value head, const DataDesc& network,
                                       const std::vector<Transform>& steps, const Trials& types,
                                       Attached& attached) {
  const std::string name = graph.nodes[static_cast<std::size_t>(head.node)].name;
  Node connector = make_connector(fresh_name(graph, name + "_no_op"), "no_op", index, head);
  const Value end{graph::append(graph, std::move(connector)), 0};
  if (!steps.empty()) attached.steps[network.name] = steps;
  if (!steps.empty() && types.empty()) {
    fail(ErrorCode::invalid_argument,
         "the types of the network's inputs are not known, so those of its outputs are not either; describe "
         "its inputs");
  }
  Chain chain(types.empty() ? Trials{{}} : types, Layout::unknown);
  chain.add_all(steps);
  for (const std::string& warning : chain.warnings()) {
    attached.warnings.push_back(concat("output '", printable(network.name), "', ", warning));
  }
  return append_chain(graph, chain, end, name, attached.lines);
}

}  // namespace

bool has_steps(const TransformLists& lists) {
  return !lists.all.empty() || !lists.columns.empty() || !lists.texts.empty() ||
         std::any_of(lists.named.begin(), lists.named.end(),
                     [](const auto& list) { return !list.second.empty(); });
}

void require_known_names(const TransformLists& lists, const std::vector<DataDesc>& descs, const char* what) {
  std::set<std::string> names;
  for (const auto& [name, steps] : lists.named) names.insert(name);
  for (const auto& [name, columns] : lists.columns) {
    if (names.insert(name).second) continue;
    fail(ErrorCode::invalid_argument, "there are both columns and a list of steps for '", printable(name),
         "'; give one of them");
  }
  for (const std::string& name : names) {
    const bool known =
        std::any_of(descs.begin(), descs.end(), [&](const DataDesc& desc) { return desc.name == name; });
    if (known) continue;
    fail(ErrorCode::invalid_argument, "there are transforms for '", printable(name),
         "', but the network has no ", what, " of that name; it has ", names_of(descs));
  }
}

AttachedInputs attach_preprocessing(Graph& graph, const Network& network, const TransformLists& lists,
                                    const std::vector<PreparedText>& texts,
                                    const std::vector<const DataDesc*>& given) {
  AttachedInputs attached;
  TextInputs by_text = attach_texts(graph, network, texts, attached);
  const std::vector<DataDesc>& inputs = network.bare->signature.inputs;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    in_context([&] { return concat("input '", printable(inputs[i].name), "'"); },
               [&] {
                 if (by_text.count(inputs[i].name) > 0) {
                   refuse_both(lists, inputs[i].name);
                   return take_text(*by_text.at(inputs[i].name), inputs[i].name, attached);
                 }
                 const auto columns = lists.columns.find(inputs[i].name);
                 if (columns != lists.columns.end())
                   return attach_columns(graph, network, i, columns->second, attached);
                 attach_input(graph, network, i, steps_for(lists, inputs[i].name), given[i], attached);
               });
  }
  return attached;
}

Attached attach_postprocessing(Graph& graph, const Network& network, const TransformLists& lists,
                               const std::vector<Trials>& network_outputs,
                               const std::vector<std::string>& labels) {
  Attached attached;
  const bool any = has_steps(lists);
  const std::vector<Value> heads = std::exchange(graph.heads, {});
  const auto attach_one = [&](std::size_t h) {
    const DataDesc& network_output = network.bare->signature.outputs[h];
    const std::vector<Transform>& steps = steps_for(lists, network_output.name);
    const Trials& types = network_outputs[h];
    std::vector<ChainResult> results{{heads[h], types, Meaning::unspecified}};
    if (any) results = attach_output(graph, h, heads[h], network_output, steps, types, attached);
    for (const ChainResult& result : results) {
      const DataDesc* same = !any || steps.empty() ? &network_output : nullptr;
      attached.descs.push_back(describe_result(graph, result, same, labels));
      graph.heads.push_back(result.value);
    }
  };
  for (std::size_t h = 0; h < heads.size(); ++h) {
    in_context([&] { return concat("output '", printable(network.bare->signature.outputs[h].name), "'"); },
               [&] { attach_one(h); });
  }
  return attached;
}

}  // namespace mxinfer::api
