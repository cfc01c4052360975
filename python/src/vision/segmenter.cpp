#include <mxinfer/error.h>
#include <mxinfer/vision/image_segmenter.h>
#include <mxinfer/vision/keypoint_detector.h>
#include <nanobind/nanobind.h>
#include <nanobind/stl/array.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "bindings.h"
#include "core/arrays.h"
#include "core/calls.h"
#include "core/handles.h"
#include "core/records.h"
#include "vision/images.h"

namespace nb = nanobind;

namespace mxinfer::python {
namespace {

SegmenterHandle make_segmenter(const ModelHandle& model, const SettingPairs& settings) {
  const ImageOptions image = settings_of(settings).image_options();
  const SegmenterOptions options{image.preprocess, image.apply_exif, image.height,
                                 image.width,      image.activation, image.options};
  const WithoutGil released;
  return SegmenterHandle(std::make_unique<ImageSegmenter>(*model, options));
}

nb::object to_python(const Segmentation& found) {
  nb::list areas;
  for (const SegmentArea& area : found.areas)
    areas.append(nb::make_tuple(python::to_python(area.label), area.index, area.pixels, area.part));
  Tensor labels(DType::uint8, {found.labels.height(), found.labels.width()});
  std::copy(found.labels.pixels().begin(), found.labels.pixels().end(), labels.data<std::uint8_t>());
  return nb::make_tuple(to_numpy(std::move(labels)), areas);
}

nb::object segment(const SegmenterHandle& self, const std::string& kind, const nb::object& image,
                   std::optional<float> min_score, bool smooth) {
  const ImageSegmenter& segmenter = self.as<ImageSegmenter>();
  const ImageArgument argument(kind, image);
  const SegmentOptions options{min_score, smooth};
  Segmentation found;
  {
    const WithoutGil released;
    found = argument.visit([&](const std::string& path) { return segmenter.segment_file(path, options); },
                           [&](ByteSpan encoded) { return segmenter.segment_bytes(encoded, options); },
                           [&](const Image& pixels) { return segmenter.segment(pixels, options); });
  }
  return to_python(found);
}

KeypointHandle make_keypoints(const ModelHandle& model, const SettingPairs& settings) {
  const ImageOptions image = settings_of(settings).image_options();
  if (!image.apply_exif) {
    throw Error(ErrorCode::invalid_argument,
                "a KeypointDetector turns images upright; leave apply_exif as it is, or give pixels");
  }
  const KeypointOptions options{image.preprocess, image.height, image.width, image.options};
  const WithoutGil released;
  return KeypointHandle(std::make_unique<KeypointDetector>(*model, options));
}

nb::object to_python(const Pose& pose) {
  nb::list points;
  for (const Keypoint& point : pose.points)
    points.append(nb::make_tuple(point.x, point.y, point.score, python::to_python(point.label)));
  return nb::make_tuple(nb::make_tuple(pose.box.left, pose.box.top, pose.box.right, pose.box.bottom),
                        pose.score, points);
}

nb::object to_python(const std::vector<Pose>& poses) {
  nb::list found;
  for (const Pose& pose : poses) found.append(to_python(pose));
  return found;
}

PoseOptions pose_options(float box_scale, bool quarter) {
  PoseOptions options;
  options.box_scale = box_scale;
  options.peak = quarter ? HeatMapPeak::quarter : HeatMapPeak::cell;
  return options;
}

Image image_of(const ImageArgument& argument) {
  return argument.visit([](const std::string& path) { return read_image(path); },
                        [](ByteSpan encoded) { return decode_image(encoded); },
                        [](const Image& pixels) { return pixels; });
}

nb::object detect_keypoints(const KeypointHandle& self, const std::string& kind, const nb::object& image,
                            const std::optional<std::vector<std::array<float, 4>>>& boxes, float box_scale,
                            bool quarter) {
  const ImageArgument argument(kind, image);
  const PoseOptions options = pose_options(box_scale, quarter);
  std::vector<Box> parts;
  if (boxes) {
    for (const auto& [left, top, right, bottom] : *boxes) parts.push_back({left, top, right, bottom});
  }
  const KeypointDetector& detector = self.as<KeypointDetector>();
  std::vector<Pose> poses;
  {
    const WithoutGil released;
    if (boxes) {
      poses = detector.detect_keypoints(image_of(argument), parts, options);
    } else {
      poses.push_back(detector.detect_keypoints(image_of(argument), options));
    }
  }
  return to_python(poses);
}

nb::object detect_keypoints_of(const KeypointHandle& self, const std::string& kind, const nb::object& image,
                               const DetectorHandle& detector, const std::vector<std::string>& classes,
                               float score_threshold, float box_scale, bool quarter) {
  const ImageArgument argument(kind, image);
  PoseOptions options = pose_options(box_scale, quarter);
  options.classes = classes;
  options.score_threshold = score_threshold;
  std::vector<Pose> poses;
  {
    const WithoutGil released;
    poses = self.as<KeypointDetector>().detect_keypoints(image_of(argument), detector.as<ObjectDetector>(),
                                                         options);
  }
  return to_python(poses);
}

}  // namespace

void bind_segmenter(nb::module_& module) {
  nb::class_<SegmenterHandle, PredictorHandle>(module, "ImageSegmenter")
      .def_static("make", make_segmenter)
      .def("segment", segment, nb::arg("kind"), nb::arg("image"), nb::arg("min_score").none(),
           nb::arg("smooth"));
  nb::class_<KeypointHandle, PredictorHandle>(module, "KeypointDetector")
      .def_static("make", make_keypoints)
      .def("detect_keypoints", detect_keypoints, nb::arg("kind"), nb::arg("image"), nb::arg("boxes").none(),
           nb::arg("box_scale"), nb::arg("quarter"))
      .def("detect_keypoints_of", detect_keypoints_of, nb::arg("kind"), nb::arg("image"), nb::arg("detector"),
           nb::arg("classes"), nb::arg("score_threshold"), nb::arg("box_scale"), nb::arg("quarter"));
}

}  // namespace mxinfer::python
