#include <mxinfer/vision/detections.h>

#include "base/fail.h"
#include "model/label_of.h"
#include "vision/detect/landmark_rows.h"

namespace mxinfer {
namespace {

/// Null if the model has none.
const Tensor* find_output(const Model& model, Span<const Tensor> outputs, Meaning meaning) {
  const auto& descs = model.signature().outputs;
  if (outputs.size() != descs.size()) {
    fail(ErrorCode::invalid_argument, outputs.size(), outputs.size() == 1 ? " output was" : " outputs were",
         " given; model '", printable(model.name()), "' has ", descs.size(), ", and all are needed");
  }
  for (std::size_t i = 0; i < descs.size(); ++i) {
    if (descs[i].meaning == meaning) return &outputs[i];
  }
  return nullptr;
}

const Tensor& output_of(const Model& model, Span<const Tensor> outputs, Meaning meaning) {
  if (const Tensor* output = find_output(model, outputs, meaning)) return *output;
  fail(ErrorCode::invalid_argument, "no output of model '", printable(model.name()), "' has the meaning ",
       to_string(meaning),
       "; attach the step \"boxes\" to it, or state the meanings of its outputs with `mxinfer sign`");
}

// (batch, rows) of float32 of shape (batch, rows) and, if `last` is not 1 or there are three dimensions,
// `last`.
Shape rows_of(const Tensor& tensor, Meaning meaning, std::int64_t last) {
  const Shape& shape = tensor.shape();
  const bool flat = last == 1 && shape.rank() == 2;
  if (tensor.dtype() != DType::float32 || !(flat || (shape.rank() == 3 && shape[2] == last))) {
    fail(ErrorCode::invalid_argument, "the output of ", to_string(meaning), " is ", to_string(tensor.dtype()),
         " ", to_string(shape), "; expected float32 (batch, rows, ", last, ")");
  }
  return {shape[0], shape[1]};
}

}  // namespace

std::vector<std::vector<Detection>> MXINFER_ABI::read_detections(const Model& model,
                                                                 Span<const Tensor> outputs,
                                                                 float least_score) try {
  const Tensor& ids = output_of(model, outputs, Meaning::ids);
  const Tensor& scores = output_of(model, outputs, Meaning::scores);
  const Tensor& boxes = output_of(model, outputs, Meaning::boxes);
  const Shape shape = rows_of(ids, Meaning::ids, 1);
  if (rows_of(scores, Meaning::scores, 1) != shape || rows_of(boxes, Meaning::boxes, 4) != shape) {
    fail(ErrorCode::invalid_argument, "the outputs of ids, scores and boxes are ", to_string(ids.shape()),
         ", ", to_string(scores.shape()), " and ", to_string(boxes.shape()),
         "; expected the same number of rows in each");
  }
  const api::LandmarkRows landmarks(find_output(model, outputs, Meaning::landmarks), shape);
  std::vector<std::vector<Detection>> found(static_cast<std::size_t>(shape[0]));
  for (std::int64_t row = 0; row < shape.elements(); ++row) {
    const float id = ids.data<float>()[row], score = scores.data<float>()[row];
    // Written so that NaN, which lists write for an unreadable image, counts as no object.
    if (!(id >= 0 && id < 1e9f && score >= least_score)) continue;
    const float* box = boxes.data<float>() + 4 * row;
    const int index = static_cast<int>(id);
    found[static_cast<std::size_t>(row / shape[1])].push_back(
        {api::label_of(model, index), score, index, {box[0], box[1], box[2], box[3]}, landmarks.of(row)});
  }
  return found;
} catch (...) {
  throw_as_error();
}

}  // namespace mxinfer
