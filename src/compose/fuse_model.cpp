#include "compose/fuse_model.h"

#include <algorithm>
#include <set>
#include <utility>

#include "base/fail.h"
#include "compose/build_transforms.h"
#include "compose/fit_input.h"
#include "compose/transforms_json.h"
#include "formats/params.h"
#include "formats/sample_json.h"
#include "model/check_inputs.h"
#include "ops/registry.h"
#include "passes/passes.h"
#include "plan/shapes/infer.h"

namespace mxinfer::api {
namespace {

using graph::Graph;
using graph::Node;
using graph::Value;
using ops::TensorType;

constexpr const char* kHints[] = {"__shape__", "__dtype__", "__layout__"};

const std::vector<Transform>& steps_for(const TransformLists& lists, const std::string& name) {
  const auto found = lists.named.find(name);
  return found == lists.named.end() ? lists.all : found->second;
}

void refuse_unknown_names(const TransformLists& lists, const std::vector<DataDesc>& descs, const char* what) {
  for (const auto& [name, steps] : lists.named) {
    const bool known = std::any_of(descs.begin(), descs.end(),
                                   [&name = name](const DataDesc& desc) { return desc.name == name; });
    if (known) continue;
    fail(ErrorCode::invalid_argument, "there are transforms for '", printable(name),
         "', and the network has no ", what, " of that name; it has ", names_of(descs));
  }
}

std::int32_t find_variable(const Graph& graph, const std::string& name) {
  for (std::size_t id = 0; id < graph.nodes.size(); ++id) {
    if (graph.nodes[id].is_variable() && graph.nodes[id].name == name) return static_cast<std::int32_t>(id);
  }
  fail(ErrorCode::internal, "input '", printable(name), "' is not in the graph");
}

// The outputs that were asked for, by the names of their nodes.
void take_heads(Graph& graph, const Graph& bare) {
  std::vector<Value> heads;
  for (Value head : bare.heads) {
    const std::string& name = bare.nodes[static_cast<std::size_t>(head.node)].name;
    const auto same = [&](const Node& node) { return node.name == name; };
    const auto found = std::find_if(graph.nodes.begin(), graph.nodes.end(), same);
    if (found == graph.nodes.end()) fail(ErrorCode::internal, "node '", printable(name), "' is missing");
    heads.push_back({static_cast<std::int32_t>(found - graph.nodes.begin()), head.index});
  }
  graph.heads = std::move(heads);
  graph::remove_dead_nodes(graph);
}

Node connector(const char* kind, std::size_t index, Value value) {
  Node node = ops::make_node("", "identity", {}, {value});
  node.raw_attrs = {{"__mxinfer_connector__", kind}, {"__mxinfer_index__", std::to_string(index)}};
  return node;
}

// The operator that does arithmetic on an input before anything else; nullptr where none does.
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

class Fuser {
 public:
  Fuser(const Network& network, const FuseRequest& request)
      : network_(network), request_(request), bare_(network.bare->signature) {
    fused_.graph = network.graph;
  }

  FusedModel fuse() {
    refuse_unknown_names(request_.transforms, bare_.inputs, "input");
    refuse_unknown_names(request_.post, bare_.outputs, "output");
    match_signature();
    for (std::size_t i = 0; i < bare_.inputs.size(); ++i) {
      in_context([&] { return concat("input '", printable(bare_.inputs[i].name), "'"); },
                 [&] { add_input(i); });
    }
    run_network();
    add_outputs();
    check_signature_outputs();
    graph::sort_topologically(fused_.graph);
    graph::verify(fused_.graph);
    write_attributes();
    return std::move(fused_);
  }

 private:
  // Descriptors belong to inputs by name, those that are left over in order.
  void match_signature() {
    given_.assign(bare_.inputs.size(), nullptr);
    const auto& inputs = request_.signature.inputs;
    if (inputs.empty()) return;
    if (inputs.size() != bare_.inputs.size()) {
      fail(ErrorCode::invalid_argument, "the signature has ", inputs.size(), " inputs, and the network ",
           bare_.inputs.size(), ": ", names_of(bare_.inputs));
    }
    std::vector<const DataDesc*> others;
    for (const DataDesc& desc : inputs) {
      (void)batch_axis(desc);
      const auto same = [&](const DataDesc& input) { return input.name == desc.name; };
      const auto found = std::find_if(bare_.inputs.begin(), bare_.inputs.end(), same);
      if (found == bare_.inputs.end()) {
        others.push_back(&desc);
      } else {
        given_[static_cast<std::size_t>(found - bare_.inputs.begin())] = &desc;
      }
    }
    std::size_t next = 0;
    for (const DataDesc*& desc : given_) {
      if (desc == nullptr && next < others.size()) desc = others[next++];
    }
  }

  void add_input(std::size_t index) {
    const DataDesc& network = bare_.inputs[index];
    const std::vector<Transform>& steps = steps_for(request_.transforms, network.name);
    const DataDesc* given = given_[index];
    if (steps.empty()) {
      add_plain_input(network, given);
      return;
    }
    FittedInput fitted = fit_input(network, steps, given);
    for (const std::string& warning : fitted.chain.warnings()) {
      fused_.warnings.push_back(concat("input '", printable(network.name), "', ", warning));
    }
    warn_of_arithmetic(network.name, steps);
    put_in_front(index, fitted);
    trials_.push_back(fitted.chain.types());
    fused_.signature.inputs.push_back(std::move(fitted.desc));
    transforms_[network.name] = steps;
  }

  void warn_of_arithmetic(const std::string& name, const std::vector<Transform>& steps) {
    static const std::set<std::string>& kArithmetic =
        *new std::set<std::string>{"to_tensor", "normalize", "scale", "add", "sub", "mul", "div"};
    const auto step = std::find_if(steps.begin(), steps.end(),
                                   [](const Transform& each) { return kArithmetic.count(each.op) > 0; });
    const Node* node = leading_arithmetic(network_.bare->graph, name);
    if (step == steps.end() || node == nullptr) return;
    fused_.warnings.push_back(concat(
        "input '", printable(name), "': the network itself begins with arithmetic ('", printable(node->name),
        "'), and step ", step->op, " comes on top of it; see that pixels are not normalised twice"));
  }

  void add_plain_input(const DataDesc& network, const DataDesc* given) {
    DataDesc desc = given != nullptr ? *given : network;
    if (desc.name != network.name) {
      fail(ErrorCode::invalid_argument, "the signature calls it '", printable(desc.name),
           "', but an input without transforms keeps its name");
    }
    if (desc.dtype != network.dtype && network_.bare->declared.at(trials_.size())) {
      fail(ErrorCode::invalid_argument, "the signature says ", to_string(desc.dtype),
           ", and the network takes ", to_string(network.dtype));
    }
    trials_.push_back(desc.shape.rank() > 0 ? trials_of(desc, 1) : Trials());
    fused_.signature.inputs.push_back(std::move(desc));
  }

  // The network's variable becomes the model's input, and what read it reads the connector.
  void put_in_front(std::size_t index, const FittedInput& fitted) {
    Graph& graph = fused_.graph;
    const std::string name = bare_.inputs[index].name;
    const Value variable{find_variable(graph, name), 0};
    const std::size_t before = graph.nodes.size();
    const auto ends = fitted.chain.append_to(graph, variable, name);
    if (ends.size() != 1) {
      fail(ErrorCode::invalid_argument, "the last step gives ", ends.size(),
           " values; one goes into the network (what comes to it: ", fitted.chain.trace(), ")");
    }
    Node node = connector("batchify", index, ends[0].value);
    node.raw_attrs["__mxinfer_name__"] = name;
    node.name = fresh_name(graph, name + "_batchify");
    Node& input = graph.nodes[static_cast<std::size_t>(variable.node)];
    for (const char* hint : kHints) {
      auto entry = input.raw_attrs.extract(hint);
      if (!entry.empty()) node.raw_attrs.insert(std::move(entry));
    }
    set_hints(input, fitted.desc);
    if (fitted.desc.name != name) rename(graph, input, fitted.desc.name);
    fused_.lines.push_back(to_string(fitted.desc));
    append_lines(graph, before, fitted.chain);
    const Value batch{graph::append(graph, std::move(node)), 0};
    const std::size_t first = before;  // the first step goes on reading the variable
    for (std::size_t id = 0; id < first; ++id) {
      for (Value& value : graph.nodes[id].inputs) {
        if (value == variable) value = batch;
      }
    }
    for (Value& head : graph.heads) {
      if (head == variable) head = batch;
    }
  }

  void append_lines(const Graph& graph, std::size_t before, const Chain& chain) {
    for (std::size_t i = 0; i < chain.size(); ++i) {
      const Node& node = graph.nodes[before + i];
      std::string line = concat(node.name, " = ", node.op_name, ":");
      for (const Trials& types : chain.outputs(i)) line += " " + ops::to_string(common_type(types));
      fused_.lines.push_back(std::move(line));
    }
  }

  // For readers that do not know the signature, MXNet among them.
  static void set_hints(Node& input, const DataDesc& desc) {
    std::string shape = "(";
    for (std::int64_t dim : desc.shape) {
      shape += (shape.size() > 1 ? ", " : "") + std::to_string(std::max<std::int64_t>(dim, 0));
    }
    input.raw_attrs["__shape__"] = shape + (desc.shape.rank() == 1 ? ",)" : ")");
    input.raw_attrs["__dtype__"] = std::to_string(static_cast<int>(desc.dtype));
    if (!desc.layout.empty()) input.raw_attrs["__layout__"] = desc.layout;
  }

  static void rename(const Graph& graph, Node& input, const std::string& name) {
    for (const Node& node : graph.nodes) {
      if (node.name != name) continue;
      fail(ErrorCode::invalid_argument, "the signature calls it '", printable(name),
           "', which is the name of another node of the network");
    }
    input.name = name;
  }

  // Finds the types of the network's outputs in every trial.
  void run_network() {
    const std::size_t trials = trials_.empty() ? 1 : trials_[0].size();
    outputs_.resize(network_.bare->graph.heads.size());
    for (const Trials& types : trials_) {
      if (types.empty()) return;
    }
    for (std::size_t t = 0; t < trials; ++t) {
      std::vector<TensorType> inputs;
      for (const Trials& types : trials_) inputs.push_back(types[t]);
      try {
        const auto types = plan::infer_types(network_.bare->graph, inputs);
        for (std::size_t h = 0; h < outputs_.size(); ++h) {
          const Value head = network_.bare->graph.heads[h];
          outputs_[h].push_back(
              types[static_cast<std::size_t>(head.node)][static_cast<std::size_t>(head.index)]);
        }
      } catch (const Error& e) {
        if (!transforms_.empty()) refuse_inputs(e, inputs);
        return take_stated_outputs();
      }
    }
  }

  // The network alone, for sizes that were merely guessed: what its signature says is all there is.
  void take_stated_outputs() {
    for (std::size_t h = 0; h < outputs_.size(); ++h) {
      const DataDesc& output = bare_.outputs[h];
      outputs_[h] = output.shape.rank() > 0 ? trials_of(output, 1) : Trials();
    }
  }

  void refuse_inputs(const Error& reason, const std::vector<TensorType>& inputs) const {
    std::string list;
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      list +=
          concat(i > 0 ? ", " : "", "'", printable(bare_.inputs[i].name), "' ", ops::to_string(inputs[i]));
    }
    fail(ErrorCode::invalid_argument, "the network does not take what reaches its inputs, ", list,
         " for a picture that was tried: ", reason.what());
  }

  bool has_post() const {
    return !request_.post.all.empty() || std::any_of(request_.post.named.begin(), request_.post.named.end(),
                                                     [](const auto& list) { return !list.second.empty(); });
  }

  void add_outputs() {
    const std::vector<Value> heads = fused_.graph.heads;
    std::vector<Value> results;
    for (std::size_t h = 0; h < heads.size(); ++h) {
      in_context([&] { return concat("output '", printable(bare_.outputs[h].name), "'"); },
                 [&] { add_output(h, heads[h], results); });
    }
    fused_.graph.heads = std::move(results);
  }

  void add_output(std::size_t index, Value head, std::vector<Value>& results) {
    if (!has_post()) {
      add_descriptor(index, {head, outputs_[index], Meaning::unspecified}, true);
      results.push_back(head);
      return;
    }
    Graph& graph = fused_.graph;
    const std::string name = graph.nodes[static_cast<std::size_t>(head.node)].name;
    Node node = connector("no_op", index, head);
    node.name = fresh_name(graph, name + "_no_op");
    const Value end{graph::append(graph, std::move(node)), 0};
    const std::vector<Transform>& steps = steps_for(request_.post, bare_.outputs[index].name);
    if (!steps.empty()) posts_[bare_.outputs[index].name] = steps;
    if (!steps.empty() && outputs_[index].empty()) {
      fail(ErrorCode::invalid_argument,
           "what the network takes is not known, so neither is what it gives; describe its inputs");
    }
    Chain chain(steps.empty() && outputs_[index].empty() ? Trials{{}} : outputs_[index], Layout::unknown);
    chain.add_all(steps);
    for (const std::string& warning : chain.warnings()) {
      fused_.warnings.push_back(concat("output '", printable(bare_.outputs[index].name), "', ", warning));
    }
    const std::size_t before = graph.nodes.size();
    for (const ChainResult& result : chain.append_to(graph, end, name)) {
      add_descriptor(index, result, steps.empty());
      results.push_back(result.value);
    }
    append_lines(graph, before, chain);
  }

  void add_descriptor(std::size_t index, const ChainResult& result, bool as_network) {
    DataDesc desc;
    if (as_network) desc = bare_.outputs[index];
    desc.name = ops::output_name(fused_.graph, result.value);
    if (!result.types.empty() && result.types[0].shape.rank() > 0) {
      const TensorType type = common_type(result.types);
      desc.shape = type.shape;
      desc.dtype = type.dtype;
      if (desc.layout.size() != desc.shape.rank()) desc.layout.clear();
    }
    if (desc.meaning == Meaning::unspecified) desc.meaning = result.meaning;
    if (desc.meaning == Meaning::unspecified && as_network && gives_scores(result.value, desc)) {
      desc.meaning = Meaning::scores;
    }
    fused_.signature.outputs.push_back(std::move(desc));
  }

  bool gives_scores(Value value, const DataDesc& desc) const {
    static const std::set<std::string>& kOps =
        *new std::set<std::string>{"SoftmaxOutput", "softmax", "SoftmaxActivation"};
    if (desc.shape.rank() != 2 || desc.dtype != DType::float32) return false;
    const std::size_t labels = labels_of().size();
    if (labels > 0 && desc.shape[1] == static_cast<std::int64_t>(labels)) return true;
    const Node* node = &fused_.graph.nodes[static_cast<std::size_t>(value.node)];
    while (node->op != nullptr && node->op->op_class == ops::OpClass::identity) {
      node = &fused_.graph.nodes[static_cast<std::size_t>(node->inputs[0].node)];
    }
    return node->op != nullptr && kOps.count(node->op->name) > 0;
  }

  const std::vector<std::string>& labels_of() const {
    return request_.labels.empty() ? network_.bare->labels : request_.labels;
  }

  // What the caller says of the outputs goes over what was found, where it agrees.
  void check_signature_outputs() {
    const auto& given = request_.signature.outputs;
    auto& found = fused_.signature.outputs;
    if (given.empty()) return;
    if (given.size() != found.size()) {
      fail(ErrorCode::invalid_argument, "the signature has ", given.size(), " outputs, and the model ",
           found.size(), ": ", names_of(found));
    }
    for (std::size_t i = 0; i < given.size(); ++i) {
      DataDesc& output = found[i];
      const bool known = output.shape.rank() > 0;
      bool agrees = given[i].dtype == output.dtype && given[i].shape.rank() == output.shape.rank();
      for (std::size_t d = 0; agrees && d < output.shape.rank(); ++d) {
        agrees = given[i].shape[d] < 0 || output.shape[d] < 0 || given[i].shape[d] == output.shape[d];
      }
      if (known && given[i].shape.rank() > 0 && !agrees) {
        fail(ErrorCode::invalid_argument, "the signature says that output ", i, " is ", to_string(given[i]),
             ", and the model gives ", to_string(output));
      }
      if (!known) output.dtype = given[i].dtype;
      output.name = given[i].name;
      if (given[i].shape.rank() > 0) output.shape = given[i].shape;
      output.layout = given[i].layout;
      output.meaning = given[i].meaning;
    }
  }

  void write_attributes() {
    fused_.graph.attrs.erase(formats::kSampleAttribute);
    formats::FileSignature file;
    file.signature = fused_.signature;
    file.labels = labels_of();
    if (!transforms_.empty() || has_post()) file.network = bare_;
    if (!transforms_.empty()) file.transforms = to_json(transforms_);
    if (!posts_.empty()) file.post = to_json(posts_);
    formats::write_signature(fused_.graph, file);
  }

  const Network& network_;
  const FuseRequest& request_;
  const Signature& bare_;
  FusedModel fused_;
  std::vector<const DataDesc*> given_;  ///< by input of the network
  std::vector<Trials> trials_;          ///< what reaches each input of the network
  std::vector<Trials> outputs_;         ///< what each output of the network gives
  std::map<std::string, std::vector<Transform>> transforms_, posts_;
};

std::map<std::string, std::shared_ptr<const Parameter>> values_of(const Network& network) {
  std::map<std::string, std::shared_ptr<const Parameter>> values;
  for (const Node& node : network.bare->graph.nodes) {
    if (node.constant) values.emplace(node.name, node.constant);
  }
  return values;
}

}  // namespace

Network make_network(RawModel raw, const LoadOptions& options) {
  in_context([&] { return printable(raw.name); },
             [&] { formats::require_supported(formats::unsupported_ops(raw.symbol.graph)); });
  for (const Node& node : raw.symbol.graph.nodes) {
    if (node.raw_attrs.count("__mxinfer_connector__") == 0) continue;
    fail(ErrorCode::invalid_argument, printable(raw.name), " has transforms already (", graph::describe(node),
         " joins them to the network); give the bare network");
  }
  Network network;
  network.graph = raw.symbol.graph;
  // As build_model does with the bare network, whose outputs the heads are.
  if (options.outputs.empty()) passes::deploy_detector(network.graph);
  for (const formats::NamedParameter& array : raw.params) network.arrays.push_back(array.name);
  LoadOptions bare;
  bare.inputs = options.inputs;
  bare.outputs = options.outputs;
  bare.labels = options.labels;
  network.bare = build_model(std::move(raw), bare, Purpose::inspect);
  if (!options.outputs.empty()) take_heads(network.graph, network.bare->graph);
  return network;
}

std::vector<formats::ArrayToWrite> parameters_of(const Network& network) {
  const auto values = values_of(network);
  std::vector<formats::ArrayToWrite> arrays;
  for (const std::string& name : network.arrays) {
    const auto found = values.find(formats::bare_name(name));
    if (found == values.end()) continue;
    const auto value = found->second->value();
    arrays.push_back({name, *value, value});
  }
  return arrays;
}

FusedModel fuse(const Network& network, const FuseRequest& request) {
  return in_context([&] { return printable(network.bare->name); },
                    [&] { return Fuser(network, request).fuse(); });
}

std::unique_ptr<ModelData> build_fused(const Network& network, const FusedModel& fused,
                                       const LoadOptions& options) {
  RawModel raw;
  raw.name = network.bare->name;
  raw.symbol = formats::parse_symbol(formats::write_symbol(fused.graph));
  const auto values = values_of(network);
  for (Node& node : raw.symbol.graph.nodes) {
    const auto found = values.find(node.name);
    if (node.is_variable() && found != values.end()) node.constant = found->second;
  }
  return build_model(std::move(raw), options);
}

}  // namespace mxinfer::api
