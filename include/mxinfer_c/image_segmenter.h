// ImageSegmenter: labels every pixel of an image.
//
//   mxinfer_image_segmenter_open("deeplab_resnet50_voc", options, &segmenter);
//   mxinfer_image_segmenter_segment_file(segmenter, "street.jpg", NULL, &found);
//   mxinfer_segment_area area = {sizeof area};
//   for (size_t i = 0; mxinfer_segmentations_area(found, 0, i, &area) == MXINFER_OK; ++i)   // largest first
//     printf("%s %g\n", area.label, area.part);
//   mxinfer_image labels = {sizeof labels};
//   mxinfer_segmentations_labels(found, 0, &labels);      // of the size of street.jpg
//
// Any number of threads may use one segmenter. Use results on one thread at a time.
#ifndef MXINFER_C_IMAGE_SEGMENTER_H
#define MXINFER_C_IMAGE_SEGMENTER_H

#include <mxinfer_c/image_classifier.h>
#include <mxinfer_c/predictor.h>

/// The value of pixels of unknown label: the network did not see them, their scores are NaN, or they are
/// below mxinfer_segment_options.min_score.
enum { MXINFER_UNKNOWN_LABEL = 255 };

/// How pixels get their labels. Functions accept NULL, which means all zeros.
typedef struct mxinfer_segment_options {
  size_t struct_size;
  const float* min_score;  ///< pixels whose best class scores less are unknown; NULL: no limit
  /// 0: interpolates the scores at each pixel, which gives smooth borders; 1: takes the class of the nearest
  /// element of the network's map.
  int32_t nearest;
} mxinfer_segment_options;

/// How much of an image shows one class.
typedef struct mxinfer_segment_area {
  size_t struct_size;
  const char* label;  ///< the class name; the index as text if the model has no labels
  int32_t index;      ///< the class's position in the labels
  int64_t pixels;
  double part;  ///< the fraction of all pixels of the image, 0 to 1
} mxinfer_segment_area;

/// The labels of an image, or of each image of a list.
typedef struct mxinfer_segmentations mxinfer_segmentations;

/// Returns the number of images.
MXINFER_C_API size_t mxinfer_segmentations_images(const mxinfer_segmentations* segmentations);
/// Writes the label image to `out`: one channel of 8 bits, of the size of your image. Its values are
/// positions in the labels or MXINFER_UNKNOWN_LABEL. The pixels live as long as `segmentations`. Error:
/// MXINFER_INVALID_ARGUMENT if the index is out of range, or the image failed with collect_errors.
MXINFER_C_API mxinfer_status mxinfer_segmentations_labels(const mxinfer_segmentations* segmentations,
                                                          size_t image, mxinfer_image* out);
/// Returns the number of classes in an image; 0 if the index is out of range.
MXINFER_C_API size_t mxinfer_segmentations_areas(const mxinfer_segmentations* segmentations, size_t image);
/// Writes class `index` of an image to `out`, the largest area first. Its label lives as long as
/// `segmentations`. Error: MXINFER_INVALID_ARGUMENT if the index is out of range.
MXINFER_C_API mxinfer_status mxinfer_segmentations_area(const mxinfer_segmentations* segmentations,
                                                        size_t image, size_t index,
                                                        mxinfer_segment_area* out);
/// As mxinfer_classes_item_status.
MXINFER_C_API mxinfer_status mxinfer_segmentations_item_status(const mxinfer_segmentations* segmentations,
                                                               size_t image, const char** message);
MXINFER_C_API void mxinfer_segmentations_free(mxinfer_segmentations* segmentations);

typedef struct mxinfer_image_segmenter mxinfer_image_segmenter;

/// Create a segmenter for a model, or load the model first. The options are those of an image classifier
/// without min_score, which is in mxinfer_segment_options. Errors: as mxinfer_image_classifier_create, and
/// MXINFER_INVALID_ARGUMENT if no output can be a map: scores (batch, classes, height, width) or positions in
/// the labels (batch, height, width).
MXINFER_C_API mxinfer_status mxinfer_image_segmenter_create(const mxinfer_model* model,
                                                            const mxinfer_options* options,
                                                            mxinfer_image_segmenter** out);
MXINFER_C_API mxinfer_status mxinfer_image_segmenter_open(const char* uri, const mxinfer_options* options,
                                                          mxinfer_image_segmenter** out);
MXINFER_C_API void mxinfer_image_segmenter_free(mxinfer_image_segmenter* segmenter);
/// Returns the same object as a predictor. Borrowed: do not free it.
MXINFER_C_API const mxinfer_predictor* mxinfer_image_segmenter_predictor(
    const mxinfer_image_segmenter* segmenter);

/// Segment one image: a file at a path or address, the bytes of a JPEG or PNG, or pixels. Errors: as
/// mxinfer_image_classifier_classify_file and similar functions.
MXINFER_C_API mxinfer_status mxinfer_image_segmenter_segment_file(const mxinfer_image_segmenter* segmenter,
                                                                  const char* path,
                                                                  const mxinfer_segment_options* options,
                                                                  mxinfer_segmentations** out);
MXINFER_C_API mxinfer_status mxinfer_image_segmenter_segment_bytes(const mxinfer_image_segmenter* segmenter,
                                                                   const void* encoded, size_t bytes,
                                                                   const mxinfer_segment_options* options,
                                                                   mxinfer_segmentations** out);
MXINFER_C_API mxinfer_status mxinfer_image_segmenter_segment_image(const mxinfer_image_segmenter* segmenter,
                                                                   const mxinfer_image* image,
                                                                   const mxinfer_segment_options* options,
                                                                   mxinfer_segmentations** out);
/// Segment lists of images of any sizes as one batch. With collect_errors, mxinfer_segmentations_item_status
/// reports images that fail, and the others are not affected. Without it, the first image that fails makes
/// the call fail.
MXINFER_C_API mxinfer_status mxinfer_image_segmenter_segment_files(const mxinfer_image_segmenter* segmenter,
                                                                   const char* const* paths, size_t count,
                                                                   const mxinfer_segment_options* options,
                                                                   int collect_errors,
                                                                   mxinfer_segmentations** out);
MXINFER_C_API mxinfer_status mxinfer_image_segmenter_segment_bytes_list(
    const mxinfer_image_segmenter* segmenter, const mxinfer_bytes* encoded, size_t count,
    const mxinfer_segment_options* options, int collect_errors, mxinfer_segmentations** out);
MXINFER_C_API mxinfer_status mxinfer_image_segmenter_segment_images(const mxinfer_image_segmenter* segmenter,
                                                                    const mxinfer_image* images, size_t count,
                                                                    const mxinfer_segment_options* options,
                                                                    int collect_errors,
                                                                    mxinfer_segmentations** out);

/// Encode a label image as a PNG of 8 bits per pixel with the palette of Pascal VOC, or write it to a file.
/// The values of the PNG are the labels. Error: MXINFER_INVALID_ARGUMENT if the image has three channels, or
/// the file cannot be written.
MXINFER_C_API mxinfer_status mxinfer_encode_label_png(const mxinfer_image* labels, mxinfer_owned_bytes** out);
MXINFER_C_API mxinfer_status mxinfer_write_label_png(const mxinfer_image* labels, const char* path);

#endif
