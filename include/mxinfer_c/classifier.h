// Classifier: a predictor whose output is a score for each class. Any number of threads may use one.
//
//   mxinfer_classifier_open("mlp", NULL, &classifier);
//   mxinfer_classifier_classify(classifier, sample, 784, 5, &best);
//   mxinfer_class first = {sizeof first};
//   if (mxinfer_classes_get(best, 0, 0, &first) == MXINFER_OK) printf("%s %g\n", first.label, first.score);
#ifndef MXINFER_C_CLASSIFIER_H
#define MXINFER_C_CLASSIFIER_H

#include <mxinfer_c/predictor.h>

/// One class of one sample.
typedef struct mxinfer_class {
  size_t struct_size;
  const char* label;  ///< the class name; the index as text if the model has no labels
  float score;        ///< the model's score, after the option activation
  int32_t index;      ///< the class's position in the output
} mxinfer_class;

/// The classes of a sample, or of each sample of a batch or list. Use them on one thread at a time.
typedef struct mxinfer_classes mxinfer_classes;

/// Return the number of samples, and the number of classes of one sample; 0 if the index is out of range.
MXINFER_C_API size_t mxinfer_classes_samples(const mxinfer_classes* classes);
MXINFER_C_API size_t mxinfer_classes_count(const mxinfer_classes* classes, size_t sample);
/// Writes class `index` of a sample to `out`. Its label lives as long as `classes`. Error:
/// MXINFER_INVALID_ARGUMENT if the index is out of range.
MXINFER_C_API mxinfer_status mxinfer_classes_get(const mxinfer_classes* classes, size_t sample, size_t index,
                                                 mxinfer_class* out);
/// Returns the status of one item of a list that was run with collect_errors: MXINFER_OK, or the code of its
/// error. If `message` is not NULL, writes the error's message to it, or "" if there is none. The text lives
/// as long as `classes`.
MXINFER_C_API mxinfer_status mxinfer_classes_item_status(const mxinfer_classes* classes, size_t sample,
                                                         const char** message);
MXINFER_C_API void mxinfer_classes_free(mxinfer_classes* classes);

typedef struct mxinfer_classifier mxinfer_classifier;

/// Create a classifier for a model, or load the model first. The options are those of a predictor and of the
/// group "scores". Errors: as mxinfer_predictor_create and mxinfer_model_load.
MXINFER_C_API mxinfer_status mxinfer_classifier_create(const mxinfer_model* model,
                                                       const mxinfer_options* options,
                                                       mxinfer_classifier** out);
MXINFER_C_API mxinfer_status mxinfer_classifier_open(const char* uri, const mxinfer_options* options,
                                                     mxinfer_classifier** out);
MXINFER_C_API void mxinfer_classifier_free(mxinfer_classifier* classifier);
/// Returns the same object as a predictor, for arrays, memory and metrics. Borrowed: do not free it.
MXINFER_C_API const mxinfer_predictor* mxinfer_classifier_predictor(const mxinfer_classifier* classifier);

/// Classifies one sample, a flat array of the first input's elements. With top_k, writes that many classes,
/// or all if there are fewer, in descending order of score; equal scores are in order of index. If top_k is
/// 0, writes every class in label order. Error: MXINFER_INVALID_ARGUMENT if the number of elements does not
/// fit.
MXINFER_C_API mxinfer_status mxinfer_classifier_classify(const mxinfer_classifier* classifier,
                                                         const float* sample, size_t elements, int32_t top_k,
                                                         mxinfer_classes** out);
/// Classifies a batch, whose dtype is that of the input.
MXINFER_C_API mxinfer_status mxinfer_classifier_classify_batch(const mxinfer_classifier* classifier,
                                                               const mxinfer_tensor* batch, int32_t top_k,
                                                               mxinfer_classes** out);

#endif
