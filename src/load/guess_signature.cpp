#include "load/guess_signature.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string_view>

#include "base/fail.h"
#include "load/initial_states.h"
#include "model/check_inputs.h"
#include "ops/op_def.h"
#include "ops/value_names.h"
#include "passes/bind/cut_at_data.h"
#include "passes/passes.h"

namespace mxinfer::api {
namespace {

using graph::Graph;
using graph::Node;

const std::string* hint(const Node& node, const char* key) {
  const auto found = node.raw_attrs.find(key);
  return found == node.raw_attrs.end() ? nullptr : &found->second;
}

// By node: the nodes whose first input it is, in their order.
class FirstReaders {
 public:
  explicit FirstReaders(const Graph& graph) : readers_(graph.nodes.size()) {
    for (std::size_t id = 0; id < graph.nodes.size(); ++id) {
      const Node& node = graph.nodes[id];
      if (node.op == nullptr || node.inputs.empty()) continue;
      readers_[static_cast<std::size_t>(node.inputs[0].node)].push_back(static_cast<std::int32_t>(id));
    }
  }
  const std::vector<std::int32_t>& of(std::int32_t node) const {
    return readers_[static_cast<std::size_t>(node)];
  }

 private:
  std::vector<std::vector<std::int32_t>> readers_;
};

// The hints are advice: one that does not parse is passed over.
Shape hinted_shape(const Node& node) {
  const std::string* text = hint(node, "__shape__");
  if (text == nullptr) return {};
  try {
    const auto value = graph::parse_value(graph::tuple_attr("__shape__"), *text);
    Shape shape;
    for (const auto& dim : std::get<graph::IntTuple>(value))
      shape.push_back(dim.value_or(-1) > 0 ? *dim : -1);
    return shape;
  } catch (const Error&) {
    return {};
  }
}

std::optional<DType> hinted_dtype(const Node& node) {
  const std::string* text = hint(node, "__dtype__");
  if (text == nullptr || text->size() > 2) return std::nullopt;
  for (int flag = 0; flag <= 12; ++flag) {
    if (*text == std::to_string(flag)) return static_cast<DType>(flag);
  }
  return std::nullopt;
}

// Whether what is computed from a value by operators of one input becomes a batch of one: its input is one
// sample then.
bool makes_batch_of_one(const Graph& graph, graph::Value value) {
  for (std::size_t id = static_cast<std::size_t>(value.node) + 1; id < graph.nodes.size(); ++id) {
    const Node& node = graph.nodes[id];
    if (node.op == nullptr || node.inputs.size() != 1 || !(node.inputs[0] == value)) continue;
    if (node.op->name == "expand_dims") return node.attrs.integer("axis") == 0;
    const auto rank = ops::output_rank(node.op->traits, node.attrs);
    const bool keeps_rank = rank && rank->follows_input && rank->rank == 0;
    if (keeps_rank) return makes_batch_of_one(graph, {static_cast<std::int32_t>(id), 0});
  }
  return false;
}

// Images, if operators that only images are fed to read the input first: pixels, or a file.
void describe_image(const Graph& graph, const FirstReaders& readers, std::int32_t id, DataDesc& input) {
  const bool has_dtype = hint(graph.nodes[static_cast<std::size_t>(id)], "__dtype__") != nullptr;
  for (const std::int32_t reader_id : readers.of(id)) {
    const Node& reader = graph.nodes[static_cast<std::size_t>(reader_id)];
    const ops::ImageSource source = reader.op->traits.image_source;
    if (source == ops::ImageSource::none) continue;
    if (source != ops::ImageSource::pixels) {
      const Meaning meaning =
          source == ops::ImageSource::encoded ? Meaning::encoded_image : Meaning::image_path;
      input = {input.name, {-1}, DType::uint8, "", meaning};
      return;
    }
    if (input.shape.rank() == 0) {
      const bool one_sample = makes_batch_of_one(graph, {id, 0});
      input.shape = one_sample ? Shape{-1, -1, 3} : Shape{-1, -1, -1, 3};
    }
    if (input.shape.rank() != 3 && input.shape.rank() != 4) return;
    input.meaning = Meaning::image;
    if (input.layout.empty()) input.layout = input.shape.rank() == 4 ? "NHWC" : "HWC";
    if (!has_dtype) input.dtype = DType::uint8;
    return;
  }
}

const Parameter* parameter(const Graph& graph, const Node& node, std::size_t i) {
  return i < node.inputs.size() ? graph.nodes[static_cast<std::size_t>(node.inputs[i].node)].constant.get()
                                : nullptr;
}

// The shape that the first reader of a value with a telling parameter needs: channels or elements, -1
// elsewhere.
std::optional<Shape> shape_for_reader(const Graph& graph, const Node& reader) {
  const Parameter* weight = parameter(graph, reader, 1);
  if (reader.op->traits.input_shape == nullptr || weight == nullptr || weight->shape().rank() < 1)
    return std::nullopt;
  return reader.op->traits.input_shape(reader.attrs, weight->shape());
}

// The order of dimensions that an operator of channels-last data states; nullptr of others.
const std::string* stated_layout(const Node& reader) {
  const bool states = reader.attrs.has("layout") && reader.attrs.choice("layout").back() == 'C';
  return states ? &reader.attrs.choice("layout") : nullptr;
}

// What the readers of an input show of it.
struct Shown {
  std::optional<Shape> shape;
  std::string layout;  // empty unless channels come last
};

// Follows a variable through operators that keep its shape to the first reader that shows it: what reads the
// first reader comes before the second reader.
Shown shown_by_readers(const Graph& graph, const FirstReaders& readers, std::int32_t variable) {
  // A stack of our own: graphs are deep, the call stack is not.
  std::vector<std::int32_t> open;
  const auto follow = [&](std::int32_t id) {
    const auto& of = readers.of(id);
    for (auto reader = of.rbegin(); reader != of.rend(); ++reader) {
      if (graph.nodes[static_cast<std::size_t>(*reader)].inputs[0].index == 0) open.push_back(*reader);
    }
  };
  follow(variable);
  while (!open.empty()) {
    const std::int32_t id = open.back();
    open.pop_back();
    const Node& node = graph.nodes[static_cast<std::size_t>(id)];
    const std::string* layout = stated_layout(node);
    auto shape = shape_for_reader(graph, node);
    if (shape || layout != nullptr) return {shape, layout == nullptr ? "" : *layout};
    if (ops::keeps_channels(node.op->traits)) follow(id);
  }
  return {};
}

// Of channels-last data, which is no default.
void take_layout(const Shown& shown, DataDesc& input) {
  if (input.layout.empty() && shown.layout.size() == input.shape.rank()) input.layout = shown.layout;
}

void fix_sides(DataDesc& input, std::int64_t side) {
  for (std::size_t i = 1; i < input.shape.rank(); ++i) {
    if (input.shape[i] < 0) input.shape[i] = side;
  }
}

// Puts the side into the inputs that neither the file nor the caller describes. The batch is never a side.
void take_side(GuessedSide side, GuessedSignature& result) {
  const bool is_guess = side.lowest < side.highest;
  bool any = false;
  for (std::size_t i = 0; i < result.signature.inputs.size(); ++i) {
    DataDesc& input = result.signature.inputs[i];
    const bool fixes = !result.declared[i] && has_free_side(input);
    side.open_shapes.push_back(fixes ? input.shape : Shape());
    if (!fixes) continue;
    fix_sides(input, side.taken);
    input.is_guess = is_guess;
    any = true;
  }
  if (is_guess && any) result.side = std::move(side);
}

// Class scores: what a softmax gives for (batch, classes).
bool gives_scores(const Graph& graph, graph::Value head, const DataDesc& output) {
  const Node& node = graph.nodes[static_cast<std::size_t>(head.node)];
  if (node.op == nullptr || head.index != 0 || output.shape.rank() != 2) return false;
  if (node.op->name == "SoftmaxOutput") return true;
  if (node.op->name != "softmax") return false;
  const auto axis = node.attrs.integer("axis");
  return axis == -1 || axis == 1;
}

std::vector<DataDesc> describe_outputs(const Graph& graph, const std::vector<Trial>& trials) {
  const std::vector<std::string> names = ops::head_names(graph);
  std::vector<DataDesc> outputs;
  for (std::size_t h = 0; h < graph.heads.size(); ++h) {
    DataDesc output;
    output.name = names[h];
    for (std::size_t t = 0; t < trials.size(); ++t) {
      const ops::TensorType& type = trials[t].outputs[h];
      output.dtype = type.dtype;
      output.shape = t == 0 ? type.shape : common_shape(output.shape, type.shape);
    }
    if (gives_scores(graph, graph.heads[h], output)) output.meaning = Meaning::scores;
    outputs.push_back(std::move(output));
  }
  return outputs;
}

using DescsByName = std::map<std::string_view, const DataDesc*>;

// Of several of a name, the first.
DescsByName by_name(const std::vector<DataDesc>& descs) {
  DescsByName names;
  for (const DataDesc& desc : descs) names.emplace(desc.name, &desc);
  return names;
}

void check_given(const std::vector<DataDesc>& given, const std::vector<DataDesc>& inputs) {
  const DescsByName known = by_name(inputs);
  for (const DataDesc& desc : given) {
    (void)batch_axis(desc);
    for (std::int64_t dim : desc.shape) {
      if (dim < -1) {
        fail(ErrorCode::invalid_argument, "descriptor '", printable(desc.name), "' has shape ",
             to_string(desc.shape), "; a dimension is -1 (free) or not negative");
      }
    }
    if (known.count(desc.name) > 0) continue;
    fail(ErrorCode::invalid_argument, "descriptor '", printable(desc.name),
         "' names no input of the network; its inputs are ", names_of(inputs));
  }
}

// Data has the dtype of the parameters that the file states, as MXNet infers it.
void take_stated_float16(const Graph& graph, GuessedSignature& result) {
  for (const std::int32_t id : passes::inputs_stated_as_float16(graph)) {
    const auto index = static_cast<std::size_t>(graph.nodes[static_cast<std::size_t>(id)].input_index);
    if (!result.dtype_declared[index]) result.signature.inputs[index].dtype = DType::float16;
  }
}

}  // namespace

GuessedSignature guess_signature(const Graph& graph, const std::vector<DataDesc>& given) {
  GuessedSignature result;
  auto& inputs = result.signature.inputs;
  const FirstReaders readers(graph);
  std::vector<Shown> shown;  // by input
  for (std::size_t id = 0; id < graph.nodes.size(); ++id) {
    const Node& node = graph.nodes[id];
    if (node.input_index < 0) continue;
    if (inputs.size() <= static_cast<std::size_t>(node.input_index)) {
      inputs.resize(static_cast<std::size_t>(node.input_index) + 1);
      result.declared.resize(inputs.size(), false);
      result.dtype_declared.resize(inputs.size(), false);
      shown.resize(inputs.size());
    }
    DataDesc& input = inputs[static_cast<std::size_t>(node.input_index)];
    input.name = node.name;
    const std::optional<DType> dtype = hinted_dtype(node);
    input.dtype = dtype.value_or(DType::float32);
    result.dtype_declared[static_cast<std::size_t>(node.input_index)] = dtype.has_value();
    if (const std::string* layout = hint(node, "__layout__")) input.layout = *layout;
    input.shape = hinted_shape(node);
    if (input.layout.size() != input.shape.rank() || input.layout == "None") input.layout.clear();
    describe_image(graph, readers, static_cast<std::int32_t>(id), input);
    // A hint may state the batch of the training.
    if (const auto axis = batch_axis(input)) input.shape[*axis] = -1;
    if (input.meaning == Meaning::image) continue;
    Shown& by_readers = shown[static_cast<std::size_t>(node.input_index)];
    by_readers = shown_by_readers(graph, readers, static_cast<std::int32_t>(id));
    if (input.shape.rank() == 0) input.shape = by_readers.shape.value_or(Shape());
    take_layout(by_readers, input);
  }
  check_given(given, inputs);
  const DescsByName declared = by_name(given);
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const auto found = declared.find(inputs[i].name);
    if (found == declared.end()) continue;
    inputs[i] = *found->second;
    take_layout(shown[i], inputs[i]);
    result.declared[i] = result.dtype_declared[i] = true;
  }
  take_stated_float16(graph, result);
  mark_initial_states(graph, result);
  std::int64_t side = 224;
  if (std::any_of(inputs.begin(), inputs.end(), has_free_side)) {
    const auto found = find_side(graph, inputs);
    if (found && found->taken > 0) {
      side = found->taken;
      take_side(*found, result);
    }
  }
  result.trials = run_trials(graph, inputs, side);
  take_state_shapes(graph, result);
  result.signature.outputs = describe_outputs(graph, result.trials);
  const std::vector<bool> open = passes::heads_that_depend_on_data(graph);
  for (std::size_t i = 0; i < open.size(); ++i) {
    if (open[i]) result.signature.outputs[i].shape = Shape();
  }
  return result;
}

}  // namespace mxinfer::api
