#include <mxinfer_c/keypoint_detector.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "c_api/call.h"
#include "c_api/choice.h"
#include "c_api/structs.h"
#include "c_api/vision/class_options.h"
#include "c_api/vision/handles.h"
#include "c_api/vision/images.h"

using namespace mxinfer;
using namespace mxinfer::c_api;

namespace {

KeypointOptions keypoint_options_of(const mxinfer_options* options) {
  ImageOptions image = image_options_of(options, "a key-point detector", false);
  if (!image.apply_exif)
    reject("a key-point detector takes pixels as they are; leave the option apply_exif out");
  return {image.preprocess, image.height, image.width, std::move(image.options)};
}

PoseOptions pose_options_of(const mxinfer_pose_options* options) {
  PoseOptions result;
  if (options == nullptr) return result;
  const mxinfer_pose_options given = read_struct(*options);
  if (given.box_scale != 0) result.box_scale = given.box_scale;
  result.peak =
      static_cast<HeatMapPeak>(choice_or_first("mxinfer_pose_options.peak", given.peak, {"cell", "quarter"}));
  if (given.class_count > 0 && given.all_classes != 0) {
    reject(
        "mxinfer_pose_options has classes and all_classes; name the classes, or set all_classes to take "
        "all");
  }
  if (given.class_count > 0 || given.all_classes != 0) {
    result.classes =
        need_texts(given.classes, given.class_count, "options.classes", "class of options.classes");
  }
  if (given.score_threshold != 0) result.score_threshold = given.score_threshold;
  if (given.max_objects != 0) result.max_objects = given.max_objects;
  return result;
}

Span<const Box> boxes_of(const float* boxes, std::size_t count) {
  static_assert(sizeof(Box) == 4 * sizeof(float) && alignof(Box) == alignof(float));
  if (count > 0) need(boxes, "boxes");
  return {reinterpret_cast<const Box*>(boxes), count};
}

/// detect(detector, image, options) gives the poses of an image.
template <typename Detect>
mxinfer_status detect_poses(const mxinfer_keypoint_detector* detector, const mxinfer_image* image,
                            const mxinfer_pose_options* options, mxinfer_poses** out, Detect detect,
                            const char* function = __builtin_FUNCTION()) {
  return give(
      out,
      [&] {
        const KeypointDetector& self = need(detector, "detector").detector;
        auto made = std::make_unique<mxinfer_poses>();
        made->list = detect(self, image_of(image), pose_options_of(options));
        for (const Pose& pose : made->list) {
          std::vector<float>& points = made->points.emplace_back();
          for (const Keypoint& point : pose.points) points.insert(points.end(), {point.x, point.y});
        }
        return made.release();
      },
      function);
}

const Pose& pose_at(const mxinfer_poses* poses, std::size_t index) {
  const std::vector<Pose>& list = need(poses, "poses").list;
  if (index >= list.size()) no_such("pose", index, list.size());
  return list[index];
}

}  // namespace

size_t mxinfer_poses_count(const mxinfer_poses* poses) {
  return poses == nullptr ? 0 : poses->list.size();
}

mxinfer_status mxinfer_poses_get(const mxinfer_poses* poses, size_t index, mxinfer_pose* out) {
  return call([&] {
    const Pose& pose = pose_at(poses, index);
    write_struct(need(out, "out"), {0, pose.box.left, pose.box.top, pose.box.right, pose.box.bottom,
                                    pose.score, poses->points[index].data(), pose.points.size()});
  });
}

mxinfer_status mxinfer_poses_keypoint(const mxinfer_poses* poses, size_t index, size_t point,
                                      mxinfer_keypoint* out) {
  return call([&] {
    const std::vector<Keypoint>& points = pose_at(poses, index).points;
    if (point >= points.size()) no_such("point", point, points.size());
    const Keypoint& found = points[point];
    write_struct(need(out, "out"), {0, found.label.c_str(), found.x, found.y, found.score});
  });
}

void mxinfer_poses_free(mxinfer_poses* poses) {
  delete poses;
}

mxinfer_status mxinfer_keypoint_detector_create(const mxinfer_model* model, const mxinfer_options* options,
                                                mxinfer_keypoint_detector** out) {
  return give(out, [&] {
    return new mxinfer_keypoint_detector(
        KeypointDetector(need(model, "model").model, keypoint_options_of(options)));
  });
}

mxinfer_status mxinfer_keypoint_detector_open(const char* uri, const mxinfer_options* options,
                                              mxinfer_keypoint_detector** out) {
  return give(out, [&] {
    return new mxinfer_keypoint_detector(KeypointDetector(need_text(uri, "uri"), keypoint_options_of(options),
                                                          settings_of(options).load_options()));
  });
}

void mxinfer_keypoint_detector_free(mxinfer_keypoint_detector* detector) {
  delete detector;
}

const mxinfer_predictor* mxinfer_keypoint_detector_predictor(const mxinfer_keypoint_detector* detector) {
  return detector == nullptr ? nullptr : &detector->base;
}

mxinfer_status mxinfer_keypoint_detector_detect(const mxinfer_keypoint_detector* detector,
                                                const mxinfer_image* image,
                                                const mxinfer_pose_options* options, mxinfer_poses** out) {
  return detect_poses(detector, image, options, out,
                      [](const KeypointDetector& self, const Image& pixels, const PoseOptions& how) {
                        return std::vector<Pose>{self.detect_keypoints(pixels, how)};
                      });
}

mxinfer_status mxinfer_keypoint_detector_detect_in_boxes(const mxinfer_keypoint_detector* detector,
                                                         const mxinfer_image* image, const float* boxes,
                                                         size_t box_count,
                                                         const mxinfer_pose_options* options,
                                                         mxinfer_poses** out) {
  return detect_poses(detector, image, options, out,
                      [&](const KeypointDetector& self, const Image& pixels, const PoseOptions& how) {
                        return self.detect_keypoints(pixels, boxes_of(boxes, box_count), how);
                      });
}

mxinfer_status mxinfer_keypoint_detector_detect_with(const mxinfer_keypoint_detector* detector,
                                                     const mxinfer_image* image,
                                                     const mxinfer_object_detector* objects,
                                                     const mxinfer_pose_options* options,
                                                     mxinfer_poses** out) {
  return detect_poses(detector, image, options, out,
                      [&](const KeypointDetector& self, const Image& pixels, const PoseOptions& how) {
                        return self.detect_keypoints(pixels, need(objects, "objects").detector, how);
                      });
}
