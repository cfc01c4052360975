// ObjectDetector: finds objects in images: what they are, how sure the network is, and where, in pixels of
// the image that was given.
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
} mxinfer_detection;

/// The objects in an image, or in each of a list, by falling score.
typedef struct mxinfer_detections mxinfer_detections;

/// How many images, and how many objects in one of them.
MXINFER_C_API size_t mxinfer_detections_images(const mxinfer_detections* detections);
MXINFER_C_API size_t mxinfer_detections_count(const mxinfer_detections* detections, size_t image);
/// Object `index` of an image. Its label lives as long as `detections`.
MXINFER_C_API mxinfer_status mxinfer_detections_get(const mxinfer_detections* detections, size_t image,
                                                    size_t index, mxinfer_detection* out);
/// As mxinfer_classes_item_status.
MXINFER_C_API mxinfer_status mxinfer_detections_item_status(const mxinfer_detections* detections,
                                                            size_t image, const char** message);
MXINFER_C_API void mxinfer_detections_free(mxinfer_detections* detections);

/// What to give of what was found. Where a function takes it, NULL stands for {sizeof, 0.5, 0}.
typedef struct mxinfer_detect_options {
  size_t struct_size;
  float score_threshold;   ///< objects that score less are left out
  int32_t max_detections;  ///< so many of each image, the best ones; 0: all
} mxinfer_detect_options;

typedef struct mxinfer_object_detector mxinfer_object_detector;

/// As those of a predictor; options of the groups "image" and "detector" count too.
MXINFER_C_API mxinfer_status mxinfer_object_detector_create(const mxinfer_model* model,
                                                            const mxinfer_options* options,
                                                            mxinfer_object_detector** out);
MXINFER_C_API mxinfer_status mxinfer_object_detector_open(const char* uri, const mxinfer_options* options,
                                                          mxinfer_object_detector** out);
MXINFER_C_API void mxinfer_object_detector_free(mxinfer_object_detector* detector);
/// The same object as a predictor. Borrowed: not to be freed.
MXINFER_C_API const mxinfer_predictor* mxinfer_object_detector_predictor(
    const mxinfer_object_detector* detector);

/// One image: from a file, from the bytes of a JPEG or PNG, or from pixels, as
/// mxinfer_image_classifier_classify_file and its like: a path may be an address.
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
/// Lists of them, run as one batch.
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

#endif
