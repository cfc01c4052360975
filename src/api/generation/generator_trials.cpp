#include "api/generation/generator_trials.h"

#include <utility>

#include "model/model_data.h"
#include "sequence/changed_axis.h"
#include "sequence/if_taken.h"
#include "sequence/output_axes.h"

namespace mxinfer::api {
namespace {

// A shape of an input with `rows` rows; other free sizes are 4, which most graphs accept.
Shape trial_shape(const DataDesc& desc, std::size_t batch_axis, std::int64_t rows) {
  Shape shape = desc.shape;
  for (std::size_t i = 0; i < shape.rank(); ++i) {
    if (shape[i] < 0) shape[i] = i == batch_axis ? rows : 4;
  }
  return shape;
}

struct Trial {
  std::vector<NamedShape> inputs;
  std::vector<DataDesc> outputs;
};

Trial try_rows(const Predictor& predictor, const GeneratorGraph& graph, const std::string& layout,
               std::int64_t rows, std::int64_t tokens = 1) {
  const auto& inputs = predictor.model().signature().inputs;
  std::vector<NamedShape> given = {{inputs[graph.tokens].name, token_shape(layout, rows, tokens)}};
  const auto give = [&](std::size_t input, std::size_t axis) {
    if (inputs[input].is_optional || inputs[input].shape.rank() == 0) return;
    given.emplace_back(inputs[input].name, trial_shape(inputs[input], axis, rows));
  };
  for (const GeneratorGraph::State& state : graph.states) give(state.input, state.batch_axis);
  for (const std::size_t input : graph.fixed) give(input, axis_of_rows(inputs[input]));
  if (graph.length) given.emplace_back(inputs[*graph.length].name, Shape{rows});
  if (graph.position) give(*graph.position, 0);
  return {predictor.input_shapes(given), predictor.output_shapes(given)};
}

// Whether two and three sequences give scores and states for two and three; records the result.
bool layout_fits(const Predictor& predictor, const std::string& layout, GeneratorGraph& graph) try {
  GeneratorGraph tried = graph;
  const Trial two = try_rows(predictor, graph, layout, 2);
  const Trial three = try_rows(predictor, graph, layout, 3);
  const Shape& scores = two.outputs[graph.scores].shape;
  if (scores.rank() < 2 || !changed_axis(scores, three.outputs[graph.scores].shape, 2, 3)) return false;
  for (GeneratorGraph::State& state : tried.states) {
    const auto axis = changed_axis(two.inputs[state.input].second, three.inputs[state.input].second, 2, 3);
    if (!axis) return false;
    state.batch_axis = *axis;
  }
  tried.vocabulary = static_cast<std::size_t>(scores[scores.rank() - 1]);
  tried.layout = layout;
  graph = std::move(tried);
  return true;
} catch (const Error&) {
  return false;
}

// Guessed dimensions do not count.
std::vector<std::string> possible_layouts(const Model& model, const GeneratorGraph& graph) {
  const DataDesc& tokens = model.signature().inputs[graph.tokens];
  const bool is_declared = data_of(model).declared[graph.tokens];
  const auto is_layout = [](const std::string& text) { return text == "N" || text == "NT" || text == "TN"; };
  if (is_declared && is_layout(tokens.layout)) return {tokens.layout};
  if (graph.whole_prefix) return {"NT", "TN"};
  if (is_declared && tokens.shape.rank() == 1) return {"N"};
  if (is_declared && tokens.shape.rank() == 2) return {"NT", "TN"};
  return {"N", "NT", "TN"};
}

std::optional<std::vector<ops::TensorType>> try_types(const Predictor& predictor, const GeneratorGraph& graph,
                                                      std::int64_t rows, std::int64_t tokens) {
  return if_taken([&] {
    std::vector<ops::TensorType> types;
    for (const DataDesc& desc : try_rows(predictor, graph, graph.layout, rows, tokens).outputs)
      types.push_back({desc.dtype, desc.shape});
    return types;
  });
}

// Two lengths above 1 that the network probably accepts: with one token, (N * T, V) looks like (N, V).
std::vector<std::int64_t> trial_lengths(const std::vector<std::int64_t>& buckets) {
  if (buckets.empty()) return {2, 3};
  if (buckets.size() == 1) return {buckets[0], buckets[0] + 1};
  return {buckets[buckets.size() - 2], buckets.back()};
}

}  // namespace

// If no layout is evident, because more than the batch is free, uses the first one; the network reports
// mismatches.
void find_layout(const Predictor& predictor, const std::string& given, GeneratorGraph& graph) {
  std::vector<std::string> layouts = possible_layouts(predictor.model(), graph);
  if (!given.empty()) layouts = {given};
  graph.layout = layouts[0];
  for (const std::string& layout : layouts) {
    if (layout_fits(predictor, layout, graph)) return;
  }
}

// A network whose scores stand as its tokens do not, such as (T, N, V) for (N, T), shows it where the number
// of sequences changes, and the number of tokens. (N * T, V) does not: these stand as the tokens.
void find_order_of_scores(const Predictor& predictor, const std::vector<std::int64_t>& buckets,
                          GeneratorGraph& graph) {
  const std::vector<DataDesc>& descs = predictor.model().signature().outputs;
  SequenceLayout layout;
  layout.outputs.resize(descs.size());
  find_output_axes(
      [&](std::int64_t rows, std::int64_t tokens) { return try_types(predictor, graph, rows, tokens); },
      trial_lengths(buckets), descs, std::vector<bool>(descs.size(), true), layout);
  const Axes& axes = layout.outputs[graph.scores].axes;
  if (axes.batch && axes.time) graph.scores_by_time = *axes.time < *axes.batch;
}

}  // namespace mxinfer::api
