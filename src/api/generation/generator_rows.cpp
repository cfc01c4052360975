#include "api/generation/generator_rows.h"

#include <algorithm>
#include <numeric>

#include "api/generation/generator_scores.h"
#include "base/fail.h"
#include "base/text/suggest.h"
#include "sequence/batch_rows.h"
#include "tensor/write_element.h"

namespace mxinfer::api {
namespace {

using Given = std::map<std::string, TensorView>;

// Writes tokens, steps and lengths. Throws Error(invalid_argument) for one that the input's dtype cannot
// hold.
void write_whole(const DataDesc& desc, std::int64_t value, std::int64_t index, Tensor& tensor) {
  const auto number = static_cast<double>(value);
  if (!holds(desc.dtype, number)) {
    fail(ErrorCode::invalid_argument, "input '", printable(desc.name), "' would be given ", value,
         ", but its dtype, ", to_string(desc.dtype), ", cannot hold it");
  }
  element_writer(desc.dtype)(tensor.raw(), index, number);
}

bool is_identity(Span<const std::size_t> parents) {
  for (std::size_t i = 0; i < parents.size(); ++i) {
    if (parents[i] != i) return false;
  }
  return true;
}

void check_rows(const DataDesc& desc, const TensorView& view, std::size_t axis, std::size_t prompts) {
  if (view.device() != Device{}) {
    fail(ErrorCode::invalid_argument, "GenerateOptions::inputs has '", printable(desc.name),
         "' in device memory; expected an array in host memory");
  }
  const Shape& shape = view.shape();
  if (axis < shape.rank() && shape[axis] == static_cast<std::int64_t>(prompts) && view.raw() != nullptr)
    return;
  fail(ErrorCode::invalid_argument, "GenerateOptions::inputs has '", printable(desc.name), "' as ",
       to_string(view.dtype()), " ", to_string(shape), "; expected dimension ", axis, " to be ", prompts,
       ", a row for each prompt");
}

// Two shapes may differ in one dimension that is not the batch.
bool is_state_after(const Shape& after, const Shape& before, std::size_t batch_axis) {
  if (after.rank() != before.rank()) return false;
  int other = 0;
  for (std::size_t i = 0; i < after.rank(); ++i) {
    if (after[i] == before[i]) continue;
    if (i == batch_axis) return false;
    ++other;
  }
  return other <= 1;
}

}  // namespace

GeneratorRows::GeneratorRows(const Predictor& predictor, const GeneratorGraph& graph,
                             const GeneratorOptions& options, const Given& given, std::size_t prompts)
    : predictor_(predictor),
      graph_(graph),
      options_(options),
      prompt_of_row_(prompts),
      rows_(prompts),
      batch_(prompts) {
  std::iota(prompt_of_row_.begin(), prompt_of_row_.end(), std::size_t{0});
  take_given(given);
  states_ = first_states(given);
}

void GeneratorRows::take_given(const Given& given) {
  const auto& inputs = predictor_.model().signature().inputs;
  std::vector<std::string> known;
  for (const std::size_t input : graph_.fixed) {
    const DataDesc& desc = inputs[input];
    known.push_back(desc.name);
    const auto found = given.find(desc.name);
    if (found == given.end() && !desc.is_optional) {
      fail(ErrorCode::invalid_argument, "the network needs ", to_string(desc),
           ", which GenerateOptions::inputs lacks; give it with one row for each prompt");
    }
    if (found != given.end()) check_rows(desc, found->second, axis_of_rows(desc), rows_);
    fixed_.push_back(found == given.end() ? TensorView() : found->second);
  }
  for (const GeneratorGraph::State& state : graph_.states) known.push_back(inputs[state.input].name);
  for (const auto& [name, view] : given) {
    if (std::find(known.begin(), known.end(), name) != known.end()) continue;
    fail(ErrorCode::invalid_argument, "GenerateOptions::inputs has '", printable(name),
         "', which is not an additional input of the network; the additional inputs are: ",
         known.empty() ? "none" : listed(known), did_you_mean(name, known));
  }
}

std::vector<Tensor> GeneratorRows::first_states(const Given& given) {
  const auto& inputs = predictor_.model().signature().inputs;
  std::vector<Tensor> states;
  for (const GeneratorGraph::State& state : graph_.states) {
    const DataDesc& desc = inputs[state.input];
    const auto found = given.find(desc.name);
    if (found == given.end()) {
      states.push_back(zero_state(state));
      continue;
    }
    check_rows(desc, found->second, state.batch_axis, rows_);
    states.push_back(Tensor::copy_of(found->second));
  }
  return states;
}

Tensor GeneratorRows::zero_state(const GeneratorGraph::State& state) {
  const DataDesc& desc = predictor_.model().signature().inputs[state.input];
  return in_context(
      [&] {
        return concat("state '", printable(desc.name),
                      "', which GenerateOptions::inputs does not give and whose initial shape is not known");
      },
      [&] { return Tensor(desc.dtype, shape_of_zeros(state.input, state.batch_axis)); });
}

// From the signature if only the batch is free; otherwise inferred from the other inputs.
Shape GeneratorRows::shape_of_zeros(std::size_t input, std::size_t axis) {
  const auto& inputs = predictor_.model().signature().inputs;
  const auto rows = static_cast<std::int64_t>(rows_);
  Shape shape = inputs[input].shape;
  if (axis < shape.rank() && shape[axis] < 0) shape[axis] = rows;
  const bool known = shape.rank() > 0 &&
                     std::none_of(shape.begin(), shape.end(), [](std::int64_t size) { return size < 0; });
  if (known) return shape;
  if (!inputs[input].is_optional) {
    fail(ErrorCode::invalid_argument, to_string(inputs[input]),
         " leaves dimensions other than the batch free");
  }
  std::vector<NamedShape> shapes = {{inputs[graph_.tokens].name, token_shape(graph_.layout, rows, 1)}};
  for (std::size_t i = 0; i < fixed_.size(); ++i) {
    if (fixed_[i].raw() != nullptr) shapes.emplace_back(inputs[graph_.fixed[i]].name, fixed_[i].shape());
  }
  return predictor_.input_shapes(shapes)[input].second;
}

std::int64_t GeneratorRows::padded_length(std::size_t length) const {
  if (!graph_.whole_prefix) return 1;
  if (options_.buckets.empty()) return static_cast<std::int64_t>(length);
  for (const std::int64_t bucket : options_.buckets) {
    if (static_cast<std::size_t>(bucket) >= length) return bucket;
  }
  fail(ErrorCode::invalid_argument, "a sequence has grown to ", length,
       " tokens, including its prompt; the largest of GeneratorOptions::buckets is ", options_.buckets.back(),
       ". Give a smaller GenerateOptions::max_length, or a shorter prompt");
}

void GeneratorRows::fill_tokens(Span<const std::vector<std::int32_t>> sequences) {
  const DataDesc& desc = predictor_.model().signature().inputs[graph_.tokens];
  const std::size_t length = sequences[0].size();
  const std::int64_t columns = padded_length(length);
  const auto batch = static_cast<std::int64_t>(batch_);
  const Shape shape = token_shape(graph_.layout, batch, columns);
  if (tokens_.dtype() != desc.dtype || tokens_.shape() != shape) {
    tokens_ = Tensor(desc.dtype, shape);
    reuse_outputs_ = false;
  }
  for (std::int64_t row = 0; row < batch; ++row) {
    const auto& sequence =
        sequences[static_cast<std::size_t>(row) < rows_ ? static_cast<std::size_t>(row) : 0];
    for (std::int64_t column = 0; column < columns; ++column) {
      const std::size_t at = graph_.whole_prefix ? static_cast<std::size_t>(column) : length - 1;
      const std::int64_t token = at < length ? sequence[at] : static_cast<std::int64_t>(options_.pad_value);
      write_whole(desc, token, graph_.layout == "TN" ? column * batch + row : row * columns + column,
                  tokens_);
    }
  }
  if (graph_.position) fill_counts(*graph_.position, position_, static_cast<std::int64_t>(length) - 1);
  if (graph_.length) fill_counts(*graph_.length, length_, static_cast<std::int64_t>(length));
}

// One number for each row, or, if the input has that shape, one for all.
void GeneratorRows::fill_counts(std::size_t input, Tensor& tensor, std::int64_t value) {
  const DataDesc& desc = predictor_.model().signature().inputs[input];
  Shape shape = {static_cast<std::int64_t>(batch_)};
  if (desc.shape.rank() > 0) shape = desc.shape;
  for (std::size_t i = 0; i < shape.rank(); ++i) {
    if (shape[i] < 0) shape[i] = i == 0 ? static_cast<std::int64_t>(batch_) : 1;
  }
  if (tensor.dtype() != desc.dtype || tensor.shape() != shape) tensor = Tensor(desc.dtype, shape);
  for (std::int64_t i = 0; i < tensor.elements(); ++i) write_whole(desc, value, i, tensor);
}

std::vector<TensorView> GeneratorRows::input_views() const {
  std::vector<TensorView> views(predictor_.model().signature().inputs.size());
  views[graph_.tokens] = tokens_.view();
  if (graph_.position) views[*graph_.position] = position_.view();
  if (graph_.length) views[*graph_.length] = length_.view();
  for (std::size_t i = 0; i < graph_.states.size(); ++i) views[graph_.states[i].input] = states_[i].view();
  for (std::size_t i = 0; i < graph_.fixed.size(); ++i) {
    if (fixed_[i].raw() != nullptr) views[graph_.fixed[i]] = fixed_rows_[i].view();
  }
  return views;
}

void GeneratorRows::gather_fixed() {
  if (fixed_for_ == prompt_of_row_) return;
  const auto& inputs = predictor_.model().signature().inputs;
  fixed_rows_.resize(fixed_.size());
  for (std::size_t i = 0; i < fixed_.size(); ++i) {
    if (fixed_[i].raw() == nullptr) continue;
    gather_rows(fixed_[i], axis_of_rows(inputs[graph_.fixed[i]]), Span<const std::size_t>(prompt_of_row_),
                fixed_rows_[i]);
  }
  fixed_for_ = prompt_of_row_;
}

void GeneratorRows::run() {
  const std::vector<TensorView> inputs = input_views();
  if (!reuse_outputs_) {
    outputs_ = predictor_.predict(inputs);
    return;
  }
  std::vector<MutableTensorView> views;
  for (Tensor& output : outputs_) views.push_back(output.mutable_view());
  predictor_.predict_into(inputs, views);
}

void GeneratorRows::check_states() const {
  const Signature& signature = predictor_.model().signature();
  for (std::size_t i = 0; i < graph_.states.size(); ++i) {
    const GeneratorGraph::State& state = graph_.states[i];
    const Tensor& after = outputs_[state.output];
    const Tensor& before = states_[i];
    if (after.dtype() == before.dtype() && is_state_after(after.shape(), before.shape(), state.batch_axis))
      continue;
    fail(ErrorCode::invalid_argument, "output '", printable(signature.outputs[state.output].name),
         "' gives the next state '", printable(signature.inputs[state.input].name), "', but is ",
         to_string(after.dtype()), " ", to_string(after.shape()), "; the state was ",
         to_string(before.dtype()), " ", to_string(before.shape()),
         ". A state keeps its dtype, its batch and all dimensions but one (GeneratorOptions::states)");
  }
}

GeneratorRows::Scores GeneratorRows::step(Span<const std::vector<std::int32_t>> sequences) {
  gather_fixed();
  fill_tokens(sequences);
  run();
  check_states();
  const LastTokens last{rows_, batch_, sequences[0].size(), padded_length(sequences[0].size())};
  const std::size_t vocabulary =
      last_scores(graph_, predictor_.model().signature(), outputs_[graph_.scores], last, scores_);
  return {Span<const float>(scores_), vocabulary};
}

void GeneratorRows::keep(Span<const std::size_t> parents) {
  const std::size_t batch_before = batch_;
  rows_ = parents.size();
  if (rows_ == 0) return;
  if (rows_ > batch_ || rows_ * 2 <= batch_) batch_ = rows_;
  // Rows of ended sequences, behind the live ones, keep their states.
  std::vector<std::size_t> all(parents.begin(), parents.end());
  for (std::size_t row = rows_; row < batch_; ++row) all.push_back(row);
  std::vector<std::size_t> prompts;
  for (const std::size_t parent : all) prompts.push_back(prompt_of_row_[parent]);
  prompt_of_row_ = std::move(prompts);
  reuse_outputs_ = batch_ == batch_before;
  gather_states(Span<const std::size_t>(all));
}

void GeneratorRows::gather_states(Span<const std::size_t> parents) {
  const bool same = is_identity(parents);
  for (std::size_t i = 0; i < graph_.states.size(); ++i) {
    const GeneratorGraph::State& state = graph_.states[i];
    Tensor& after = outputs_[state.output];
    if (after.shape() != states_[i].shape()) reuse_outputs_ = false;
    const bool batch_stays = after.shape()[state.batch_axis] == static_cast<std::int64_t>(parents.size());
    if (same && batch_stays) {
      std::swap(states_[i], after);
    } else {
      gather_rows(after, state.batch_axis, parents, states_[i]);
    }
  }
}

}  // namespace mxinfer::api
