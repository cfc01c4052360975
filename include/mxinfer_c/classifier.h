// Classifier: a predictor whose output is a score for each class.
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
  float score;        ///< as the model gives it, or behind the option activation
  int32_t index;      ///< the class's position in the output
} mxinfer_class;

/// The classes of a sample, or of each of a batch or list.
typedef struct mxinfer_classes mxinfer_classes;

/// How many samples, and how many classes of one of them.
MXINFER_C_API size_t mxinfer_classes_samples(const mxinfer_classes* classes);
MXINFER_C_API size_t mxinfer_classes_count(const mxinfer_classes* classes, size_t sample);
/// Class `index` of a sample. Its label lives as long as `classes`.
MXINFER_C_API mxinfer_status mxinfer_classes_get(const mxinfer_classes* classes, size_t sample, size_t index,
                                                 mxinfer_class* out);
/// What became of one item of a list that was run with collect_errors: MXINFER_OK, or what was wrong with it,
/// and then its message if that is not NULL, which lives as long as `classes`.
MXINFER_C_API mxinfer_status mxinfer_classes_item_status(const mxinfer_classes* classes, size_t sample,
                                                         const char** message);
MXINFER_C_API void mxinfer_classes_free(mxinfer_classes* classes);

typedef struct mxinfer_classifier mxinfer_classifier;

/// As those of a predictor; options of the group "scores" count too.
MXINFER_C_API mxinfer_status mxinfer_classifier_create(const mxinfer_model* model,
                                                       const mxinfer_options* options,
                                                       mxinfer_classifier** out);
MXINFER_C_API mxinfer_status mxinfer_classifier_open(const char* uri, const mxinfer_options* options,
                                                     mxinfer_classifier** out);
MXINFER_C_API void mxinfer_classifier_free(mxinfer_classifier* classifier);
/// The same object as a predictor, for arrays, memory and metrics. Borrowed: not to be freed.
MXINFER_C_API const mxinfer_predictor* mxinfer_classifier_predictor(const mxinfer_classifier* classifier);

/// Classifies one sample, given as a flat array of the first input's elements. top_k: that many classes (all,
/// if it is larger), by falling score, equal scores by index; 0: every class in label order.
MXINFER_C_API mxinfer_status mxinfer_classifier_classify(const mxinfer_classifier* classifier,
                                                         const float* sample, size_t elements, int32_t top_k,
                                                         mxinfer_classes** out);
/// Classifies a batch, of any dtype that the input has.
MXINFER_C_API mxinfer_status mxinfer_classifier_classify_batch(const mxinfer_classifier* classifier,
                                                               const mxinfer_tensor* batch, int32_t top_k,
                                                               mxinfer_classes** out);

#endif
