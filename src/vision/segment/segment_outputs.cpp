#include "vision/segment/segment_outputs.h"

#include <mxinfer/vision/label_image.h>

#include <algorithm>

#include "base/fail.h"

namespace mxinfer::api {
namespace {

constexpr const char* kExpectedMap =
    "expected a map: float32 scores of (batch, classes, height, width), 1 to 255 classes, or positions in "
    "the labels "
    "of (batch, height, width)";

bool has_numbers(DType dtype) {
  return dtype == DType::float32 || dtype == DType::float64 || dtype == DType::uint8 ||
         dtype == DType::int8 || dtype == DType::int32 || dtype == DType::int64;
}

bool is_empty(const Shape& shape) {
  return shape.elements() == 0;
}

bool are_scores(const Tensor& output) {
  const Shape& shape = output.shape();
  return output.dtype() == DType::float32 && shape.rank() == 4 && shape[1] >= 1 &&
         shape[1] <= kUnknownLabel && !is_empty(shape);
}

/// Excludes rows of detections, such as those of MultiBoxDetection, boxes, and single numbers: no map is that
/// narrow.
bool are_rows(const Shape& shape) {
  return shape.rank() == 3 && (shape[2] == 1 || shape[2] == 4 || shape[2] == 6);
}

bool are_indices(const Tensor& output) {
  const Shape& shape = output.shape();
  return has_numbers(output.dtype()) && shape.rank() == 3 && !is_empty(shape) && !are_rows(shape);
}

template <typename T>
void read_indices(const T* values, std::vector<std::uint8_t>& labels) {
  // Written so that NaN is unknown too.
  const auto label = [](T value) {
    const bool fits = value >= T{0} && static_cast<double>(value) < kUnknownLabel;
    return fits ? static_cast<std::uint8_t>(value) : kUnknownLabel;
  };
  std::transform(values, values + labels.size(), labels.begin(), label);
}

}  // namespace

void reject_without_maps(const Model& model) {
  std::string shapes;
  for (const DataDesc& output : model.signature().outputs) {
    const std::size_t rank = output.shape.rank();
    const bool is_of_rows =
        output.meaning == Meaning::boxes || output.meaning == Meaning::landmarks || are_rows(output.shape);
    const bool may_be_map = !is_of_rows && (rank == 0 || rank == 4 || rank == 3);
    if (may_be_map) return;
    shapes += concat(shapes.empty() ? "" : ", ", to_string(output));
  }
  fail(ErrorCode::invalid_argument, "model '", printable(model.name()),
       "' gives nothing for pixels: it gives ", shapes, "; ", kExpectedMap,
       ". For a classifier's scores use ImageClassifier, for boxes ObjectDetector");
}

SegmentOutputs::SegmentOutputs(const Model& model, const std::vector<Tensor>& outputs) {
  const auto find = [&](bool (*fits)(const Tensor&)) {
    const auto found = std::find_if(outputs.begin(), outputs.end(), fits);
    return found == outputs.end() ? nullptr : &*found;
  };
  map_ = find(are_scores);
  has_scores_ = map_ != nullptr;
  if (map_ == nullptr) map_ = find(are_indices);
  if (map_ != nullptr) return;
  std::string shapes;
  for (const Tensor& output : outputs)
    shapes += concat(shapes.empty() ? "" : ", ", to_string(output.dtype()), " ", to_string(output.shape()));
  fail(ErrorCode::invalid_argument, "model '", printable(model.name()), "' gives ", shapes, "; ",
       kExpectedMap);
}

std::vector<std::uint8_t> SegmentOutputs::indices(std::int64_t image) const {
  const std::int64_t count = height() * width();
  std::vector<std::uint8_t> labels(static_cast<std::size_t>(count));
  switch (map_->dtype()) {
    case DType::float32:
      read_indices(map_->data<float>() + image * count, labels);
      break;
    case DType::float64:
      read_indices(map_->data<double>() + image * count, labels);
      break;
    case DType::uint8:
      read_indices(map_->data<std::uint8_t>() + image * count, labels);
      break;
    case DType::int8:
      read_indices(map_->data<std::int8_t>() + image * count, labels);
      break;
    case DType::int32:
      read_indices(map_->data<std::int32_t>() + image * count, labels);
      break;
    default:
      read_indices(map_->data<std::int64_t>() + image * count, labels);
      break;
  }
  return labels;
}

Image SegmentOutputs::labels(std::int64_t image, const MapPlacement& placement,
                             const LabelMapOptions& options) const {
  if (has_scores_) {
    const std::int64_t classes = map_->shape()[1];
    const float* scores = map_->data<float>() + image * classes * height() * width();
    return label_map(ScoreMap{scores, classes, height(), width()}, placement, options);
  }
  const std::vector<std::uint8_t> found = indices(image);
  return label_map(IndexMap{found.data(), height(), width()}, placement);
}

}  // namespace mxinfer::api
