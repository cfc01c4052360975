// ImageClassifier: a classifier for images. An end-to-end model preprocesses images itself; for a bare
// network, the options of the group "image" say how. Any number of threads may use one.
//
//   mxinfer_options_set(options, "preset", "imagenet");
//   mxinfer_image_classifier_open("resnet18_v1", options, &classifier);
//   mxinfer_image_classifier_classify_file(classifier, "kitten.jpg", 5, &best);
//   mxinfer_image_classifier_classify_bytes(classifier, body, body_bytes, 5, &best);   // opens no file
#ifndef MXINFER_C_IMAGE_CLASSIFIER_H
#define MXINFER_C_IMAGE_CLASSIFIER_H

#include <mxinfer_c/classifier.h>
#include <mxinfer_c/image.h>

typedef struct mxinfer_image_classifier mxinfer_image_classifier;

/// Create a classifier for a model, or load the model first. The options are those of a classifier and of the
/// group "image". Errors: as mxinfer_classifier_create, and MXINFER_INVALID_ARGUMENT if a bare network leaves
/// height and width free and the options do not give them, or if the options preprocess images that the model
/// preprocesses itself.
MXINFER_C_API mxinfer_status mxinfer_image_classifier_create(const mxinfer_model* model,
                                                             const mxinfer_options* options,
                                                             mxinfer_image_classifier** out);
MXINFER_C_API mxinfer_status mxinfer_image_classifier_open(const char* uri, const mxinfer_options* options,
                                                           mxinfer_image_classifier** out);
MXINFER_C_API void mxinfer_image_classifier_free(mxinfer_image_classifier* classifier);
/// Return the same object as a classifier of arrays, and as a predictor. Borrowed: do not free it.
MXINFER_C_API const mxinfer_classifier* mxinfer_image_classifier_classifier(
    const mxinfer_image_classifier* classifier);
MXINFER_C_API const mxinfer_predictor* mxinfer_image_classifier_predictor(
    const mxinfer_image_classifier* classifier);

/// Classify one image: from a file, from the bytes of a JPEG or PNG, or from pixels. top_k is that of
/// mxinfer_classifier_classify. A path may be an address, which is fetched with the options of the model,
/// without a copy on disk. Bytes are never taken for a path. Errors: MXINFER_NOT_FOUND if the file does not
/// exist; MXINFER_MALFORMED if the bytes are neither JPEG nor PNG; MXINFER_NETWORK if the address cannot be
/// fetched.
MXINFER_C_API mxinfer_status mxinfer_image_classifier_classify_file(
    const mxinfer_image_classifier* classifier, const char* path, int32_t top_k, mxinfer_classes** out);
MXINFER_C_API mxinfer_status
mxinfer_image_classifier_classify_bytes(const mxinfer_image_classifier* classifier, const void* encoded,
                                        size_t bytes, int32_t top_k, mxinfer_classes** out);
MXINFER_C_API mxinfer_status
mxinfer_image_classifier_classify_image(const mxinfer_image_classifier* classifier,
                                        const mxinfer_image* image, int32_t top_k, mxinfer_classes** out);

/// Classify lists of images of any sizes, as one batch. With collect_errors, mxinfer_classes_item_status
/// reports images that fail, and the others are not affected. Without it, the first image that fails makes
/// the call fail. Up to "connections" addresses are fetched at a time.
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
