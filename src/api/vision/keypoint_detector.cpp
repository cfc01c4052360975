#include <mxinfer/vision/keypoint_detector.h>

#include <algorithm>
#include <cmath>

#include "api/core/run_images.h"
#include "base/fail.h"
#include "vision/detect/box_checks.h"
#include "vision/images/image_options.h"
#include "vision/images/preprocessing.h"
#include "vision/segment/heat_maps.h"

namespace mxinfer {
namespace {

using api::ImageFeed;

ImageOptions image_options(const KeypointOptions& options) {
  if (options.preprocess.resize == ResizePolicy::short_side_crop && options.preprocess.resize_short > 0) {
    fail(ErrorCode::invalid_argument, "KeypointOptions::preprocess crops images (resize_short is ",
         options.preprocess.resize_short,
         "), which would cut off parts of the object; use ResizePolicy::stretch or letterbox");
  }
  ImageOptions image = api::image_options_of(options);
  // Presets are for whole images.
  if (image.preprocess.resize == ResizePolicy::short_side_crop)
    image.preprocess.resize = ResizePolicy::stretch;
  return image;
}

void check_pose_options(const PoseOptions& options) {
  if (!(options.box_scale > 0 && std::isfinite(options.box_scale))) {
    fail(ErrorCode::invalid_argument, "PoseOptions::box_scale is ", options.box_scale,
         "; give a number above 0, such as 1.25");
  }
}

/// The pixels within [low, high] of a side of `pixels`, enlarged about the middle: the first one and their
/// number. Nothing if none lies in the image.
struct Range {
  int first = 0, count = 0;
};
Range enlarged(float low, float high, float scale, int pixels) {
  const double middle = (static_cast<double>(low) + high) / 2,
               half = (static_cast<double>(high) - low) / 2 * scale;
  const double begin = std::max(middle - half, 0.0), end = std::min<double>(middle + half, pixels);
  if (!(end > begin)) return {};
  // Rounds down, like GluonCV's crop_resize_normalize, but keeps at least one pixel.
  const int first = std::min(static_cast<int>(begin), pixels - 1);
  return {first, std::max(static_cast<int>(end) - first, 1)};
}

Region region_of(const Box& box, std::size_t index, Size image, float scale) {
  const bool is_finite = api::is_finite(box);
  const Range x = is_finite ? enlarged(box.left, box.right, scale, image.width) : Range{};
  const Range y = is_finite ? enlarged(box.top, box.bottom, scale, image.height) : Range{};
  if (x.count > 0 && y.count > 0) return {x.first, y.first, x.count, y.count};
  fail(ErrorCode::invalid_argument, "box ", index, " (", box.left, ", ", box.top, ", ", box.right, ", ",
       box.bottom, ") contains no pixel of the image of ", image.width, " x ", image.height,
       "; expected left, top, right, bottom in pixels of the image");
}

}  // namespace

struct KeypointDetector::KeypointImpl {
  ImageFeed feed;

  /// Maps fractions of the network's input to pixels of the image.
  void place(std::vector<Keypoint>& points, const Region& region) const {
    const ImageInput& input = feed.entry().input;
    const ImageMap map = api::map_image({region.width, region.height}, feed.options().preprocess, input);
    for (Keypoint& point : points) {
      const double x = static_cast<double>(point.x) * input.width,
                   y = static_cast<double>(point.y) * input.height;
      point.x = static_cast<float>(region.x + (x - map.offset_x) * map.scale_x);
      point.y = static_cast<float>(region.y + (y - map.offset_y) * map.scale_y);
    }
  }
};

KeypointDetector::KeypointDetector(const Model& model, const KeypointOptions& options) try
    : Predictor(model, options.options) {
  api::reject_without_heat_maps(model);
  ImageFeed feed = api::make_feed(*this, image_options(options));
  if (feed.entry().model_resizes) {
    fail(ErrorCode::unsupported, "model '", printable(model.name()),
         "' resizes its images itself, so its points cannot be mapped back to the image; load the bare "
         "network with LoadOptions::load_transforms = false");
  }
  keypoints_ = std::make_shared<const KeypointImpl>(KeypointImpl{std::move(feed)});
  api::take_images(*this, {keypoints_, &keypoints_->feed});
} catch (...) {
  throw_as_error();
}

KeypointDetector::KeypointDetector(const std::string& uri, const KeypointOptions& options,
                                   const LoadOptions& load) try
    : KeypointDetector(Model::load(uri, load), options) {
} catch (...) {
  throw_as_error();
}

KeypointDetector::KeypointDetector(const KeypointDetector&) noexcept = default;
KeypointDetector& KeypointDetector::operator=(const KeypointDetector&) noexcept = default;
KeypointDetector::~KeypointDetector() = default;

std::vector<Pose> KeypointDetector::detect_keypoints(const Image& image, Span<const Box> boxes,
                                                     const PoseOptions& options) const try {
  check_pose_options(options);
  if (image.empty()) fail(ErrorCode::invalid_argument, "the image is empty (0 x 0 pixels)");
  std::vector<Region> regions;
  std::vector<Image> parts;
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    regions.push_back(region_of(boxes[i], i, image.size(), options.box_scale));
    parts.push_back(crop_image(image, regions.back()));
  }
  if (parts.empty()) return {};
  const std::vector<Tensor> outputs = api::run_images(*this, keypoints_->feed, parts, nullptr);
  const api::HeatMaps maps(model(), outputs);
  if (maps.batch() != static_cast<std::int64_t>(parts.size())) {
    fail(ErrorCode::invalid_argument, "model '", printable(model().name()), "' gives heat maps of ",
         maps.batch(), " images for ", parts.size());
  }
  std::vector<Pose> poses;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    Pose pose{boxes[i], 1, maps.points(static_cast<std::int64_t>(i), options.peak)};
    keypoints_->place(pose.points, regions[i]);
    const bool has_labels = model().labels().size() == pose.points.size();
    for (std::size_t point = 0; point < pose.points.size(); ++point)
      pose.points[point].label = has_labels ? model().labels()[point] : std::to_string(point);
    poses.push_back(std::move(pose));
  }
  return poses;
} catch (...) {
  throw_as_error();
}

Pose KeypointDetector::detect_keypoints(const Image& image, const PoseOptions& options) const try {
  const Box whole{0, 0, static_cast<float>(image.width()), static_cast<float>(image.height())};
  PoseOptions as_is = options;
  as_is.box_scale = 1;
  return std::move(detect_keypoints(image, {&whole, 1}, as_is)[0]);
} catch (...) {
  throw_as_error();
}

namespace {

bool is_position(const std::string& name) {
  return !name.empty() && std::all_of(name.begin(), name.end(), [](char c) { return c >= '0' && c <= '9'; });
}

/// Whether a label is one of the model's or the position of an unlabelled class, rather than a decoder's own.
bool is_of_model(const Detection& found, const std::vector<std::string>& labels) {
  return found.label == std::to_string(found.index) ||
         std::find(labels.begin(), labels.end(), found.label) != labels.end();
}

/// Throws Error(invalid_argument) if a detector found objects, but its labels include none of the requested
/// classes.
void check_classes(const ObjectDetector& detector, const std::vector<Detection>& found,
                   const std::vector<std::string>& classes) {
  const auto& labels = detector.model().labels();
  const bool can_be_found = std::any_of(classes.begin(), classes.end(), [&](const std::string& name) {
    return labels.empty() ? is_position(name) : std::find(labels.begin(), labels.end(), name) != labels.end();
  });
  const bool has_own_labels = std::any_of(
      found.begin(), found.end(), [&](const Detection& object) { return !is_of_model(object, labels); });
  if (can_be_found || classes.empty() || found.empty() || has_own_labels) return;
  fail(ErrorCode::invalid_argument, "the detector '", printable(detector.model().name()), "' has ",
       labels.size(), " labels, but none is '", printable(classes[0]),
       "', which PoseOptions::classes asks for; name some of its labels (positions, such as \"0\", if it has "
       "none), or "
       "leave classes empty for all objects");
}

}  // namespace

std::vector<Pose> KeypointDetector::detect_keypoints(const Image& image, const ObjectDetector& detector,
                                                     const PoseOptions& options) const try {
  check_pose_options(options);
  if (options.max_objects && *options.max_objects < 1)
    fail(ErrorCode::invalid_argument, "PoseOptions::max_objects is ", *options.max_objects,
         "; give at least 1");
  DetectOptions detect;
  detect.score_threshold = options.score_threshold;
  const std::vector<Detection> objects = detector.detect(image, detect);
  check_classes(detector, objects, options.classes);
  std::vector<Box> boxes;
  std::vector<float> scores;
  for (const Detection& found : objects) {
    const bool is_wanted =
        options.classes.empty() ||
        std::find(options.classes.begin(), options.classes.end(), found.label) != options.classes.end();
    if (!is_wanted) continue;
    if (options.max_objects && boxes.size() == static_cast<std::size_t>(*options.max_objects)) break;
    boxes.push_back(found.box);
    scores.push_back(found.score);
  }
  std::vector<Pose> poses = detect_keypoints(image, boxes, options);
  for (std::size_t i = 0; i < poses.size(); ++i) poses[i].score = scores[i];
  return poses;
} catch (...) {
  throw_as_error();
}

}  // namespace mxinfer
