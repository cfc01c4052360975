#include <mxinfer/vision/object_detector.h>
#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "bindings.h"
#include "core/arrays.h"
#include "core/calls.h"
#include "core/handles.h"
#include "core/records.h"
#include "core/submitted.h"
#include "vision/images.h"

namespace nb = nanobind;

namespace mxinfer::python {
namespace {

using Objects = std::vector<Detection>;

DetectorHandle make(const ModelHandle& model, const SettingPairs& settings) {
  const DetectorOptions options = settings_of(settings).detector_options();
  const WithoutGil released;
  return DetectorHandle(std::make_unique<ObjectDetector>(*model, options));
}

template <typename Choice>
Choice choice(const char* what, const std::string& text, const std::vector<std::string>& names) {
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (names[i] == text) return static_cast<Choice>(i);
  }
  std::string known;
  for (const std::string& name : names) known += (known.empty() ? "'" : ", '") + name + "'";
  throw Error(ErrorCode::invalid_argument,
              std::string("NmsOptions.") + what + " is '" + text + "'; it can be " + known);
}

NmsOptions nms_options(const nb::tuple& given) {
  NmsOptions options;
  options.iou_threshold = nb::cast<float>(given[0]);
  if (nb::cast<bool>(given[1])) options.across = SuppressAcross::all_classes;
  options.method =
      choice<NmsMethod>("method", nb::cast<std::string>(given[2]), {"hard", "linear", "gaussian"});
  options.sigma = nb::cast<float>(given[3]);
  options.score_threshold = nb::cast<float>(given[4]);
  options.max_detections = nb::cast<std::optional<int>>(given[5]);
  options.overlap = choice<SuppressOverlap>("overlap", nb::cast<std::string>(given[6]), {"iou", "min"});
  return options;
}

/// Of what nms.py makes of the keywords.
DetectOptions detect_options(const nb::tuple& wanted) {
  DetectOptions options;
  options.score_threshold = nb::cast<float>(wanted[0]);
  options.max_detections = nb::cast<std::optional<int>>(wanted[1]);
  for (const nb::handle name : nb::cast<nb::list>(wanted[2]))
    options.classes.push_back(nb::cast<std::string>(name));
  for (const nb::handle pair : nb::cast<nb::list>(wanted[3])) {
    const nb::tuple entry = nb::cast<nb::tuple>(pair);
    options.class_thresholds[nb::cast<std::string>(entry[0])] = nb::cast<float>(entry[1]);
  }
  if (!wanted[4].is_none()) options.nms = nms_options(nb::cast<nb::tuple>(wanted[4]));
  return options;
}

nb::object detect(const DetectorHandle& self, const std::string& kind, const nb::object& image,
                  const nb::tuple& wanted) {
  const ObjectDetector& detector = self.as<ObjectDetector>();
  const ImageArgument argument(kind, image);
  const DetectOptions options = detect_options(wanted);
  Objects objects;
  {
    const WithoutGil released;
    objects = argument.visit([&](const std::string& path) { return detector.detect_file(path, options); },
                             [&](ByteSpan encoded) { return detector.detect_bytes(encoded, options); },
                             [&](const Image& pixels) { return detector.detect(pixels, options); });
  }
  return to_python(objects);
}

nb::object report(const DetectorHandle& self, const std::string& kind, const nb::object& image,
                  const nb::tuple& wanted) {
  const ObjectDetector& detector = self.as<ObjectDetector>();
  const ImageArgument argument(kind, image);
  const DetectOptions options = detect_options(wanted);
  DetectReport found;
  {
    const WithoutGil released;
    found = argument.visit([&](const std::string& path) { return detector.report_file(path, options); },
                           [&](ByteSpan encoded) { return detector.report_bytes(encoded, options); },
                           [&](const Image& pixels) { return detector.report(pixels, options); });
  }
  return to_python(found);
}

Submitted detect_async(const DetectorHandle& self, const nb::object& future, const std::string& kind,
                       const nb::object& image, const nb::tuple& wanted, const nb::object& deadline,
                       const std::string& priority) {
  const ObjectDetector& detector = self.as<ObjectDetector>();
  const DetectOptions options = detect_options(wanted);
  const SubmitOptions how = submit_options(deadline, priority);
  return submit<Objects>(future, ImageArgument(kind, image), [&](const ImageArgument& held) {
    return held.visit([&](const std::string& path) { return detector.detect_file_async(path, options, how); },
                      [&](ByteSpan encoded) { return detector.detect_bytes_async(encoded, options, how); },
                      [&](const Image& pixels) { return detector.detect_async(pixels, options, how); });
  });
}

nb::object detect_batch(const DetectorHandle& self, const std::string& kind, const nb::list& images,
                        const nb::tuple& wanted, bool collect) {
  const ObjectDetector& detector = self.as<ObjectDetector>();
  const ImageArguments arguments(kind, images);
  const DetectOptions options = detect_options(wanted);
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
      .def("detect", detect, nb::arg("kind"), nb::arg("image"), nb::arg("wanted"))
      .def("report", report, nb::arg("kind"), nb::arg("image"), nb::arg("wanted"))
      .def("detect_async", detect_async, nb::arg("future"), nb::arg("kind"), nb::arg("image"),
           nb::arg("wanted"), nb::arg("deadline").none(), nb::arg("priority"))
      .def("detect_batch", detect_batch, nb::arg("kind"), nb::arg("images"), nb::arg("wanted"),
           nb::arg("collect"));
}

}  // namespace mxinfer::python
