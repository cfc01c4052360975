#include "load/guess_signature.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string_view>

#include "base/fail.h"
#include "load/guess_batch.h"
#include "load/initial_states.h"
#include "load/network_inputs.h"
#include "load/stated_shape.h"
#include "model/check_inputs.h"
#include "ops/op_def.h"
#include "ops/value_names.h"
#include "passes/bind/cut_at_data.h"
#include "passes/passes.h"

namespace mxinfer::api {
namespace {

using graph::Graph;
using graph::Node;

constexpr std::int64_t kUsualSide = 224;

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

void fix_sides(DataDesc& input, std::int64_t side) {
  const auto batch = batch_axis(input);
  for (std::size_t i = 0; i < input.shape.rank(); ++i) {
    if (batch != i && input.shape[i] < 0) input.shape[i] = side;
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

// Sizes that are written into the network for all of its samples.
void take_batch(const Graph& graph, const TriedBatches& tried, std::int64_t side, GuessedSignature& result) {
  auto& inputs = result.signature.inputs;
  if (tried.rule == BatchRule::free) return;
  if (tried.batch > 1) result.warnings.push_back(warning_of(graph, inputs, tried, side));
  if (tried.rule != BatchRule::fixed) return;
  for (DataDesc& input : inputs) {
    if (has_free_batch(input) && !input.is_optional) input.shape[*batch_axis(input)] = tried.batch;
  }
}

// What the network takes of such inputs. `batches` are tried in turn.
struct Fit {
  std::optional<GuessedSide> side;
  std::int64_t side_tried = kUsualSide;
  TriedBatches tried;
};

std::optional<Fit> fit_sizes(const Graph& graph, const std::vector<DataDesc>& inputs,
                             const std::vector<std::int64_t>& batches) {
  const bool lacks_shape = std::any_of(inputs.begin(), inputs.end(), [](const DataDesc& input) {
    return input.shape.rank() == 0 && !input.is_optional;
  });
  if (lacks_shape) return std::nullopt;
  const bool has_side = std::any_of(inputs.begin(), inputs.end(), has_free_side);
  for (const std::int64_t batch : batches) {
    Fit fit;
    if (has_side) {
      fit.side = find_side(graph, inputs, batch);
      if (!fit.side) continue;
      if (fit.side->taken > 0) fit.side_tried = fit.side->taken;
    }
    fit.tried = try_batches(graph, inputs, batch, fit.side_tried);
    if (!fit.tried.trials.empty()) return fit;
  }
  return std::nullopt;
}

// A few of them where each is tried with many sides.
std::vector<std::int64_t> other_batches(const Graph& graph, const std::vector<DataDesc>& inputs) {
  constexpr std::size_t kMostWithSides = 4;
  if (std::none_of(inputs.begin(), inputs.end(), has_free_batch)) return {};
  std::vector<std::int64_t> batches = batches_to_try(graph);
  const bool has_side = std::any_of(inputs.begin(), inputs.end(), has_free_side);
  if (has_side && batches.size() > kMostWithSides) batches.resize(kMostWithSides);
  return batches;
}

// How the inputs of a network can be read, the likely way first.
class Readings {
 public:
  Readings(const Graph& graph, const std::vector<DataDesc>& given, const std::vector<DataDesc>& stated,
           GuessedSignature& result)
      : graph_(graph), result_(result), network_(read_network_inputs(graph)) {
    read_variables();
    check_given(given, result.signature.inputs);
    take(stated, false);
    take(given, true);
    take_stated_float16(graph, result);
    mark_initial_states(graph, result);
  }

  // Sets the inputs of the signature to the first reading that the network takes, or to the likely one.
  std::optional<Fit> choose() {
    auto& inputs = result_.signature.inputs;
    const std::vector<DataDesc> likely = inputs;
    std::vector<std::int64_t> batches = written_batches();
    if (auto fit = fit_sizes(graph_, inputs, batches)) return fit;
    if (auto fit = fit_sizes(graph_, inputs, other_batches(graph_, inputs))) return fit;
    if (read_.empty()) return std::nullopt;
    for (const bool from_file : {true, false}) {
      for (const Read& read : read_)
        inputs[read.input].shape = from_file ? read.as_stated : shape_of_network(read.input);
      if (auto fit = fit_sizes(graph_, inputs, batches)) {
        for (Read& read : read_) read.is_corrected = !from_file;
        return fit;
      }
    }
    inputs = likely;
    return std::nullopt;
  }

  // Of what the files state and is not what is used.
  void warn() {
    for (const Read& read : read_) {
      const DataDesc& input = result_.signature.inputs[read.input];
      if (read.is_corrected) result_.warnings.push_back(correction_of(input.name, read.stated, input.shape));
    }
  }

 private:
  struct Read {
    std::size_t input;
    Shape stated;     ///< by the file
    Shape as_stated;  ///< with a free batch, and nothing else changed
    bool is_corrected;
  };

  void read_variables() {
    const FirstReaders readers(graph_);
    auto& inputs = result_.signature.inputs;
    inputs.resize(network_.size());
    result_.declared.resize(network_.size(), false);
    result_.dtype_declared.resize(network_.size(), false);
    for (std::size_t id = 0; id < graph_.nodes.size(); ++id) {
      const Node& node = graph_.nodes[id];
      if (node.input_index < 0) continue;
      const auto index = static_cast<std::size_t>(node.input_index);
      DataDesc& input = inputs[index];
      input.name = node.name;
      const std::optional<DType> dtype = hinted_dtype(node);
      input.dtype = dtype.value_or(DType::float32);
      result_.dtype_declared[index] = dtype.has_value();
      if (const std::string* layout = hint(node, "__layout__")) input.layout = *layout;
      const Shape hinted = hinted_shape(node);
      if (hinted.rank() > 0) read_shape(index, hinted);
      if (input.layout.size() != input.shape.rank()) input.layout.clear();
      describe_image(graph_, readers, static_cast<std::int32_t>(id), input);
      if (const auto axis = batch_axis(input)) input.shape[*axis] = -1;
      if (input.shape.rank() == 0) input.shape = shape_of_network(index);
      take_layout(index);
      if (network_[index].is_pixels && is_image(input)) input.meaning = Meaning::image;
    }
  }

  // What a file states.
  void read_shape(std::size_t index, const Shape& stated) {
    DataDesc& input = result_.signature.inputs[index];
    if (input.layout.size() != stated.rank()) input.layout.clear();
    const StatedShape read = read_stated_shape(stated, input.layout, network_[index]);
    NetworkInput nothing;
    nothing.layout = network_[index].layout;
    const Shape as_stated = read_stated_shape(stated, input.layout, nothing).shape;
    input.shape = read.shape;
    std::erase_if(read_, [&](const Read& earlier) { return earlier.input == index; });
    read_.push_back({index, stated, as_stated, read.is_corrected});
    take_layout(index);
  }

  // The file's, or else what the network says.
  void take_layout(std::size_t index) {
    DataDesc& input = result_.signature.inputs[index];
    const std::string& layout = network_[index].layout;
    if (input.layout.size() != input.shape.rank()) input.layout.clear();
    if (input.layout.empty() && layout.size() == input.shape.rank()) input.layout = layout;
  }

  // Nothing is open but the batch: of the sizes that the network says, the one of the batch is that of a
  // training.
  Shape shape_of_network(std::size_t index) const {
    const NetworkInput& network = network_[index];
    Shape shape = network.shape.value_or(Shape());
    const std::size_t batch = batch_of_network(index);
    if (batch < shape.rank()) shape[batch] = -1;
    return shape;
  }

  std::size_t batch_of_network(std::size_t index) const {
    const std::string& layout = network_[index].layout;
    return layout.empty() ? 0 : layout.find('N');
  }

  static bool is_image(const DataDesc& input) {
    if (input.shape.rank() != 4) return false;
    const std::int64_t channels = input.shape[input.layout == "NHWC" ? 3 : 1];
    return channels == 1 || channels == 3;
  }

  // One sample after those that the network says by itself.
  std::vector<std::int64_t> written_batches() const {
    std::vector<std::int64_t> batches;
    for (std::size_t i = 0; i < network_.size(); ++i) {
      const auto& shape = network_[i].shape;
      const std::size_t axis = batch_of_network(i);
      if (!shape || axis >= shape->rank() || !has_free_batch(result_.signature.inputs[i])) continue;
      const std::int64_t batch = (*shape)[axis];
      if (batch > 1 && batch <= kLargestBatch &&
          std::find(batches.begin(), batches.end(), batch) == batches.end())
        batches.push_back(batch);
    }
    batches.push_back(1);
    return batches;
  }

  // What the caller, or the file, describes; `exactly` as it is said.
  void take(const std::vector<DataDesc>& descs, bool exactly) {
    const DescsByName by_names = by_name(descs);
    auto& inputs = result_.signature.inputs;
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      const auto found = by_names.find(inputs[i].name);
      if (found == by_names.end()) continue;
      const Shape guessed = inputs[i].shape;
      inputs[i] = *found->second;
      if (!exactly) {
        if (inputs[i].shape.rank() > 0)
          read_shape(i, found->second->shape);
        else
          inputs[i].shape = guessed;
      } else {
        take_channels_last(i);
        std::erase_if(read_, [&](const Read& read) { return read.input == i; });
      }
      result_.declared[i] = result_.dtype_declared[i] = true;
    }
  }

  // Of data with its channels last that was described by its shape alone.
  void take_channels_last(std::size_t index) {
    DataDesc& input = result_.signature.inputs[index];
    const NetworkInput& network = network_[index];
    const std::string& layout = network.layout;
    const bool is_open = input.layout.empty() && !layout.empty() && layout.size() == input.shape.rank();
    if (!is_open || layout.front() != 'N' || layout.back() != 'C' || layout == "NTC") return;
    const std::int64_t channels = network.shape ? network.shape->back() : -1;
    if (channels < 0 || input.shape.back() < 0 || input.shape.back() == channels) input.layout = layout;
  }

  static constexpr std::int64_t kLargestBatch = 1 << 20;

  const Graph& graph_;
  GuessedSignature& result_;
  std::vector<NetworkInput> network_;
  std::vector<Read> read_;
};

}  // namespace

GuessedSignature guess_signature(const Graph& graph, const std::vector<DataDesc>& given,
                                 const std::vector<DataDesc>& stated) {
  GuessedSignature result;
  Readings readings(graph, given, stated, result);
  if (auto fit = readings.choose()) {
    if (fit->side && fit->side->taken > 0) take_side(std::move(*fit->side), result);
    take_batch(graph, fit->tried, fit->side_tried, result);
    result.trials = std::move(fit->tried.trials);
  }
  readings.warn();
  take_state_shapes(graph, result);
  result.signature.outputs = describe_outputs(graph, result.trials);
  const std::vector<bool> open = passes::heads_that_depend_on_data(graph);
  for (std::size_t i = 0; i < open.size(); ++i) {
    if (open[i]) result.signature.outputs[i].shape = Shape();
  }
  return result;
}

}  // namespace mxinfer::api
