// KeypointDetector: finds the key points of objects, such as the joints of people, in an image.
//
//   mxinfer_keypoint_detector_open("simple_pose_resnet18_v1b", options, &joints);
//   mxinfer_keypoint_detector_detect_with(joints, &photo, persons, NULL, &poses);  // an object detector
//   mxinfer_keypoint point = {sizeof point};
//   for (size_t i = 0; mxinfer_poses_keypoint(poses, 0, i, &point) == MXINFER_OK; ++i)
//     printf("%s %g %g\n", point.label, point.x, point.y);
//
// Any number of threads may use one detector. Use results on one thread at a time.
#ifndef MXINFER_C_KEYPOINT_DETECTOR_H
#define MXINFER_C_KEYPOINT_DETECTOR_H

#include <mxinfer_c/image.h>
#include <mxinfer_c/object_detector.h>
#include <mxinfer_c/predictor.h>

/// One point, in pixels of the image.
typedef struct mxinfer_keypoint {
  size_t struct_size;
  const char* label;  ///< the position as text, unless the model has one label for each point
  float x, y;
  float score;  ///< the largest element of its heat map
} mxinfer_keypoint;

/// One object and its points, in pixels of the image.
typedef struct mxinfer_pose {
  size_t struct_size;
  float left, top, right, bottom;  ///< the box of the object
  float score;                     ///< of the object detector; 1 without one
  const float* points;             ///< x, y of one point after another, in the order of the model
  size_t point_count;              ///< points, not numbers
} mxinfer_pose;

/// The poses of one image.
typedef struct mxinfer_poses mxinfer_poses;

/// Returns the number of poses.
MXINFER_C_API size_t mxinfer_poses_count(const mxinfer_poses* poses);
/// Writes pose `index` to `out`. Its points live as long as `poses`. Error: MXINFER_INVALID_ARGUMENT if the
/// index is out of range.
MXINFER_C_API mxinfer_status mxinfer_poses_get(const mxinfer_poses* poses, size_t index, mxinfer_pose* out);
/// Writes point `point` of a pose to `out`. Its label lives as long as `poses`. Error:
/// MXINFER_INVALID_ARGUMENT if the index is out of range.
MXINFER_C_API mxinfer_status mxinfer_poses_keypoint(const mxinfer_poses* poses, size_t index, size_t point,
                                                    mxinfer_keypoint* out);
MXINFER_C_API void mxinfer_poses_free(mxinfer_poses* poses);

/// Which objects to use, and how to read their points. A member that is 0 or NULL has the default that its
/// comment names. Functions accept NULL, which means all zeros.
typedef struct mxinfer_pose_options {
  size_t struct_size;
  float box_scale;   ///< scales the box to the part that the network sees; 0: 1.25
  const char* peak;  ///< "cell" (the default): the largest element; "quarter": moved as for AlphaPose
  /// For mxinfer_keypoint_detector_detect_with: the labels of objects to use. None: "person".
  const char* const* classes;
  size_t class_count;
  int32_t all_classes;    ///< 1: objects of all classes
  float score_threshold;  ///< objects that score less are left out; 0: 0.5
  int32_t max_objects;    ///< the most objects, best first; 0: all
} mxinfer_pose_options;

typedef struct mxinfer_keypoint_detector mxinfer_keypoint_detector;

/// Create a detector for a model, or load the model first. The options are those of an image classifier
/// without activation, min_score and apply_exif. A crop would cut off parts of objects: the value
/// short_side_crop of "resize" becomes stretch, and is an error with resize_short. Errors:
/// MXINFER_INVALID_ARGUMENT if no output can be heat maps, float32 (batch, points, height, width);
/// MXINFER_UNSUPPORTED if the model resizes images itself.
MXINFER_C_API mxinfer_status mxinfer_keypoint_detector_create(const mxinfer_model* model,
                                                              const mxinfer_options* options,
                                                              mxinfer_keypoint_detector** out);
MXINFER_C_API mxinfer_status mxinfer_keypoint_detector_open(const char* uri, const mxinfer_options* options,
                                                            mxinfer_keypoint_detector** out);
MXINFER_C_API void mxinfer_keypoint_detector_free(mxinfer_keypoint_detector* detector);
/// Returns the same object as a predictor. Borrowed: do not free it.
MXINFER_C_API const mxinfer_predictor* mxinfer_keypoint_detector_predictor(
    const mxinfer_keypoint_detector* detector);

/// Finds the points of the one object that fills the image: one pose.
MXINFER_C_API mxinfer_status mxinfer_keypoint_detector_detect(const mxinfer_keypoint_detector* detector,
                                                              const mxinfer_image* image,
                                                              const mxinfer_pose_options* options,
                                                              mxinfer_poses** out);
/// Finds the points of the object in each box, as one batch: one pose for each box, in order. `boxes` holds
/// left, top, right and bottom of one box after another, in pixels of the image; `box_count` counts boxes.
/// Error: MXINFER_INVALID_ARGUMENT if a box is not finite or has no pixel in the image.
MXINFER_C_API mxinfer_status mxinfer_keypoint_detector_detect_in_boxes(
    const mxinfer_keypoint_detector* detector, const mxinfer_image* image, const float* boxes,
    size_t box_count, const mxinfer_pose_options* options, mxinfer_poses** out);
/// Finds the points of the objects that an object detector finds, the best first. Errors: those of the object
/// detector, and MXINFER_INVALID_ARGUMENT if it finds objects but has none of the classes among its labels.
MXINFER_C_API mxinfer_status mxinfer_keypoint_detector_detect_with(const mxinfer_keypoint_detector* detector,
                                                                   const mxinfer_image* image,
                                                                   const mxinfer_object_detector* objects,
                                                                   const mxinfer_pose_options* options,
                                                                   mxinfer_poses** out);

#endif
