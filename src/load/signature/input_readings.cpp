#include "load/signature/input_readings.h"

#include <algorithm>
#include <map>
#include <string>
#include <string_view>

#include "base/fail.h"
#include "graph/hints.h"
#include "load/signature/image_inputs.h"
#include "load/signature/initial_states.h"
#include "load/signature/stated_shape.h"
#include "model/check_inputs.h"
#include "passes/passes.h"

namespace mxinfer::api {
namespace {

using graph::Graph;
using graph::Node;

constexpr std::int64_t kLargestBatch = 1 << 20;

// Hints are advice: one that does not parse is skipped.
Shape hinted_shape(const Node& node) {
  const std::string* text = graph::find_hint(node, graph::kShapeHint);
  if (text == nullptr) return {};
  try {
    const auto value = graph::parse_value(graph::tuple_attr(graph::kShapeHint), *text);
    Shape shape;
    for (const auto& dim : std::get<graph::IntTuple>(value))
      shape.push_back(dim.value_or(-1) > 0 ? *dim : -1);
    return shape;
  } catch (const Error&) {
    return {};
  }
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
         "' is not for an input of the network; its inputs are ", names_of(inputs));
  }
}

// As in MXNet, data has the dtype of the parameters that the file states.
void take_stated_float16(const Graph& graph, GuessedSignature& result) {
  for (const std::int32_t id : passes::inputs_stated_as_float16(graph)) {
    const auto index = static_cast<std::size_t>(graph.nodes[static_cast<std::size_t>(id)].input_index);
    if (!result.dtype_declared[index]) result.signature.inputs[index].dtype = DType::float16;
  }
}

// `batches` are tried in turn.
std::optional<FittingSizes> fit_sizes(const Graph& graph, const std::vector<DataDesc>& inputs,
                                      const std::vector<std::int64_t>& batches) {
  const bool lacks_shape = std::any_of(inputs.begin(), inputs.end(), [](const DataDesc& input) {
    return input.shape.rank() == 0 && !input.is_optional;
  });
  if (lacks_shape) return std::nullopt;
  const bool has_side = std::any_of(inputs.begin(), inputs.end(), has_free_side);
  for (const std::int64_t batch : batches) {
    FittingSizes fit;
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

// Only a few, because each is tried with many sides.
std::vector<std::int64_t> other_batches(const Graph& graph, const std::vector<DataDesc>& inputs) {
  constexpr std::size_t kMostWithSides = 4;
  if (std::none_of(inputs.begin(), inputs.end(), has_free_batch)) return {};
  std::vector<std::int64_t> batches = batches_to_try(graph);
  const bool has_side = std::any_of(inputs.begin(), inputs.end(), has_free_side);
  if (has_side && batches.size() > kMostWithSides) batches.resize(kMostWithSides);
  return batches;
}

bool is_image(const DataDesc& input) {
  if (input.shape.rank() != 4) return false;
  const std::int64_t channels = input.shape[input.layout == "NHWC" ? 3 : 1];
  return channels == 1 || channels == 3;
}

}  // namespace

InputReadings::InputReadings(const Graph& graph, const std::vector<DataDesc>& given,
                             const std::vector<DataDesc>& stated, GuessedSignature& result)
    : graph_(graph), result_(result), network_(read_network_inputs(graph)) {
  read_variables();
  check_given(given, result.signature.inputs);
  take_stated(stated);
  take_given(given);
  take_stated_float16(graph, result);
  mark_initial_states(graph, result);
}

std::optional<FittingSizes> InputReadings::choose() {
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

void InputReadings::warn() {
  for (const Read& read : read_) {
    const DataDesc& input = result_.signature.inputs[read.input];
    if (read.is_corrected) result_.warnings.push_back(correction_of(input.name, read.stated, input.shape));
  }
}

void InputReadings::read_variables() {
  const ImageInputs images(graph_);
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
    const std::optional<DType> dtype = graph::dtype_hint(node);
    input.dtype = dtype.value_or(DType::float32);
    result_.dtype_declared[index] = dtype.has_value();
    if (const std::string* layout = graph::find_hint(node, graph::kLayoutHint)) input.layout = *layout;
    const Shape hinted = hinted_shape(node);
    if (hinted.rank() > 0) read_shape(index, hinted);
    if (input.layout.size() != input.shape.rank()) input.layout.clear();
    images.describe(static_cast<std::int32_t>(id), input);
    if (const auto axis = batch_axis(input)) input.shape[*axis] = -1;
    if (input.shape.rank() == 0) input.shape = shape_of_network(index);
    take_layout(index);
    if (network_[index].is_pixels && is_image(input)) input.meaning = Meaning::image;
  }
}

// The statement of a file.
void InputReadings::read_shape(std::size_t index, const Shape& stated) {
  DataDesc& input = result_.signature.inputs[index];
  if (input.layout.size() != stated.rank()) input.layout.clear();
  const StatedShape read = read_stated_shape(stated, input.layout, network_[index]);
  NetworkInput nothing;
  nothing.layout = network_[index].layout;
  const Shape as_stated = read_stated_shape(stated, input.layout, nothing).shape;
  input.shape = read.shape;
  forget_shape(index);
  read_.push_back({index, stated, as_stated, read.is_corrected});
  take_layout(index);
}

void InputReadings::forget_shape(std::size_t index) {
  std::erase_if(read_, [&](const Read& read) { return read.input == index; });
}

// The file's shape, or else the network's.
void InputReadings::take_layout(std::size_t index) {
  DataDesc& input = result_.signature.inputs[index];
  const std::string& layout = network_[index].layout;
  if (input.layout.size() != input.shape.rank()) input.layout.clear();
  if (input.layout.empty() && layout.size() == input.shape.rank()) input.layout = layout;
}

// Only the batch is free; a batch that the network states comes from its training.
Shape InputReadings::shape_of_network(std::size_t index) const {
  const NetworkInput& network = network_[index];
  Shape shape = network.shape.value_or(Shape());
  const std::size_t batch = batch_of_network(index);
  if (batch < shape.rank()) shape[batch] = -1;
  return shape;
}

std::size_t InputReadings::batch_of_network(std::size_t index) const {
  const std::string& layout = network_[index].layout;
  return layout.empty() ? 0 : layout.find('N');
}

// One sample, after the shapes that the network itself states.
std::vector<std::int64_t> InputReadings::written_batches() const {
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

// A file's description of some run.
void InputReadings::take_stated(const std::vector<DataDesc>& stated) {
  const DescsByName by_names = by_name(stated);
  auto& inputs = result_.signature.inputs;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const auto found = by_names.find(inputs[i].name);
    if (found == by_names.end()) continue;
    const Shape guessed = inputs[i].shape;
    inputs[i] = *found->second;
    if (inputs[i].shape.rank() > 0) {
      read_shape(i, found->second->shape);
    } else {
      inputs[i].shape = guessed;
    }
    result_.declared[i] = result_.dtype_declared[i] = true;
  }
}

// The caller's description, unchanged.
void InputReadings::take_given(const std::vector<DataDesc>& given) {
  const DescsByName by_names = by_name(given);
  auto& inputs = result_.signature.inputs;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const auto found = by_names.find(inputs[i].name);
    if (found == by_names.end()) continue;
    inputs[i] = *found->second;
    take_channels_last(i);
    forget_shape(i);
    result_.declared[i] = result_.dtype_declared[i] = true;
  }
}

// For data with channels last that was described only by its shape.
void InputReadings::take_channels_last(std::size_t index) {
  DataDesc& input = result_.signature.inputs[index];
  const NetworkInput& network = network_[index];
  const std::string& layout = network.layout;
  const bool is_open = input.layout.empty() && !layout.empty() && layout.size() == input.shape.rank();
  if (!is_open || layout.front() != 'N' || layout.back() != 'C' || layout == "NTC") return;
  const std::int64_t channels = network.shape ? network.shape->back() : -1;
  if (channels < 0 || input.shape.back() < 0 || input.shape.back() == channels) input.layout = layout;
}

}  // namespace mxinfer::api
