#include "load/text_parts.h"

#include <algorithm>
#include <map>
#include <memory>
#include <set>
#include <utility>

#include "base/fail.h"
#include "base/text/side_name.h"
#include "load/prepare_stages.h"
#include "load/signature/apply_signature.h"
#include "model/model_data.h"
#include "ops/op_def.h"
#include "passes/load/stages.h"

namespace mxinfer::api {
namespace {

using graph::Graph;
using graph::Node;
using graph::Value;
using passes::Boundaries;
using passes::InputBoundary;

constexpr const char* kFrame = "_mxinfer_frame_text";
constexpr std::int32_t kFrameLengths = 2;  // which of its outputs

Boundaries texts_of(const Graph& graph) {
  Boundaries texts;
  for (InputBoundary& boundary : passes::find_boundaries(graph).inputs) {
    if (boundary.is_text) texts.inputs.push_back(std::move(boundary));
  }
  return texts;
}

/// The lengths of the texts. The graph has only nodes that heads need.
Value lengths_in(const Graph& text) {
  std::vector<std::int32_t> frames;
  for (std::size_t id = 0; id < text.nodes.size(); ++id) {
    if (text.nodes[id].op_name == kFrame) frames.push_back(static_cast<std::int32_t>(id));
  }
  if (frames.empty()) {
    fail(ErrorCode::malformed, "its texts become the network's inputs without a node ", kFrame,
         ", which gives their lengths");
  }
  if (frames.size() > 1) {
    fail(ErrorCode::unsupported, "its texts are framed by ", frames.size(), " nodes, ",
         graph::describe(text.nodes[static_cast<std::size_t>(frames[0])]), " and ",
         graph::describe(text.nodes[static_cast<std::size_t>(frames[1])]),
         "; expected one text, or one pair. mxinfer::Predictor takes all of them");
  }
  return {frames[0], kFrameLengths};
}

Side pad_side_in(const Graph& text, Value lengths) {
  const Node& frame = text.nodes[static_cast<std::size_t>(lengths.node)];
  return *side_named(frame.attrs.choice("pad_side"));
}

/// The network's own padding must be on the side of the texts' padding.
void set_pad_side(formats::FileSignature& file, Side side) {
  if (!file.sequence) file.sequence.emplace();
  if (!file.sequence->pad_side) file.sequence->pad_side = side;
  if (*file.sequence->pad_side == side) return;
  fail(ErrorCode::malformed, "its signature says that sequences are padded on the ",
       side_name(*file.sequence->pad_side), ", and node ", kFrame, " pads its texts on the ", side_name(side),
       "; the two sides must agree. Write the file again with mxinfer::ModelBuilder::texts");
}

void keep_inputs_in_order(Graph& graph) {
  std::vector<Node*> inputs;
  for (Node& node : graph.nodes) {
    if (node.is_variable() && !node.constant) inputs.push_back(&node);
  }
  std::stable_sort(inputs.begin(), inputs.end(),
                   [](const Node* a, const Node* b) { return a->input_index < b->input_index; });
  for (std::size_t i = 0; i < inputs.size(); ++i) inputs[i]->input_index = static_cast<std::int32_t>(i);
}

Graph text_graph(const Graph& graph, const Boundaries& texts) {
  Graph text = graph;
  text.attrs.clear();
  text.heads.clear();
  for (const InputBoundary& boundary : texts.inputs) text.heads.push_back(boundary.value);
  graph::remove_dead_nodes(text);
  text.heads.push_back(lengths_in(text));
  keep_inputs_in_order(text);
  return text;
}

Graph network_graph(const Graph& graph, const Boundaries& texts) {
  Graph network = graph;
  network.attrs.clear();
  const std::string around = passes::cut_inputs(network, texts);
  if (!around.empty()) {
    fail(ErrorCode::unsupported, "the network reads the text '", printable(around),
         "' directly, beside the inputs made of its ids, so the text part cannot be separated from the "
         "network");
  }
  passes::number_inputs(network, texts);
  return network;
}

/// A model of a part; `file` describes its inputs and outputs.
Model make_part(const ModelData& whole, const char* suffix, Graph graph, formats::FileSignature file) {
  auto part = std::make_shared<ModelData>();
  part->name = whole.name + suffix;
  part->graph = std::move(graph);
  part->file_signature = std::move(file);
  part->labels = whole.labels;
  part->training_inputs = whole.training_inputs;
  part->opener = whole.opener;
  in_context([&] { return printable(part->name); },
             [&] {
               apply_signature(*part, {}, "");
               find_stages(*part);
               state_dtypes(*part);
             });
  return ModelAccess::make(std::move(part));
}

formats::FileSignature text_signature(const ModelData& whole, const Graph& text) {
  std::set<std::string> names;
  for (const Node& node : text.nodes) {
    if (node.input_index >= 0) names.insert(node.name);
  }
  formats::FileSignature file;
  for (const DataDesc& desc : whole.signature.inputs) {
    if (names.count(desc.name) > 0) file.signature.inputs.push_back(desc);
  }
  file.states_outputs = false;
  return file;
}

/// The file's descriptors: for inputs made of texts those of the network, for all others those of the whole
/// model.
std::map<std::string, DataDesc> known_inputs(const ModelData& whole, const Boundaries& texts) {
  std::map<std::string, DataDesc> known;
  for (const DataDesc& desc : whole.signature.inputs) known[desc.name] = desc;
  for (const InputBoundary& boundary : texts.inputs) known.erase(boundary.name);
  if (!whole.file_signature || !whole.file_signature->network) return known;
  for (const DataDesc& desc : whole.file_signature->network->inputs) {
    const bool is_of_text =
        std::any_of(texts.inputs.begin(), texts.inputs.end(),
                    [&](const InputBoundary& boundary) { return boundary.name == desc.name; });
    if (is_of_text) known[desc.name] = desc;
  }
  return known;
}

formats::FileSignature network_signature(const ModelData& whole, const Graph& network,
                                         const Boundaries& texts) {
  std::map<std::string, DataDesc> known = known_inputs(whole, texts);
  formats::FileSignature file;
  if (whole.file_signature) file = *whole.file_signature;
  file.network.reset();
  file.transforms.clear();
  file.signature.inputs.clear();
  file.signature.outputs = whole.signature.outputs;
  file.inputs_by_name = file.outputs_by_name = false;
  std::vector<const Node*> inputs;
  for (const Node& node : network.nodes) {
    if (node.input_index >= 0) inputs.push_back(&node);
  }
  std::sort(inputs.begin(), inputs.end(),
            [](const Node* a, const Node* b) { return a->input_index < b->input_index; });
  file.states_inputs = std::all_of(inputs.begin(), inputs.end(),
                                   [&](const Node* node) { return known.count(node->name) > 0; });
  for (const Node* node : inputs) {
    if (file.states_inputs) file.signature.inputs.push_back(known[node->name]);
  }
  return file;
}

}  // namespace

std::optional<TextParts> text_parts(const Model& model) {
  const ModelData& whole = data_of(model);
  const Boundaries texts = texts_of(whole.graph);
  if (texts.inputs.empty()) return std::nullopt;
  if (whole.takes_items) {
    fail(ErrorCode::unsupported, printable(whole.name),
         " takes texts and images in files, which become a batch one by one; mxinfer::Predictor takes both");
  }
  return in_context([&] { return printable(whole.name); },
                    [&]() -> std::optional<TextParts> {
                      Graph text = text_graph(whole.graph, texts);
                      Graph network = network_graph(whole.graph, texts);
                      formats::FileSignature takes = text_signature(whole, text);
                      formats::FileSignature gives = network_signature(whole, network, texts);
                      const Side pad_side = pad_side_in(text, text.heads.back());
                      set_pad_side(gives, pad_side);
                      TextParts parts{make_part(whole, " (texts)", std::move(text), std::move(takes)),
                                      make_part(whole, "", std::move(network), std::move(gives)),
                                      {},
                                      {},
                                      pad_side};
                      for (const InputBoundary& boundary : texts.inputs)
                        parts.text_inputs.push_back(boundary.name);
                      for (const DataDesc& desc : parts.network.signature().inputs)
                        parts.network_inputs.push_back(desc.name);
                      return parts;
                    });
}

}  // namespace mxinfer::api
