// ObjectDetector: finds objects in images, with their labels, scores, and boxes in pixels of your image. Any
// number of threads may use one detector.
//
//   mxinfer_object_detector_open("ssd_512_resnet50_v1_voc", options, &detector);
//   mxinfer_object_detector_detect_file(detector, "street.jpg", NULL, &found);
//   mxinfer_detection object = {sizeof object};
//   for (size_t i = 0; mxinfer_detections_get(found, 0, i, &object) == MXINFER_OK; ++i) puts(object.label);
#ifndef MXINFER_C_OBJECT_DETECTOR_H
#define MXINFER_C_OBJECT_DETECTOR_H

#include <mxinfer_c/image_classifier.h>
#include <mxinfer_c/predictor.h>

/// One object in one image.
typedef struct mxinfer_detection {
  size_t struct_size;
  const char* label;  ///< the class name; the index as text if the model has no labels
  float score;
  int32_t index;  ///< the class's position in the labels
  float left, top, right, bottom;
  const float*
      landmarks;          ///< x, y of one point after another, in pixels of the image; NULL if there are none
  size_t landmark_count;  ///< points
} mxinfer_detection;

/// The objects in an image, or in each image of a list, in descending order of score. Use them on one thread
/// at a time.
typedef struct mxinfer_detections mxinfer_detections;

/// Return the number of images, and the number of objects in one image; 0 if the index is out of range.
MXINFER_C_API size_t mxinfer_detections_images(const mxinfer_detections* detections);
MXINFER_C_API size_t mxinfer_detections_count(const mxinfer_detections* detections, size_t image);
/// Writes object `index` of an image to `out`. Its label and landmarks live as long as `detections`. Error:
/// MXINFER_INVALID_ARGUMENT if the index is out of range.
MXINFER_C_API mxinfer_status mxinfer_detections_get(const mxinfer_detections* detections, size_t image,
                                                    size_t index, mxinfer_detection* out);
/// As mxinfer_classes_item_status.
MXINFER_C_API mxinfer_status mxinfer_detections_item_status(const mxinfer_detections* detections,
                                                            size_t image, const char** message);
MXINFER_C_API void mxinfer_detections_free(mxinfer_detections* detections);

/// How to suppress objects that overlap. A member that is 0 or NULL has the default that its comment names.
typedef struct mxinfer_nms_options {
  size_t struct_size;
  float iou_threshold;     ///< the overlap above which a box is suppressed, up to 1; 0: 0.5
  int32_t all_classes;     ///< 1: objects of different classes suppress each other too
  const char* method;      ///< "hard" (the default), "linear" or "gaussian"
  float sigma;             ///< for "gaussian"; 0: 0.5
  float score_threshold;   ///< objects with a lower score are left out, before and after suppression
  int32_t max_detections;  ///< the most objects, best first; 0: all
  const char* overlap;     ///< "iou" (the default), or "min": relative to the smaller box
} mxinfer_nms_options;

/// Which objects to return. Functions accept NULL, which means {sizeof, 0.5, 0}: score_threshold 0.5 and no
/// other limit.
typedef struct mxinfer_detect_options {
  size_t struct_size;
  float score_threshold;   ///< objects that score less are left out
  int32_t max_detections;  ///< the most objects of each image, best first; 0: all
  /// Labels of the classes to return, or their positions as text. None: all classes.
  const char* const* classes;
  size_t class_count;
  /// Classes, named in the same way, that have their own threshold instead of score_threshold.
  const char* const* threshold_classes;
  const float* class_thresholds;
  size_t class_threshold_count;
  const mxinfer_nms_options* nms;  ///< suppression after the network's own; NULL: none
} mxinfer_detect_options;

typedef struct mxinfer_object_detector mxinfer_object_detector;

/// Create a detector for a model, or load the model first. The options are those of a predictor and of the
/// groups "image" and "detector". Errors: as mxinfer_image_classifier_create.
MXINFER_C_API mxinfer_status mxinfer_object_detector_create(const mxinfer_model* model,
                                                            const mxinfer_options* options,
                                                            mxinfer_object_detector** out);
MXINFER_C_API mxinfer_status mxinfer_object_detector_open(const char* uri, const mxinfer_options* options,
                                                          mxinfer_object_detector** out);
MXINFER_C_API void mxinfer_object_detector_free(mxinfer_object_detector* detector);
/// Returns the same object as a predictor. Borrowed: do not free it.
MXINFER_C_API const mxinfer_predictor* mxinfer_object_detector_predictor(
    const mxinfer_object_detector* detector);

/// Find the objects in one image: a file at a path or address, the bytes of a JPEG or PNG, or pixels. Errors:
/// as mxinfer_image_classifier_classify_file and similar functions.
MXINFER_C_API mxinfer_status mxinfer_object_detector_detect_file(const mxinfer_object_detector* detector,
                                                                 const char* path,
                                                                 const mxinfer_detect_options* options,
                                                                 mxinfer_detections** out);
MXINFER_C_API mxinfer_status mxinfer_object_detector_detect_bytes(const mxinfer_object_detector* detector,
                                                                  const void* encoded, size_t bytes,
                                                                  const mxinfer_detect_options* options,
                                                                  mxinfer_detections** out);
MXINFER_C_API mxinfer_status mxinfer_object_detector_detect_image(const mxinfer_object_detector* detector,
                                                                  const mxinfer_image* image,
                                                                  const mxinfer_detect_options* options,
                                                                  mxinfer_detections** out);
/// Find the objects in lists of images, as one batch. With collect_errors, mxinfer_detections_item_status
/// reports images that fail, and the others are not affected. Without it, the first image that fails makes
/// the call fail.
MXINFER_C_API mxinfer_status mxinfer_object_detector_detect_files(const mxinfer_object_detector* detector,
                                                                  const char* const* paths, size_t count,
                                                                  const mxinfer_detect_options* options,
                                                                  int collect_errors,
                                                                  mxinfer_detections** out);
MXINFER_C_API mxinfer_status mxinfer_object_detector_detect_bytes_list(
    const mxinfer_object_detector* detector, const mxinfer_bytes* encoded, size_t count,
    const mxinfer_detect_options* options, int collect_errors, mxinfer_detections** out);
MXINFER_C_API mxinfer_status mxinfer_object_detector_detect_images(const mxinfer_object_detector* detector,
                                                                   const mxinfer_image* images, size_t count,
                                                                   const mxinfer_detect_options* options,
                                                                   int collect_errors,
                                                                   mxinfer_detections** out);

/// A count of what happened to every row that a network returned for an image. It tells why an object is
/// missing. Use it on one thread at a time.
typedef struct mxinfer_detect_report mxinfer_detect_report;

/// Numbers of rows of the network's outputs. A candidate is a row that stands for an object. Each candidate
/// is either returned, or counted once, by the first member below `candidates` that applies to it.
typedef struct mxinfer_detect_counts {
  size_t struct_size;
  int64_t rows;  ///< all rows, empty ones included
  int64_t candidates;
  int64_t nan_scores;     ///< the score is NaN
  int64_t other_classes;  ///< the class is not one of mxinfer_detect_options.classes
  int64_t below_threshold;
  int64_t nan_boxes;    ///< a coordinate is NaN or infinite
  int64_t empty_boxes;  ///< the box has no area
  int64_t outside;      ///< the box does not overlap the image
  int64_t suppressed;
  int64_t beyond_most;    ///< left out by max_detections
  int64_t histogram[10];  ///< candidates with scores below 0.1, from 0.1 to 0.2, ..., from 0.9 on
} mxinfer_detect_counts;

/// Report on one image, which is passed as to the functions that detect objects in one image.
MXINFER_C_API mxinfer_status mxinfer_object_detector_report_file(const mxinfer_object_detector* detector,
                                                                 const char* path,
                                                                 const mxinfer_detect_options* options,
                                                                 mxinfer_detect_report** out);
MXINFER_C_API mxinfer_status mxinfer_object_detector_report_bytes(const mxinfer_object_detector* detector,
                                                                  const void* encoded, size_t bytes,
                                                                  const mxinfer_detect_options* options,
                                                                  mxinfer_detect_report** out);
MXINFER_C_API mxinfer_status mxinfer_object_detector_report_image(const mxinfer_object_detector* detector,
                                                                  const mxinfer_image* image,
                                                                  const mxinfer_detect_options* options,
                                                                  mxinfer_detect_report** out);
MXINFER_C_API mxinfer_status mxinfer_detect_report_counts(const mxinfer_detect_report* report,
                                                          mxinfer_detect_counts* out);
/// Return the report as one sentence, and the objects that were found; NULL for NULL. Borrowed: they live as
/// long as the report.
MXINFER_C_API const char* mxinfer_detect_report_text(const mxinfer_detect_report* report);
MXINFER_C_API const mxinfer_detections* mxinfer_detect_report_detections(const mxinfer_detect_report* report);
/// Return the number of classes that have candidates, and write the best score of one of them to `out`.
/// Classes are in descending order of score. Its label lives as long as the report.
MXINFER_C_API size_t mxinfer_detect_report_classes(const mxinfer_detect_report* report);
MXINFER_C_API mxinfer_status mxinfer_detect_report_best(const mxinfer_detect_report* report, size_t index,
                                                        mxinfer_class* out);
MXINFER_C_API void mxinfer_detect_report_free(mxinfer_detect_report* report);

#endif
