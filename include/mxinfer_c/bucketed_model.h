// BucketedModel: the networks that MXNet's BucketingModule saves, one for each length, with one set of
// weights.
//
//   mxinfer_bucketed_model_load("lstm", NULL, &model);       // lstm-10-symbol.json, ..., lstm-0001.params
//   mxinfer_sequence_predictor_create_bucketed(model, NULL, NULL, &predictor);
//
// Any number of threads may use one bucketed model.
#ifndef MXINFER_C_BUCKETED_MODEL_H
#define MXINFER_C_BUCKETED_MODEL_H

#include <mxinfer_c/metrics.h>
#include <mxinfer_c/model.h>

typedef struct mxinfer_bucketed_model mxinfer_bucketed_model;

/// Reads the files of a prefix, or of a folder with one bucketed model. The options of the group "load" apply
/// to each network. Errors: MXINFER_NOT_FOUND, MXINFER_MALFORMED, MXINFER_INVALID_ARGUMENT if there are
/// several models or epochs, and those of mxinfer_model_load.
MXINFER_C_API mxinfer_status mxinfer_bucketed_model_load(const char* uri, const mxinfer_options* options,
                                                         mxinfer_bucketed_model** out);
/// Creates a bucketed model from loaded models: models[i] is the network of the length keys[i]. Error:
/// MXINFER_INVALID_ARGUMENT if there are no models, a key is below 1 or occurs twice, or the networks have
/// different inputs or different numbers of outputs.
MXINFER_C_API mxinfer_status mxinfer_bucketed_model_create(const int64_t* keys,
                                                           const mxinfer_model* const* models, size_t count,
                                                           mxinfer_bucketed_model** out);
/// Frees the handle. Predictors that were made from it continue to work.
MXINFER_C_API void mxinfer_bucketed_model_free(mxinfer_bucketed_model* model);

/// Returns the lengths in ascending order, and writes their number to `count`. They live as long as `model`.
MXINFER_C_API const int64_t* mxinfer_bucketed_model_keys(const mxinfer_bucketed_model* model, size_t* count);
/// Write a handle of the network of a key, or of the largest key, to `out`; free it with mxinfer_model_free.
/// Error: MXINFER_INVALID_ARGUMENT if there is no such key.
MXINFER_C_API mxinfer_status mxinfer_bucketed_model_model(const mxinfer_bucketed_model* model, int64_t key,
                                                          mxinfer_model** out);
MXINFER_C_API mxinfer_status mxinfer_bucketed_model_largest(const mxinfer_bucketed_model* model,
                                                            mxinfer_model** out);
/// Returns the prefix it came from, or the name of the largest network.
MXINFER_C_API const char* mxinfer_bucketed_model_name(const mxinfer_bucketed_model* model);
/// Writes the bytes of the weights of all networks to `memory`; shared weights count once.
MXINFER_C_API mxinfer_status mxinfer_bucketed_model_memory(const mxinfer_bucketed_model* model,
                                                           mxinfer_memory* memory);

#endif
