#include "api/core/classify_outputs.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/fail.h"
#include "kernels/common/element_type.h"
#include "model/label_of.h"
#include "model/model_data.h"
#include "ops/op_def.h"
#include "tensor/widen_halves.h"

namespace mxinfer {
namespace {

void check_label_count(const Model& model, std::int64_t classes) {
  const auto labels = static_cast<std::int64_t>(model.labels().size());
  if (labels == 0 || labels == classes) return;
  fail(ErrorCode::invalid_argument, "model '", printable(model.name()), "' gives ", classes, " classes, but ",
       labels, " labels were given (synset.txt or LoadOptions::labels); give one line for each class");
}

// Whether the outputs are detections: by the signature's meanings, or rows of id, score and box.
bool are_detections(const Model& model, const Shape& output) {
  const auto& outputs = model.signature().outputs;
  const bool has_boxes = std::any_of(outputs.begin(), outputs.end(),
                                     [](const DataDesc& desc) { return desc.meaning == Meaning::boxes; });
  return has_boxes || (output.rank() == 3 && output[2] == 6);
}

void refuse_detections(const Model& model, DType dtype, const Shape& output) {
  if (!are_detections(model, output)) return;
  fail(ErrorCode::invalid_argument, "model '", printable(model.name()),
       "' gives detections, not scores of classes: ", to_string(dtype), " ", to_string(output),
       " in its first output; use ObjectDetector");
}

// (samples, classes) of an output (samples, classes, 1...).
std::pair<std::int64_t, std::int64_t> samples_and_classes(const Model& model, const Tensor& output) {
  const Shape& shape = output.shape();
  refuse_detections(model, output.dtype(), shape);
  const bool is_scores = output.dtype() == DType::float32 && shape.rank() >= 2 &&
                         (shape.elements(2, shape.rank()) == 1 || shape.rank() == 2);
  if (!is_scores) {
    fail(ErrorCode::invalid_argument, "output '", printable(model.signature().outputs[0].name), "' is ",
         to_string(output.dtype()), " ", to_string(shape),
         "; a classifier needs float32 (batch, classes). Give another output in LoadOptions::outputs");
  }
  check_label_count(model, shape[1]);
  return {shape[0], shape[1]};
}

void softmax(float* scores, std::int64_t classes) {
  const float largest = *std::max_element(scores, scores + classes);
  double sum = 0;
  for (std::int64_t c = 0; c < classes; ++c) {
    scores[c] = std::exp(scores[c] - largest);
    sum += static_cast<double>(scores[c]);
  }
  for (std::int64_t c = 0; c < classes; ++c)
    scores[c] = static_cast<float>(static_cast<double>(scores[c]) / sum);
}

void activate(Activation activation, float* scores, std::int64_t classes) {
  if (activation == Activation::softmax && classes > 0) softmax(scores, classes);
  if (activation != Activation::sigmoid) return;
  for (std::int64_t c = 0; c < classes; ++c) scores[c] = 1 / (1 + std::exp(-scores[c]));
}

// By descending score, NaN last, equal ones by index.
std::vector<int> ranking(const float* scores, std::int64_t classes, std::int64_t count) {
  std::vector<int> order(static_cast<std::size_t>(classes));
  std::iota(order.begin(), order.end(), 0);
  const auto better = [scores](int a, int b) {
    const bool a_nan = std::isnan(scores[a]), b_nan = std::isnan(scores[b]);
    if (a_nan != b_nan) return b_nan;
    if (!a_nan && scores[a] != scores[b]) return scores[a] > scores[b];
    return a < b;
  };
  std::partial_sort(order.begin(), order.begin() + count, order.end(), better);
  order.resize(static_cast<std::size_t>(count));
  return order;
}

bool is_wanted(float score, const api::Ranking& wanted) {
  return !wanted.min_score || score >= *wanted.min_score;
}

std::vector<Classification> classify_row(const Model& model, const float* scores, std::int64_t classes,
                                         const api::Ranking& wanted) {
  std::vector<int> order;
  if (wanted.top_k) {
    order = ranking(scores, classes, std::min<std::int64_t>(*wanted.top_k, classes));
  } else {
    order.resize(static_cast<std::size_t>(classes));
    std::iota(order.begin(), order.end(), 0);
  }
  std::vector<Classification> result;
  for (int index : order) {
    if (!is_wanted(scores[index], wanted)) continue;
    result.push_back({api::label_of(model, index), scores[index], index});
  }
  return result;
}

// The roles of the outputs: by the signature's meanings, else the first holds the scores of all classes.
struct ScoreOutputs {
  std::size_t scores = 0;
  std::optional<std::size_t> ids;
};

ScoreOutputs score_outputs(const Model& model) {
  const auto& outputs = model.signature().outputs;
  ScoreOutputs found;
  for (std::size_t i = outputs.size(); i-- > 0;) {
    if (outputs[i].meaning == Meaning::scores) found.scores = i;
    if (outputs[i].meaning == Meaning::ids) found.ids = i;
  }
  return found;
}

std::int64_t id_at(const Tensor& ids, std::int64_t i) {
  switch (ids.dtype()) {
    case DType::float32:
      return kernels::convert<std::int64_t>(ids.data<float>()[i]);
    case DType::float64:
      return kernels::convert<std::int64_t>(ids.data<double>()[i]);
    case DType::int32:
      return ids.data<std::int32_t>()[i];
    case DType::int64:
      return ids.data<std::int64_t>()[i];
    case DType::uint8:
      return ids.data<std::uint8_t>()[i];
    default:
      fail(ErrorCode::invalid_argument, "the output of ids is ", to_string(ids.dtype()),
           "; expected float32, float64, int32, int64 or uint8");
  }
}

// The classes that the model itself has selected, in its order; -1 means none.
std::vector<Classification> chosen_row(const Model& model, const float* scores, const Tensor& ids,
                                       std::int64_t first, std::int64_t count, const api::Ranking& wanted) {
  std::vector<Classification> result;
  for (std::int64_t k = 0; k < count; ++k) {
    const std::int64_t id = id_at(ids, first + k);
    if (id < 0 || !is_wanted(scores[k], wanted)) continue;
    result.push_back({api::label_of(model, id), scores[k], static_cast<int>(id)});
  }
  return result;
}

std::vector<std::vector<Classification>> chosen_classes(const Model& model, const Tensor& scores,
                                                        const Tensor& ids, const api::Ranking& wanted) {
  const Shape& shape = scores.shape();
  if (scores.dtype() != DType::float32 || shape.rank() != 2 || ids.shape() != shape) {
    fail(ErrorCode::invalid_argument, "the outputs of scores and ids are ", to_string(scores.dtype()), " ",
         to_string(shape), " and ", to_string(ids.shape()),
         "; a classifier needs float32 (batch, classes) and ids of the same shape");
  }
  const std::int64_t count = wanted.top_k ? std::min<std::int64_t>(*wanted.top_k, shape[1]) : shape[1];
  std::vector<std::vector<Classification>> result;
  for (std::int64_t n = 0; n < shape[0]; ++n) {
    const std::int64_t first = n * shape[1];
    result.push_back(chosen_row(model, scores.data<float>() + first, ids, first, count, wanted));
  }
  return result;
}

}  // namespace

std::vector<std::vector<Classification>> api::classify_outputs(const Model& model,
                                                               std::vector<Tensor>& outputs,
                                                               const Ranking& wanted) {
  const ScoreOutputs found = score_outputs(model);
  widen_halves(outputs);
  Tensor& scores = outputs.at(found.scores);
  if (found.ids) return chosen_classes(model, scores, outputs.at(*found.ids), wanted);
  const auto [samples, classes] = samples_and_classes(model, scores);
  std::vector<std::vector<Classification>> result;
  for (std::int64_t n = 0; n < samples; ++n) {
    float* row = scores.data<float>() + n * classes;
    activate(wanted.activation, row, classes);
    result.push_back(classify_row(model, row, classes, wanted));
  }
  return result;
}

void api::check_labels(const Model& model) {
  const ScoreOutputs found = score_outputs(model);
  const DataDesc& scores = model.signature().outputs[found.scores];
  if (found.ids || scores.shape.rank() < 2 || scores.shape[1] < 0) return;
  // Labels are those of the objects; their number would be the wrong thing to complain about.
  if (!model.labels().empty()) refuse_detections(model, scores.dtype, scores.shape);
  check_label_count(model, scores.shape[1]);
}

void api::check_activation(const Model& model, Activation activation) {
  if (activation == Activation::none) return;
  const ScoreOutputs found = score_outputs(model);
  const graph::Graph& graph = data_of(model).graph;
  const graph::Node& last = graph.nodes[static_cast<std::size_t>(graph.heads[found.scores].node)];
  const bool is_softmax =
      last.op != nullptr && (last.op->name == "softmax" || last.op->name == "SoftmaxOutput" ||
                             last.op->name == "SoftmaxActivation");
  if (!is_softmax && !found.ids) return;
  fail(ErrorCode::invalid_argument, "model '", printable(model.name()),
       is_softmax ? "' already ends in a softmax" : "' already selects its best classes",
       ", and ClassifierOptions::activation (", to_string(activation),
       ") would be applied on top; leave it at Activation::none");
}

std::vector<Classification> api::only_sample(const Model& model,
                                             std::vector<std::vector<Classification>> samples,
                                             std::size_t elements) {
  if (samples.size() != 1) {
    fail(ErrorCode::invalid_argument, "input '", printable(model.signature().inputs[0].name), "' was given ",
         elements, " elements, which is ", samples.size(),
         " samples; classify takes one (use classify_batch for more)");
  }
  return std::move(samples[0]);
}

void api::check_top_k(std::optional<int> top_k) {
  if (top_k && *top_k < 1) {
    fail(ErrorCode::invalid_argument, "top_k is ", *top_k,
         "; give 1 or more, or none for all classes in label order");
  }
}

}  // namespace mxinfer
