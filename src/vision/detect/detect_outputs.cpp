#include "vision/detect/detect_outputs.h"

#include "base/fail.h"

namespace mxinfer::api {
namespace {

const Tensor* with_meaning(const Model& model, const std::vector<Tensor>& outputs, Meaning meaning) {
  const auto& descs = model.signature().outputs;
  for (std::size_t i = 0; i < descs.size() && i < outputs.size(); ++i) {
    if (descs[i].meaning == meaning) return &outputs[i];
  }
  return nullptr;
}

// Whether a tensor is float32 (batch, rows, last), or (batch, rows) for a last dimension of 1.
bool has_rows(const Tensor& tensor, std::int64_t last) {
  const Shape& shape = tensor.shape();
  return tensor.dtype() == DType::float32 &&
         ((shape.rank() == 3 && shape[2] == last) || (shape.rank() == 2 && last == 1));
}

bool same_rows(const Tensor& a, const Tensor& b) {
  return a.shape()[0] == b.shape()[0] && a.shape()[1] == b.shape()[1];
}

[[noreturn]] void reject(const Model& model, const std::vector<const Tensor*>& outputs) {
  std::string shapes;
  bool rows = false;
  for (const Tensor* output : outputs) {
    shapes += concat(shapes.empty() ? "" : ", ", to_string(output->dtype()), " ", to_string(output->shape()));
    rows = rows || output->shape().rank() > 2;
  }
  fail(
      ErrorCode::invalid_argument, "model '", printable(model.name()), "' gives ",
      shapes.empty() ? "nothing" : shapes,
      "; expected detections: float32 (batch, rows, 6) of id, score and box, or ids (batch, rows, 1), scores "
      "(batch, rows, 1) and boxes (batch, rows, 4). ",
      rows ? "Heads of another form need DetectorOptions::decoder"
           : "A classifier's scores are not detections: use ImageClassifier for them");
}

}  // namespace

DetectionRows::DetectionRows(const Model& model, const std::vector<Tensor>& outputs) {
  const Tensor* ids = with_meaning(model, outputs, Meaning::ids);
  const Tensor* scores = with_meaning(model, outputs, Meaning::scores);
  const Tensor* boxes = with_meaning(model, outputs, Meaning::boxes);
  if (ids != nullptr && scores != nullptr && boxes != nullptr) {
    take_outputs(model, *ids, *scores, *boxes);
  } else if (outputs.size() >= 3) {
    take_outputs(model, outputs[0], outputs[1], outputs[2]);
  } else if (outputs.empty()) {
    reject(model, {});
  } else {
    take_columns(model, outputs[0]);
  }
  landmarks_ = LandmarkRows(with_meaning(model, outputs, Meaning::landmarks), {batch_, count_});
}

void DetectionRows::take_columns(const Model& model, const Tensor& rows) {
  if (rows.shape().rank() != 3 || !has_rows(rows, 6)) reject(model, {&rows});
  batch_ = rows.shape()[0];
  count_ = rows.shape()[1];
  ids_ = rows.data<float>();
  scores_ = ids_ + 1;
  boxes_ = ids_ + 2;
  step_ = box_step_ = 6;
}

void DetectionRows::take_outputs(const Model& model, const Tensor& ids, const Tensor& scores,
                                 const Tensor& boxes) {
  const bool fits = has_rows(ids, 1) && has_rows(scores, 1) && has_rows(boxes, 4) && same_rows(ids, scores) &&
                    same_rows(ids, boxes);
  if (!fits) reject(model, {&ids, &scores, &boxes});
  batch_ = ids.shape()[0];
  count_ = ids.shape()[1];
  ids_ = ids.data<float>();
  scores_ = scores.data<float>();
  boxes_ = boxes.data<float>();
}

std::vector<Detection> DetectionRows::rows(std::int64_t image, FunctionRef<bool(int, float)> takes) const {
  std::vector<Detection> found;
  for (std::int64_t row = image * count_; row < (image + 1) * count_; ++row) {
    const float id = ids_[row * step_], score = scores_[row * step_];
    // Written so that NaN counts as no object.
    if (!(id >= 0 && id < 1e9f) || !takes(static_cast<int>(id), score)) continue;
    const float* box = boxes_ + row * box_step_;
    found.push_back({{}, score, static_cast<int>(id), {box[0], box[1], box[2], box[3]}, landmarks_.of(row)});
  }
  return found;
}

}  // namespace mxinfer::api
