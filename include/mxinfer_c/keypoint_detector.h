// KeypointDetector: finds the key points of objects, such as the joints of persons, in an image.
//
//   mxinfer_keypoint_detector_open("simple_pose_resnet18_v1b", options, &joints);
//   mxinfer_keypoint_detector_detect_with(joints, &photo, persons, NULL, &poses);  // an object detector
//   mxinfer_keypoint point = {sizeof point};
//   for (size_t i = 0; mxinfer_poses_keypoint(poses, 0, i, &point) == MXINFER_OK; ++i)
//     printf("%s %g %g\n", point.label, point.x, point.y);
//
// Any number of threads may use one detector. Results are for one thread at a time.
#ifndef MXINFER_C_KEYPOINT_DETECTOR_H
#define MXINFER_C_KEYPOINT_DETECTOR_H

#include <mxinfer_c/image.h>
#include <mxinfer_c/object_detector.h>
#include <mxinfer_c/predictor.h>

/// One point, in pixels of the image.
typedef struct mxinfer_keypoint {
  size_t struct_size;
  const char* label;  ///< the position as text if the model has not as many labels as points
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
/// Writes pose `index` to `out`. Its points live as long as `poses`. Error: MXINFER_INVALID_ARGUMENT for an
/// index beyond the last.
MXINFER_C_API mxinfer_status mxinfer_poses_get(const mxinfer_poses* poses, size_t index, mxinfer_pose* out);
/// Writes point `point` of a pose to `out`. Its label lives as long as `poses`. Error:
/// MXINFER_INVALID_ARGUMENT for an index beyond the last.
MXINFER_C_API mxinfer_status mxinfer_poses_keypoint(const mxinfer_poses* poses, size_t index, size_t point,
                                                    mxinfer_keypoint* out);
MXINFER_C_API void mxinfer_poses_free(mxinfer_poses* poses);

/// Which objects to look at, and how to read their points. A member of 0 or NULL stands for the default that
/// it names. Functions take NULL for all zeros.
typedef struct mxinfer_pose_options {
  size_t struct_size;
  float box_scale;   ///< the network sees the box, so many times as large; 0: 1.25
  const char* peak;  ///< "cell" (the default): the largest element; "quarter": moved as for AlphaPose
  /// Of mxinfer_keypoint_detector_detect_with: labels of the objects. 0 of them: "person".
  const char* const* classes;
  size_t class_count;
  int32_t all_classes;    ///< 1: objects of all classes
  float score_threshold;  ///< objects that score less are left out; 0: 0.5
  int32_t max_objects;    ///< at most so many, the best ones; 0: all
} mxinfer_pose_options;

typedef struct mxinfer_keypoint_detector mxinfer_keypoint_detector;

/// Create a detector of a model, or load the model first. The options are those of an image classifier
/// without activation, min_score and apply_exif. A crop would cut off parts of objects: the value
/// short_side_crop of "resize" becomes stretch, and is an error with resize_short. Errors:
/// MXINFER_INVALID_ARGUMENT if no output can be heat maps, float32 (batch, points, height, width);
/// MXINFER_UNSUPPORTED for a model that resizes images itself.
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
/// Finds the points of the object in each box, as one batch: one pose a box, in order. `boxes` holds left,
/// top, right, bottom of one box after another, in pixels of the image; `box_count` counts boxes. Error:
/// MXINFER_INVALID_ARGUMENT for a box that is not finite or has no pixel in the image.
MXINFER_C_API mxinfer_status mxinfer_keypoint_detector_detect_in_boxes(
    const mxinfer_keypoint_detector* detector, const mxinfer_image* image, const float* boxes,
    size_t box_count, const mxinfer_pose_options* options, mxinfer_poses** out);
/// Finds the points of the objects that an object detector finds, the best first. Errors: those of the object
/// detector, and MXINFER_INVALID_ARGUMENT if no object has one of the classes.
MXINFER_C_API mxinfer_status mxinfer_keypoint_detector_detect_with(const mxinfer_keypoint_detector* detector,
                                                                   const mxinfer_image* image,
                                                                   const mxinfer_object_detector* objects,
                                                                   const mxinfer_pose_options* options,
                                                                   mxinfer_poses** out);

#endif
