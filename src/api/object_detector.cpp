#include <mxinfer/vision/object_detector.h>

#include <algorithm>
#include <cmath>

#include "api/detect_options.h"
#include "api/predictor_call.h"
#include "api/run_images.h"
#include "base/fail.h"
#include "model/label_of.h"
#include "model/model_data.h"
#include "ops/op_def.h"
#include "vision/detect_outputs.h"
#include "vision/preprocessing.h"

namespace mxinfer {
namespace {

using api::ImageFeed;

bool ends_in_multibox(const Model& model) {
  const auto& nodes = api::data_of(model).graph.nodes;
  return std::any_of(nodes.begin(), nodes.end(), [](const graph::Node& node) {
    return node.op != nullptr && node.op->name == "_contrib_MultiBoxDetection";
  });
}

bool is_relative(const Model& model, const DetectorOptions& options, const ImageFeed& feed) {
  const bool relative = options.units == BoxUnits::relative ||
                        (options.units == BoxUnits::automatic && ends_in_multibox(model));
  if (!relative && feed.entry().model_resizes) {
    fail(ErrorCode::unsupported, "model '", printable(model.name()),
         "' resizes its images itself and gives boxes in pixels of a size that nothing says; set "
         "DetectorOptions::units to relative if they are parts of the image's sides, or load the bare "
         "network "
         "with LoadOptions::load_transforms = false (--no-transforms)");
  }
  return relative;
}

// What can be known before the first image: none of the outputs can hold boxes.
void reject_without_boxes(const Model& model) {
  const auto& outputs = model.signature().outputs;
  std::string shapes;
  for (const DataDesc& output : outputs) {
    const bool may_have_boxes = output.meaning == Meaning::boxes || output.shape.rank() == 0 ||
                                (output.shape.rank() == 3 && output.meaning != Meaning::scores);
    if (may_have_boxes) return;
    shapes += concat(shapes.empty() ? "" : ", ", to_string(output));
  }
  fail(
      ErrorCode::invalid_argument, "model '", printable(model.name()), "' has no boxes: it gives ", shapes,
      "; expected detections, float32 (batch, rows, 6) of id, score and box, or ids (batch, rows, 1), scores "
      "(batch, rows, 1) and boxes (batch, rows, 4). A classifier's scores are for ImageClassifier");
}

bool is_finite(const Box& box) {
  return std::isfinite(box.left) && std::isfinite(box.top) && std::isfinite(box.right) &&
         std::isfinite(box.bottom);
}

bool has_area(const Box& box) {
  return box.right > box.left && box.bottom > box.top;
}

}  // namespace

struct ObjectDetector::DetectorImpl {
  ImageFeed feed;
  bool relative = false;

  // Where an image lies in the coordinates of the boxes.
  ImageMap map_of(Size image) const {
    if (feed.entry().model_resizes) {
      return {0, 0, static_cast<double>(image.width), static_cast<double>(image.height), image};
    }
    const ImageInput& input = feed.entry().input;
    ImageMap map = api::map_image(image, feed.options().preprocess, input);
    if (relative) {
      map.offset_x /= input.width;
      map.offset_y /= input.height;
      map.scale_x *= input.width;
      map.scale_y *= input.height;
    }
    return map;
  }

  std::vector<Detection> finish(const Model& model, std::vector<Detection> found, Size image,
                                const DetectOptions& options) const {
    std::stable_sort(found.begin(), found.end(),
                     [](const Detection& a, const Detection& b) { return a.score > b.score; });
    const ImageMap map = map_of(image);
    const std::size_t most =
        options.max_detections ? static_cast<std::size_t>(*options.max_detections) : found.size();
    std::vector<Detection> result;
    for (Detection& detection : found) {
      if (result.size() == most) break;
      if (!is_finite(detection.box)) continue;
      detection.box = map.to_source(detection.box);
      if (!has_area(detection.box)) continue;
      detection.label = api::label_of(model, detection.index);
      result.push_back(std::move(detection));
    }
    return result;
  }
};

namespace {

ImageOptions image_options(const DetectorOptions& options) {
  ImageOptions image;
  image.preprocess = options.preprocess;
  image.apply_exif = options.apply_exif;
  image.height = options.height;
  image.width = options.width;
  image.options = options.options;
  return image;
}

}  // namespace

ObjectDetector::ObjectDetector(const Model& model, const DetectorOptions& options) try
    : Predictor(model, options.options) {
  reject_without_boxes(model);
  ImageFeed feed = api::make_feed(*this, image_options(options));
  const bool relative = is_relative(model, options, feed);
  detector_ = std::make_shared<const DetectorImpl>(DetectorImpl{std::move(feed), relative});
  api::take_images(*this, {detector_, &detector_->feed});
} catch (...) {
  throw_as_error();
}

ObjectDetector::ObjectDetector(const std::string& uri, const DetectorOptions& options,
                               const LoadOptions& load) try
    : ObjectDetector(Model::load(uri, load), options) {
} catch (...) {
  throw_as_error();
}

ObjectDetector::ObjectDetector(const ObjectDetector&) noexcept = default;
ObjectDetector& ObjectDetector::operator=(const ObjectDetector&) noexcept = default;
ObjectDetector::~ObjectDetector() = default;

std::vector<std::vector<Detection>> ObjectDetector::detect_batch(Span<const Image> images,
                                                                 const DetectOptions& options,
                                                                 std::vector<ItemError>* errors) const try {
  api::check_detect_options(options);
  std::vector<std::vector<Detection>> rows(images.size());
  if (images.empty()) return rows;
  const std::size_t known = errors == nullptr ? 0 : errors->size();
  const std::vector<Tensor> outputs = api::run_images(*this, detector_->feed, images, errors);
  if (outputs.empty()) return rows;
  std::vector<Size> sizes;
  for (const Image& image : images) sizes.push_back(image.size());
  std::vector<char> wrong(images.size(), 0);
  for (std::size_t e = known; errors != nullptr && e < errors->size(); ++e) wrong[(*errors)[e].item] = 1;
  return rows_of(outputs, sizes, wrong.data(), options);
} catch (...) {
  throw_as_error();
}

std::vector<std::vector<Detection>> ObjectDetector::rows_of(const std::vector<Tensor>& outputs,
                                                            Span<const Size> sizes, const char* wrong,
                                                            const DetectOptions& options) const {
  const api::DetectionRows found(model(), outputs);
  if (found.batch() != static_cast<std::int64_t>(sizes.size())) {
    fail(ErrorCode::invalid_argument, "model '", printable(model().name()), "' gives detections of ",
         found.batch(), " images for ", sizes.size());
  }
  std::vector<std::vector<Detection>> rows(sizes.size());
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    if (wrong != nullptr && wrong[i] != 0) continue;
    rows[i] = detector_->finish(model(), found.rows(static_cast<std::int64_t>(i), options.score_threshold),
                                sizes[i], options);
  }
  return rows;
}

std::vector<Detection> ObjectDetector::detect(const Image& image, const DetectOptions& options) const try {
  return std::move(detect_batch(Span<const Image>(&image, 1), options)[0]);
} catch (...) {
  throw_as_error();
}

std::vector<Detection> ObjectDetector::detect_file(const std::string& path,
                                                   const DetectOptions& options) const try {
  const sources::ReadFile read = detector_->feed.fetch(path);
  return api::as_call(*this, [&] { return detect(detector_->feed.decode_file(path, read), options); });
} catch (...) {
  throw_as_error();
}

std::vector<Detection> ObjectDetector::detect_bytes(ByteSpan encoded, const DetectOptions& options) const
    try {
  return api::as_call(*this,
                      [&] { return detect(decode_image(encoded, detector_->feed.decode()), options); });
} catch (...) {
  throw_as_error();
}

std::vector<std::vector<Detection>> ObjectDetector::detect_files(const std::vector<std::string>& paths,
                                                                 const DetectOptions& options,
                                                                 std::vector<ItemError>* errors) const try {
  api::check_detect_options(options);
  return api::call_with_images(*this, detector_->feed, paths, errors, [&](const std::vector<Image>& images) {
    return detect_each(images, options, errors);
  });
} catch (...) {
  throw_as_error();
}

std::vector<std::vector<Detection>> ObjectDetector::detect_bytes_list(const ByteSpans& encoded,
                                                                      const DetectOptions& options,
                                                                      std::vector<ItemError>* errors) const
    try {
  api::check_detect_options(options);
  return api::as_call(*this, [&] {
    return detect_each(detector_->feed.decode_all(encoded.span(), api::batch_runner(*this), errors), options,
                       errors);
  });
} catch (...) {
  throw_as_error();
}

std::vector<std::vector<Detection>> ObjectDetector::detect_each(const std::vector<Image>& images,
                                                                const DetectOptions& options,
                                                                std::vector<ItemError>* errors) const {
  return api::run_readable<std::vector<Detection>>(
      images, errors, [&](Span<const Image> readable) { return detect_batch(readable, options, errors); });
}

}  // namespace mxinfer
