#include <mxinfer/vision/object_detector.h>
#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "arrays.h"
#include "bindings.h"
#include "calls.h"
#include "handles.h"
#include "images.h"
#include "records.h"
#include "submitted.h"

namespace nb = nanobind;

namespace mxinfer::python {
namespace {

using Objects = std::vector<Detection>;

DetectorHandle make(const ModelHandle& model, const SettingPairs& settings) {
  const DetectorOptions options = settings_of(settings).detector_options();
  const WithoutGil released;
  return DetectorHandle(std::make_unique<ObjectDetector>(*model, options));
}

nb::object detect(const DetectorHandle& self, const std::string& kind, const nb::object& image,
                  float score_threshold, std::optional<int> max_detections) {
  const ObjectDetector& detector = self.as<ObjectDetector>();
  const ImageArgument argument(kind, image);
  const DetectOptions options{score_threshold, max_detections};
  Objects objects;
  {
    const WithoutGil released;
    objects = argument.visit([&](const std::string& path) { return detector.detect_file(path, options); },
                             [&](ByteSpan encoded) { return detector.detect_bytes(encoded, options); },
                             [&](const Image& pixels) { return detector.detect(pixels, options); });
  }
  return to_python(objects);
}

Submitted detect_async(const DetectorHandle& self, const nb::object& future, const std::string& kind,
                       const nb::object& image, float score_threshold, std::optional<int> max_detections,
                       const nb::object& deadline, const std::string& priority) {
  const ObjectDetector& detector = self.as<ObjectDetector>();
  const DetectOptions options{score_threshold, max_detections};
  const SubmitOptions how = submit_options(deadline, priority);
  return submit<Objects>(future, ImageArgument(kind, image), [&](const ImageArgument& held) {
    return held.visit([&](const std::string& path) { return detector.detect_file_async(path, options, how); },
                      [&](ByteSpan encoded) { return detector.detect_bytes_async(encoded, options, how); },
                      [&](const Image& pixels) { return detector.detect_async(pixels, options, how); });
  });
}

nb::object detect_batch(const DetectorHandle& self, const std::string& kind, const nb::list& images,
                        float score_threshold, std::optional<int> max_detections, bool collect) {
  const ObjectDetector& detector = self.as<ObjectDetector>();
  const ImageArguments arguments(kind, images);
  const DetectOptions options{score_threshold, max_detections};
  std::vector<ItemError> errors;
  std::vector<ItemError>* const to = collect ? &errors : nullptr;
  std::vector<Objects> objects;
  {
    const WithoutGil released;
    objects = arguments.visit(
        [&](const std::vector<std::string>& paths) { return detector.detect_files(paths, options, to); },
        [&](const std::vector<ByteSpan>& encoded) {
          return detector.detect_bytes_list(encoded, options, to);
        },
        [&](const std::vector<Image>& pixels) { return detector.detect_batch(pixels, options, to); });
  }
  return nb::make_tuple(to_python(objects), to_python(errors));
}

}  // namespace

void bind_detector(nb::module_& module) {
  nb::class_<DetectorHandle, PredictorHandle>(module, "ObjectDetector")
      .def_static("make", make)
      .def("detect", detect, nb::arg("kind"), nb::arg("image"), nb::arg("score_threshold"),
           nb::arg("max_detections").none())
      .def("detect_async", detect_async, nb::arg("future"), nb::arg("kind"), nb::arg("image"),
           nb::arg("score_threshold"), nb::arg("max_detections").none(), nb::arg("deadline").none(),
           nb::arg("priority"))
      .def("detect_batch", detect_batch, nb::arg("kind"), nb::arg("images"), nb::arg("score_threshold"),
           nb::arg("max_detections").none(), nb::arg("collect"));
}

}  // namespace mxinfer::python
