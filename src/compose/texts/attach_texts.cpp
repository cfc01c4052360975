#include "compose/texts/attach_texts.h"

#include <algorithm>
#include <set>
#include <utility>

#include "base/fail.h"
#include "base/text/side_name.h"
#include "compose/connectors.h"
#include "model/check_inputs.h"
#include "model/fixed_batch.h"
#include "ops/registry.h"
#include "tensor/data_desc.h"

namespace mxinfer::api {
namespace {

using graph::Graph;
using graph::Node;
using graph::Value;
using ops::TensorType;

constexpr const char* kFrameText = "_mxinfer_frame_text";

/// The id of a token that is named in `key`.
std::int32_t special_id(const Vocabulary& vocabulary, const char* key, const std::string& token) {
  const auto id = vocabulary.find(token);
  if (id) return *id;
  fail(ErrorCode::invalid_argument, "\"", key, "\" is '", printable(token), "', which is not one of the ",
       vocabulary.size(), " words of the vocabulary");
}

std::int32_t pad_id(const PreparedText& prepared) {
  if (!prepared.text.pad.empty()) return special_id(prepared.vocabulary, "pad", prepared.text.pad);
  return prepared.vocabulary.padding_id().value_or(0);
}

std::map<std::string, std::string> frame_attrs(const PreparedText& prepared) {
  const TextTransform& text = prepared.text;
  std::map<std::string, std::string> attrs{{"max_length", std::to_string(text.max_length)},
                                           {"pair", text.inputs.size() > 1 ? "True" : "False"},
                                           {"pad", std::to_string(pad_id(prepared))},
                                           {"pad_side", side_name(text.pad_side)},
                                           {"truncate_side", side_name(text.truncate_side)}};
  if (!text.begin.empty())
    attrs["begin"] = std::to_string(special_id(prepared.vocabulary, "begin", text.begin));
  if (!text.end.empty()) attrs["end"] = std::to_string(special_id(prepared.vocabulary, "end", text.end));
  return attrs;
}

DataDesc text_desc(const std::string& name) {
  DataDesc desc;
  desc.name = name;
  desc.shape = {-1, -1};
  desc.dtype = DType::uint8;
  desc.meaning = Meaning::text;
  return desc;
}

/// The nodes from a text to its ids and their number.
Chain ids_chain(const TextTransform& text) {
  Chain chain(trials_of(text_desc("text"), 1), Layout::unknown);
  chain.set_column(true);
  chain.add_all(text.steps);
  return chain;
}

/// Throws the operator's error for contradictory attributes.
void check_frame(const std::map<std::string, std::string>& attrs, std::size_t texts) {
  const ops::OpDef& op = *ops::find_op(kFrameText);
  std::vector<TensorType> types;
  for (std::size_t i = 0; i < texts; ++i) {
    types.push_back({DType::int32, {1, 1}});
    types.push_back({DType::int32, {1}});
  }
  (void)op.infer({graph::parse_attrs(op.attrs, attrs), types});
}

/// The graph while texts are attached in front of it.
class TextAttacher {
 public:
  TextAttacher(Graph& graph, const Network& network, const PreparedText& prepared,
               const std::set<std::string>& taken, AttachedInputs& attached)
      : graph_(graph), network_(network), prepared_(prepared), taken_(taken), attached_(attached) {}

  AttachedText attach() {
    const TextTransform& text = prepared_.text;
    const std::string& ids = ids_input();
    const Chain chain = ids_chain(text);
    const auto frame = frame_attrs(prepared_);
    check_frame(frame, text.inputs.size());
    for (const std::string& warning : chain.warnings()) attached_.warnings.push_back("texts, " + warning);
    // The network's variables first, so that they keep their names.
    reserve(ids, "ids");
    if (!text.segments.empty()) reserve(text.segments, "segments");
    if (!text.length.empty()) reserve(text.length, "length");
    std::vector<Value> framed;
    for (const std::string& name : text.inputs) append_text(name, chain, framed);
    frame_ = append("frame_text", kFrameText, frame, framed);
    line(frame_, kFrameText, {DType::int32, {-1, text.max_length}});
    connect(ids, "ids", ids_value(ids), ids_type());
    if (!text.segments.empty())
      connect_framed(text.segments, "segments", 1, {DType::int32, {-1, text.max_length}});
    if (!text.length.empty()) connect_framed(text.length, "length", 2, {DType::int32, {-1}});
    result_.sequence = sequence_of(ids);
    return std::move(result_);
  }

 private:
  const DataDesc& desc_of(const std::string& name) const {
    const auto& inputs = network_.bare->signature.inputs;
    return *std::find_if(inputs.begin(), inputs.end(),
                         [&](const DataDesc& input) { return input.name == name; });
  }

  std::size_t index_of(const std::string& name) const {
    return static_cast<std::size_t>(&desc_of(name) - network_.bare->signature.inputs.data());
  }

  const std::string& ids_input() const {
    const auto& inputs = network_.bare->signature.inputs;
    if (inputs.empty()) fail(ErrorCode::invalid_argument, "the network has no input");
    return prepared_.text.ids.empty() ? inputs[0].name : prepared_.text.ids;
  }

  /// The variable becomes the connector; its input is set later.
  void reserve(const std::string& name, const char* key) {
    const auto& inputs = network_.bare->signature.inputs;
    const bool is_there =
        std::any_of(inputs.begin(), inputs.end(), [&](const DataDesc& input) { return input.name == name; });
    if (!is_there) {
      fail(ErrorCode::invalid_argument, "\"", key, "\" is '", printable(name),
           "', but the network has no input of that name; it has ", names_of(inputs));
    }
    if (taken_.count(name) > 0 || places_.count(name) > 0) {
      fail(ErrorCode::invalid_argument, "\"", key, "\" is '", printable(name),
           "', which already takes another part of the texts");
    }
    places_[name] = find_variable(graph_, name);
    Node& node = graph_.nodes[static_cast<std::size_t>(places_[name])];
    node.name = fresh_name(graph_, name + "_text");
  }

  void append_text(const std::string& name, const Chain& chain, std::vector<Value>& framed) {
    const DataDesc desc = text_desc(name);
    const Value input = append_input(graph_, desc, "give the text another one in \"inputs\"");
    attached_.lines.push_back(to_string(desc));
    const auto ends = append_chain(graph_, chain, input, name, attached_.lines);
    if (ends.size() != 2) {
      fail(ErrorCode::invalid_argument,
           "the last of \"steps\" does not give ids; expected token_ids, wordpiece or sentencepiece (its "
           "input: ",
           chain.trace(), ")");
    }
    for (const ChainResult& end : ends) framed.push_back(end.value);
    result_.descs.push_back(desc);
  }

  Value append(const std::string& name, const char* op, std::map<std::string, std::string> attrs,
               std::vector<Value> inputs) {
    Node node = ops::make_node(fresh_name(graph_, prepared_.text.inputs[0] + "_" + name), op,
                               std::move(attrs), std::move(inputs));
    if (std::string_view(op) == kFrameText) node.num_outputs = 3;
    return {graph::append(graph_, std::move(node)), 0};
  }

  void line(Value value, const char* op, const TensorType& type) {
    attached_.lines.push_back(concat(graph_.nodes[static_cast<std::size_t>(value.node)].name, " = ", op, ": ",
                                     ops::to_string(type)));
  }

  TensorType ids_type() const {
    if (!prepared_.vectors) return {DType::int32, {-1, prepared_.text.max_length}};
    return {DType::float32, {-1, prepared_.text.max_length, prepared_.vectors->shape()[1]}};
  }

  Value ids_value(const std::string& input) {
    if (!prepared_.vectors) return frame_;
    Node weight;
    weight.name = fresh_name(graph_, input + "_vectors");
    attached_.parameters.push_back({weight.name, prepared_.vectors});
    const Shape& shape = prepared_.vectors->shape();
    const Value matrix{graph::append(graph_, std::move(weight)), 0};
    const Value vectors = append("embedding", "Embedding",
                                 {{"input_dim", std::to_string(shape[0])},
                                  {"output_dim", std::to_string(shape[1])},
                                  {"dtype", "float32"}},
                                 {frame_, matrix});
    line(vectors, "Embedding", ids_type());
    return vectors;
  }

  void connect_framed(const std::string& input, const char* key, std::int32_t output,
                      const TensorType& type) {
    connect(input, key, {frame_.node, output}, type);
  }

  void connect(const std::string& input, const char* key, Value value, TensorType type) {
    const DataDesc& own = desc_of(input);
    if (type.dtype != own.dtype) {
      type.dtype = own.dtype;
      value = append(std::string(key) + "_cast", "Cast", {{"dtype", to_string(own.dtype)}}, {value});
      line(value, "Cast", type);
    }
    require_fit(own, key, type);
    replace_variable(graph_.nodes[static_cast<std::size_t>(places_.at(input))], "text", index_of(input),
                     input, value);
    Trials trials;
    for (const TensorType& text : trials_of(text_desc("text"), 1)) {
      trials.push_back(type);
      trials.back().shape[0] = text.shape[0];
    }
    result_.trials[input] = std::move(trials);
  }

  /// A guessed length does not count.
  void require_fit(const DataDesc& own, const char* key, const TensorType& type) const {
    DataDesc wanted = with_any_batch(own);
    if (wanted.is_guess && wanted.shape.rank() > 1) wanted.shape[1] = -1;
    if (wanted.shape.rank() == 0 || fits(wanted, type)) return;
    fail(ErrorCode::invalid_argument, "\"", key, "\" is '", printable(own.name), "', which takes ",
         to_string(own), ", but the texts give ", ops::to_string(type),
         wanted.shape.rank() == 3 && type.shape.rank() == 2 ? "; the step embedding turns ids into vectors"
                                                            : "");
  }

  formats::FileSequence sequence_of(const std::string& ids) const {
    const TextTransform& text = prepared_.text;
    formats::FileSequence sequence;
    sequence.ids = ids;
    sequence.segments = text.segments;
    sequence.length = text.length;
    sequence.buckets = text.buckets;
    if (!prepared_.vectors) sequence.pad_value = pad_id(prepared_);
    sequence.pad_side = text.pad_side;
    sequence.too_long = TooLong::truncate;
    sequence.truncate_side = text.truncate_side;
    return sequence;
  }

  Graph& graph_;
  const Network& network_;
  const PreparedText& prepared_;
  const std::set<std::string>& taken_;
  AttachedInputs& attached_;
  AttachedText result_;
  Value frame_;
  std::map<std::string, std::int32_t> places_;  ///< by the network's input: its node
};

}  // namespace

AttachedText attach_text(Graph& graph, const Network& network, const PreparedText& prepared,
                         const std::set<std::string>& taken, AttachedInputs& attached) {
  return in_context([] { return std::string("texts"); },
                    [&] { return TextAttacher(graph, network, prepared, taken, attached).attach(); });
}

}  // namespace mxinfer::api
