#include <mxinfer/vision/object_detector.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "api/core/run_images.h"
#include "api/vision/detect_options.h"
#include "base/callers_function.h"
#include "base/fail.h"
#include "model/model_data.h"
#include "ops/is_op.h"
#include "vision/detect/class_rules.h"
#include "vision/detect/detect_outputs.h"
#include "vision/detect/select_detections.h"
#include "vision/images/image_options.h"
#include "vision/images/preprocessing.h"

namespace mxinfer {
namespace {

using api::ImageFeed;

bool ends_in_multibox(const Model& model) {
  const auto& nodes = api::data_of(model).graph.nodes;
  return std::any_of(nodes.begin(), nodes.end(),
                     [](const graph::Node& node) { return ops::is_op(node, "_contrib_MultiBoxDetection"); });
}

bool is_relative(const Model& model, const DetectorOptions& options, const ImageFeed& feed) {
  const bool relative = options.units == BoxUnits::relative ||
                        (options.units == BoxUnits::automatic && ends_in_multibox(model));
  if (!relative && feed.entry().model_resizes) {
    fail(ErrorCode::unsupported, "model '", printable(model.name()),
         "' resizes its images itself and gives boxes in pixels of an unknown size; set "
         "DetectorOptions::units to relative if the boxes are fractions of the image's sides, or load the "
         "bare network with LoadOptions::load_transforms = false (--no-transforms). If it gives scores of "
         "classes and no boxes, use ImageClassifier");
  }
  return relative;
}

bool may_have_boxes(const DataDesc& output) {
  if (output.meaning == Meaning::scores || output.meaning == Meaning::ids) return false;
  return output.meaning == Meaning::boxes || output.shape.rank() == 0 || output.shape.rank() == 3;
}

// A check that is possible before the first image: no output can hold boxes.
void reject_without_boxes(const Model& model) {
  const auto& outputs = model.signature().outputs;
  if (std::any_of(outputs.begin(), outputs.end(), may_have_boxes)) return;
  std::string texts;
  bool scores = true;
  for (const DataDesc& output : outputs) {
    texts += concat(texts.empty() ? "" : ", ", to_string(output));
    scores = scores && (output.meaning == Meaning::scores || output.shape.rank() == 2);
  }
  fail(
      ErrorCode::invalid_argument, "model '", printable(model.name()), "' has no boxes: it gives ", texts,
      scores ? ", which are scores, not detections. For a classifier's scores, use ImageClassifier; " : ". ",
      "detections are float32 (batch, rows, 6) of id, score and box, or ids (batch, rows, 1), scores (batch, "
      "rows, 1) and boxes (batch, rows, 4); heads of any other form need DetectorOptions::decoder");
}

/// The decoder's objects in an image of a batch, or its exception as an Error.
std::vector<Detection> run_decoder(const DetectionDecoder& decoder, const std::vector<Tensor>& outputs,
                                   std::size_t image) {
  return run_callers_function([&] { return concat("DetectorOptions::decoder, image ", image); },
                              [&] { return decoder(outputs, static_cast<std::int64_t>(image)); });
}

/// Before anything is run. Throws Error(invalid_argument).
void check(const Model& model, const DetectOptions& options) {
  api::check_detect_options(options);
  static_cast<void>(api::ClassRules(model, options));
}

}  // namespace

struct ObjectDetector::DetectorImpl {
  ImageFeed feed;
  bool relative = false;
  DetectionDecoder decoder;

  // The placement of an image in the coordinates of the boxes.
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

  /// The detections of an image in the outputs.
  DetectReport report_of(const Model& model, const std::vector<Tensor>& outputs,
                         const api::DetectionRows* rows, std::size_t image, Size size,
                         const DetectOptions& options, const api::ClassRules& rules) const {
    api::Selection selection(model, options, rules);
    const auto takes = [&](int index, float score) { return selection.takes(index, score); };
    std::vector<Detection> taken;
    std::int64_t count = 0;
    if (rows != nullptr) {
      taken = rows->rows(static_cast<std::int64_t>(image), takes);
      count = rows->count();
    } else {
      taken = run_decoder(decoder, outputs, image);
      count = static_cast<std::int64_t>(taken.size());
      const auto is_out = [&](const Detection& d) { return d.index < 0 || !takes(d.index, d.score); };
      taken.erase(std::remove_if(taken.begin(), taken.end(), is_out), taken.end());
    }
    DetectReport report = selection.finish(std::move(taken), map_of(size));
    report.rows = count;
    return report;
  }

  /// For each image of a batch that is not `wrong`; with `errors`, adds images whose decoder throws.
  std::vector<DetectReport> report_all(const Model& model, const std::vector<Tensor>& outputs,
                                       Span<const Size> sizes, const std::vector<char>& wrong,
                                       const DetectOptions& options, std::vector<ItemError>* errors) const {
    const api::ClassRules rules(model, options);
    std::optional<api::DetectionRows> rows;
    if (!decoder) rows.emplace(model, outputs);
    if (rows && rows->batch() != static_cast<std::int64_t>(sizes.size())) {
      fail(ErrorCode::invalid_argument, "model '", printable(model.name()), "' gives detections of ",
           rows->batch(), " images for ", sizes.size());
    }
    std::vector<DetectReport> reports(sizes.size());
    for (std::size_t i = 0; i < sizes.size(); ++i) {
      if (wrong[i] != 0) continue;
      try {
        reports[i] = report_of(model, outputs, rows ? &*rows : nullptr, i, sizes[i], options, rules);
      } catch (const Error& e) {
        if (errors == nullptr) throw;
        errors->push_back({i, e});
      }
    }
    return reports;
  }
};

ObjectDetector::ObjectDetector(const Model& model, const DetectorOptions& options) try
    : Predictor(model, options.options) {
  if (!options.decoder) reject_without_boxes(model);
  ImageFeed feed = api::make_feed(*this, api::image_options_of(options));
  const bool relative = is_relative(model, options, feed);
  detector_ = std::make_shared<const DetectorImpl>(DetectorImpl{std::move(feed), relative, options.decoder});
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
  check(model(), options);
  std::vector<std::vector<Detection>> rows(images.size());
  if (images.empty()) return rows;
  const std::size_t known = errors == nullptr ? 0 : errors->size();
  const std::vector<Tensor> outputs = api::run_images(*this, detector_->feed, images, errors);
  if (outputs.empty()) return rows;
  std::vector<Size> sizes;
  for (const Image& image : images) sizes.push_back(image.size());
  const std::vector<char> wrong = api::wrong_items(errors, known, images.size());
  std::vector<DetectReport> reports = detector_->report_all(model(), outputs, sizes, wrong, options, errors);
  for (std::size_t i = 0; i < rows.size(); ++i) rows[i] = std::move(reports[i].detections);
  api::sort_by_item(errors, known);
  return rows;
} catch (...) {
  throw_as_error();
}

std::vector<Detection> ObjectDetector::rows_of(const std::vector<Tensor>& outputs, Size size,
                                               const DetectOptions& options) const {
  return std::move(detector_->report_all(model(), outputs, {&size, 1}, {0}, options, nullptr)[0].detections);
}

DetectReport ObjectDetector::report(const Image& image, const DetectOptions& options) const try {
  check(model(), options);
  const Size size = image.size();
  const std::vector<Tensor> outputs = api::run_images(*this, detector_->feed, {&image, 1}, nullptr);
  return std::move(detector_->report_all(model(), outputs, {&size, 1}, {0}, options, nullptr)[0]);
} catch (...) {
  throw_as_error();
}

DetectReport ObjectDetector::report_file(const std::string& path, const DetectOptions& options) const try {
  return api::call_with_file(*this, detector_->feed, path,
                             [&](const Image& image) { return report(image, options); });
} catch (...) {
  throw_as_error();
}

DetectReport ObjectDetector::report_bytes(ByteSpan encoded, const DetectOptions& options) const try {
  return api::call_with_bytes(*this, detector_->feed, encoded,
                              [&](const Image& image) { return report(image, options); });
} catch (...) {
  throw_as_error();
}

std::vector<Detection> ObjectDetector::detect(const Image& image, const DetectOptions& options) const try {
  return std::move(detect_batch(Span<const Image>(&image, 1), options)[0]);
} catch (...) {
  throw_as_error();
}

std::vector<Detection> ObjectDetector::detect_file(const std::string& path,
                                                   const DetectOptions& options) const try {
  return api::call_with_file(*this, detector_->feed, path,
                             [&](const Image& image) { return detect(image, options); });
} catch (...) {
  throw_as_error();
}

std::vector<Detection> ObjectDetector::detect_bytes(ByteSpan encoded, const DetectOptions& options) const
    try {
  return api::call_with_bytes(*this, detector_->feed, encoded,
                              [&](const Image& image) { return detect(image, options); });
} catch (...) {
  throw_as_error();
}

std::vector<std::vector<Detection>> ObjectDetector::detect_files(const std::vector<std::string>& paths,
                                                                 const DetectOptions& options,
                                                                 std::vector<ItemError>* errors) const try {
  check(model(), options);
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
  check(model(), options);
  return api::call_with_bytes_list(
      *this, detector_->feed, encoded, errors,
      [&](const std::vector<Image>& images) { return detect_each(images, options, errors); });
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
