#include <mxinfer_c/object_detector.h>

#include "c_api/call.h"
#include "c_api/handles.h"
#include "c_api/vision/detect_options.h"
#include "c_api/vision/images.h"

using namespace mxinfer;
using namespace mxinfer::c_api;

namespace {

/// One image, by what finds objects in it.
template <typename Detect>
mxinfer_status detect_one(const mxinfer_object_detector* detector, const mxinfer_detect_options* options,
                          mxinfer_detections** out, Detect detect,
                          const char* function = __builtin_FUNCTION()) {
  return call(
      [&] {
        const ObjectDetector& self = need(detector, "detector").detector;
        mxinfer_detections*& detections = need(out, "out");
        auto made = std::make_unique<mxinfer_detections>();
        made->images.push_back(detect(self, detect_options_of(options)));
        detections = made.release();
      },
      function);
}

/// A list of them.
template <typename Detect>
mxinfer_status detect_list(const mxinfer_object_detector* detector, const mxinfer_detect_options* options,
                           int collect_errors, mxinfer_detections** out, Detect detect,
                           const char* function = __builtin_FUNCTION()) {
  return call(
      [&] {
        const ObjectDetector& self = need(detector, "detector").detector;
        mxinfer_detections*& detections = need(out, "out");
        auto made = std::make_unique<mxinfer_detections>();
        made->images =
            detect(self, detect_options_of(options), collect_errors != 0 ? &made->errors : nullptr);
        detections = made.release();
      },
      function);
}

}  // namespace

size_t mxinfer_detections_images(const mxinfer_detections* detections) {
  return detections == nullptr ? 0 : detections->images.size();
}

size_t mxinfer_detections_count(const mxinfer_detections* detections, size_t image) {
  return image < mxinfer_detections_images(detections) ? detections->images[image].size() : 0;
}

mxinfer_status mxinfer_detections_get(const mxinfer_detections* detections, size_t image, size_t index,
                                      mxinfer_detection* out) {
  return call([&] {
    need(detections, "detections");
    if (index >= mxinfer_detections_count(detections, image)) {
      reject("there is no object " + std::to_string(index) + " of image " + std::to_string(image) +
             "; there are " + std::to_string(mxinfer_detections_images(detections)) +
             " images, and this one has " + std::to_string(mxinfer_detections_count(detections, image)) +
             " objects, counted from 0");
    }
    const Detection& found = detections->images[image][index];
    static_assert(sizeof(Point) == 2 * sizeof(float), "points are x, y of one after another");
    const float* const landmarks = found.landmarks.empty() ? nullptr : &found.landmarks[0].x;
    write_struct(need(out, "out"),
                 {0, found.label.c_str(), found.score, found.index, found.box.left, found.box.top,
                  found.box.right, found.box.bottom, landmarks, found.landmarks.size()});
  });
}

mxinfer_status mxinfer_detections_item_status(const mxinfer_detections* detections, size_t image,
                                              const char** message) {
  return item_status_of(detections, "detections", image, message);
}

void mxinfer_detections_free(mxinfer_detections* detections) {
  delete detections;
}

mxinfer_status mxinfer_object_detector_create(const mxinfer_model* model, const mxinfer_options* options,
                                              mxinfer_object_detector** out) {
  return call([&] {
    mxinfer_object_detector*& detector = need(out, "out");
    detector = new mxinfer_object_detector(
        ObjectDetector(need(model, "model").model, settings_of(options).detector_options()));
  });
}

mxinfer_status mxinfer_object_detector_open(const char* uri, const mxinfer_options* options,
                                            mxinfer_object_detector** out) {
  return call([&] {
    mxinfer_object_detector*& detector = need(out, "out");
    const Settings& settings = settings_of(options);
    detector = new mxinfer_object_detector(
        ObjectDetector(need_text(uri, "uri"), settings.detector_options(), settings.load_options()));
  });
}

void mxinfer_object_detector_free(mxinfer_object_detector* detector) {
  delete detector;
}

const mxinfer_predictor* mxinfer_object_detector_predictor(const mxinfer_object_detector* detector) {
  return detector == nullptr ? nullptr : &detector->base;
}

mxinfer_status mxinfer_object_detector_detect_file(const mxinfer_object_detector* detector, const char* path,
                                                   const mxinfer_detect_options* options,
                                                   mxinfer_detections** out) {
  return detect_one(detector, options, out, [&](const ObjectDetector& self, const DetectOptions& detect) {
    return self.detect_file(need_text(path, "path"), detect);
  });
}

mxinfer_status mxinfer_object_detector_detect_bytes(const mxinfer_object_detector* detector,
                                                    const void* encoded, size_t bytes,
                                                    const mxinfer_detect_options* options,
                                                    mxinfer_detections** out) {
  return detect_one(detector, options, out, [&](const ObjectDetector& self, const DetectOptions& detect) {
    return self.detect_bytes(encoded_of(encoded, bytes), detect);
  });
}

mxinfer_status mxinfer_object_detector_detect_image(const mxinfer_object_detector* detector,
                                                    const mxinfer_image* image,
                                                    const mxinfer_detect_options* options,
                                                    mxinfer_detections** out) {
  return detect_one(detector, options, out, [&](const ObjectDetector& self, const DetectOptions& detect) {
    return self.detect(image_of(image), detect);
  });
}

mxinfer_status mxinfer_object_detector_detect_files(const mxinfer_object_detector* detector,
                                                    const char* const* paths, size_t count,
                                                    const mxinfer_detect_options* options, int collect_errors,
                                                    mxinfer_detections** out) {
  return detect_list(
      detector, options, collect_errors, out,
      [&](const ObjectDetector& self, const DetectOptions& detect, std::vector<ItemError>* errors) {
        return self.detect_files(paths_of(paths, count), detect, errors);
      });
}

mxinfer_status mxinfer_object_detector_detect_bytes_list(const mxinfer_object_detector* detector,
                                                         const mxinfer_bytes* encoded, size_t count,
                                                         const mxinfer_detect_options* options,
                                                         int collect_errors, mxinfer_detections** out) {
  return detect_list(
      detector, options, collect_errors, out,
      [&](const ObjectDetector& self, const DetectOptions& detect, std::vector<ItemError>* errors) {
        return self.detect_bytes_list(encoded_list(encoded, count), detect, errors);
      });
}

mxinfer_status mxinfer_object_detector_detect_images(const mxinfer_object_detector* detector,
                                                     const mxinfer_image* images, size_t count,
                                                     const mxinfer_detect_options* options,
                                                     int collect_errors, mxinfer_detections** out) {
  return detect_list(
      detector, options, collect_errors, out,
      [&](const ObjectDetector& self, const DetectOptions& detect, std::vector<ItemError>* errors) {
        return self.detect_batch(images_of(images, count), detect, errors);
      });
}
