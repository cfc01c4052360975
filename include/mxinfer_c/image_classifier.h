// ImageClassifier: a classifier for images. An end-to-end model preprocesses them itself; for a bare network
// the options of the group "image" say how.
//
//   mxinfer_options_set(options, "preset", "imagenet");
//   mxinfer_image_classifier_open("resnet18_v1", options, &classifier);
//   mxinfer_image_classifier_classify_file(classifier, "kitten.jpg", 5, &best);
//   mxinfer_image_classifier_classify_bytes(classifier, body, body_bytes, 5, &best);   // opens no file
#ifndef MXINFER_C_IMAGE_CLASSIFIER_H
#define MXINFER_C_IMAGE_CLASSIFIER_H

#include <mxinfer_c/classifier.h>

/// Pixels, row by row, each pixel's channels side by side. They are converted to the channels of the network
/// as those of a PNG are: grey to colour, colour to grey, alpha dropped, of 16 bits the upper 8 kept.
/// docs/how-to/images.md has the table.
typedef struct mxinfer_image {
  size_t struct_size;
  const uint8_t* pixels;
  int32_t width;
  int32_t height;
  int32_t channels;   ///< 1 (grey), 2 (grey, alpha), 3 (RGB) or 4 (RGB, alpha)
  size_t row_stride;  ///< bytes from one row to the next; 0: those of a row
  int32_t bits;       ///< of a sample: 8, or 0 for it; 16: `pixels` are uint16_t in the machine's byte order
} mxinfer_image;

/// Bytes of one JPEG or PNG file.
typedef struct mxinfer_bytes {
  size_t struct_size;
  const void* data;
  size_t bytes;
} mxinfer_bytes;

typedef struct mxinfer_image_classifier mxinfer_image_classifier;

/// As those of a classifier; options of the group "image" count too. MXINFER_INVALID_ARGUMENT also if a bare
/// network leaves height and width free and the options do not give them, and if the options would preprocess
/// images that the model preprocesses itself.
MXINFER_C_API mxinfer_status mxinfer_image_classifier_create(const mxinfer_model* model,
                                                             const mxinfer_options* options,
                                                             mxinfer_image_classifier** out);
MXINFER_C_API mxinfer_status mxinfer_image_classifier_open(const char* uri, const mxinfer_options* options,
                                                           mxinfer_image_classifier** out);
MXINFER_C_API void mxinfer_image_classifier_free(mxinfer_image_classifier* classifier);
/// The same object as a classifier of arrays, and as a predictor. Borrowed: not to be freed.
MXINFER_C_API const mxinfer_classifier* mxinfer_image_classifier_classifier(
    const mxinfer_image_classifier* classifier);
MXINFER_C_API const mxinfer_predictor* mxinfer_image_classifier_predictor(
    const mxinfer_image_classifier* classifier);

/// One image: from a file, from the bytes of a JPEG or PNG, or from pixels. top_k as in
/// mxinfer_classifier_classify. Bytes that are neither JPEG nor PNG are MXINFER_MALFORMED: no file is opened
/// for them, whatever they are. A path may be an address, which is fetched as the options of the model say,
/// without a copy on disk; MXINFER_NETWORK if it cannot be.
MXINFER_C_API mxinfer_status mxinfer_image_classifier_classify_file(
    const mxinfer_image_classifier* classifier, const char* path, int32_t top_k, mxinfer_classes** out);
MXINFER_C_API mxinfer_status
mxinfer_image_classifier_classify_bytes(const mxinfer_image_classifier* classifier, const void* encoded,
                                        size_t bytes, int32_t top_k, mxinfer_classes** out);
MXINFER_C_API mxinfer_status
mxinfer_image_classifier_classify_image(const mxinfer_image_classifier* classifier,
                                        const mxinfer_image* image, int32_t top_k, mxinfer_classes** out);

/// Lists of them, of any sizes, run as one batch. With collect_errors, images that are wrong are told by
/// mxinfer_classes_item_status and cost the others nothing; without, the first that is wrong fails the call.
/// Of addresses several are fetched at a time (the option "connections").
MXINFER_C_API mxinfer_status mxinfer_image_classifier_classify_files(
    const mxinfer_image_classifier* classifier, const char* const* paths, size_t count, int32_t top_k,
    int collect_errors, mxinfer_classes** out);
MXINFER_C_API mxinfer_status mxinfer_image_classifier_classify_bytes_list(
    const mxinfer_image_classifier* classifier, const mxinfer_bytes* encoded, size_t count, int32_t top_k,
    int collect_errors, mxinfer_classes** out);
MXINFER_C_API mxinfer_status mxinfer_image_classifier_classify_images(
    const mxinfer_image_classifier* classifier, const mxinfer_image* images, size_t count, int32_t top_k,
    int collect_errors, mxinfer_classes** out);

#endif
