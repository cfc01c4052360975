// Predictor: runs a model on arrays.
//
//   mxinfer_predictor_open("resnet18_v1", NULL, &predictor);
//   mxinfer_predictor_predict(predictor, &image, 1, &outputs);
//   mxinfer_tensors_get(outputs, 0, &scores);
//   mxinfer_tensors_free(outputs);
//
// Shapes are bound when they are first seen: the plan for them is made once and kept.
#ifndef MXINFER_C_PREDICTOR_H
#define MXINFER_C_PREDICTOR_H

#include <mxinfer_c/metrics.h>
#include <mxinfer_c/model.h>
#include <mxinfer_c/options.h>
#include <mxinfer_c/tensor.h>

typedef struct mxinfer_predictor mxinfer_predictor;

/// Of a model, with options of the groups "run" and "queue"; those of "load" are passed over. Errors:
/// MXINFER_UNSUPPORTED (target), MXINFER_INVALID_ARGUMENT (options).
MXINFER_C_API mxinfer_status mxinfer_predictor_create(const mxinfer_model* model,
                                                      const mxinfer_options* options,
                                                      mxinfer_predictor** out);
/// Loads the model first, as mxinfer_model_load with the same options.
MXINFER_C_API mxinfer_status mxinfer_predictor_open(const char* uri, const mxinfer_options* options,
                                                    mxinfer_predictor** out);
/// Another handle of the same predictor: one set of plans, workspaces and threads.
MXINFER_C_API mxinfer_status mxinfer_predictor_share(const mxinfer_predictor* predictor,
                                                     mxinfer_predictor** out);
/// What was submitted through it and waits is cancelled, and what runs is waited for, if it is the last
/// handle.
MXINFER_C_API void mxinfer_predictor_free(mxinfer_predictor* predictor);

/// A handle of its model, to be freed with mxinfer_model_free.
MXINFER_C_API mxinfer_status mxinfer_predictor_model(const mxinfer_predictor* predictor, mxinfer_model** out);

/// Runs on arrays, whole batches as they are, by name or in the order of mxinfer_model_inputs. Inputs that
/// are optional may be left out: by name, or by `data` NULL. MXINFER_INVALID_ARGUMENT: a wrong number of
/// inputs, a name that there is not, a dtype or shape that does not fit; the message names the input, what
/// was given and what was expected.
MXINFER_C_API mxinfer_status mxinfer_predictor_predict(const mxinfer_predictor* predictor,
                                                       const mxinfer_tensor* inputs, size_t input_count,
                                                       mxinfer_tensors** out);
/// The same into memory of the caller: one array for each output, in order, of its dtype and shape
/// (mxinfer_predictor_output_shapes). A warm call allocates nothing.
MXINFER_C_API mxinfer_status mxinfer_predictor_predict_into(const mxinfer_predictor* predictor,
                                                            const mxinfer_tensor* inputs, size_t input_count,
                                                            const mxinfer_tensor* outputs,
                                                            size_t output_count);
/// As mxinfer_predictor_predict_into, with arrays in the memory of the predictor's GPU (the option "device"):
/// device_type 2, and its number as device_index. Enqueues the work in `stream`, a cudaStream_t of that GPU
/// (NULL: CUDA's default stream), and returns; inputs must stay as they are, and outputs hold their values,
/// when the stream has passed it. If a node runs on the CPU, the call waits for what that node reads.
/// MXINFER_UNSUPPORTED: a predictor of the CPU, and a model that takes items; MXINFER_INVALID_ARGUMENT: an
/// array that is not of that GPU. One stream must not be used by two threads at a time.
MXINFER_C_API mxinfer_status mxinfer_predictor_predict_on_device(const mxinfer_predictor* predictor,
                                                                 const mxinfer_tensor* inputs,
                                                                 size_t input_count,
                                                                 const mxinfer_tensor* outputs,
                                                                 size_t output_count, void* stream);
/// Runs on flat arrays: of each, the shape is one number, how many elements there are: one sample, or a batch
/// of samples one after another. The dimensions other than the batch come from the signature.
MXINFER_C_API mxinfer_status mxinfer_predictor_predict_flat(const mxinfer_predictor* predictor,
                                                            const mxinfer_tensor* inputs, size_t input_count,
                                                            mxinfer_tensors** out);
/// Runs a model with transforms on items of different sizes, such as images as (height, width, channels) or
/// the bytes of their files, as one batch. With collect_errors, items that are wrong are told by
/// mxinfer_tensors_item_status and cost the others nothing: their rows are NaN, or 0 for integers; there are
/// no outputs if every item is wrong. Without, the first that is wrong fails the call.
MXINFER_C_API mxinfer_status mxinfer_predictor_predict_list(const mxinfer_predictor* predictor,
                                                            const mxinfer_tensor* items, size_t item_count,
                                                            int collect_errors, mxinfer_tensors** out);

/// The shapes of all inputs, or of the outputs, for some inputs: those that are given by name, and for the
/// others the signature's, with 1 for a free batch.
MXINFER_C_API mxinfer_status mxinfer_predictor_input_shapes(const mxinfer_predictor* predictor,
                                                            const mxinfer_shape* shapes, size_t count,
                                                            mxinfer_descs** out);
MXINFER_C_API mxinfer_status mxinfer_predictor_output_shapes(const mxinfer_predictor* predictor,
                                                             const mxinfer_shape* shapes, size_t count,
                                                             mxinfer_descs** out);
/// Makes the plan for those shapes, packs weights and runs it once on zeros, so that the first request is as
/// fast as the next ones.
MXINFER_C_API mxinfer_status mxinfer_predictor_warmup(const mxinfer_predictor* predictor,
                                                      const mxinfer_shape* shapes, size_t count);
/// What runs for those shapes, and why, as text for people.
MXINFER_C_API mxinfer_status mxinfer_predictor_explain(const mxinfer_predictor* predictor,
                                                       const mxinfer_shape* shapes, size_t count, char** out);

/// What its options ask for in vain: how many sentences, and one of them; NULL beyond the last.
MXINFER_C_API size_t mxinfer_predictor_warning_count(const mxinfer_predictor* predictor);
MXINFER_C_API const char* mxinfer_predictor_warning(const mxinfer_predictor* predictor, size_t index);

MXINFER_C_API mxinfer_status mxinfer_predictor_stats(const mxinfer_predictor* predictor,
                                                     mxinfer_stats* stats);
MXINFER_C_API mxinfer_status mxinfer_predictor_memory(const mxinfer_predictor* predictor,
                                                      mxinfer_memory* memory);
MXINFER_C_API mxinfer_status mxinfer_predictor_metrics(const mxinfer_predictor* predictor,
                                                       mxinfer_call_metrics* metrics);
/// Memory and calls in Prometheus' text format. `labels` goes into the braces of each, as it is:
/// model="resnet18"; NULL for none. For several predictors, join the texts with `with_help` for the first.
MXINFER_C_API mxinfer_status mxinfer_predictor_prometheus(const mxinfer_predictor* predictor,
                                                          const char* labels, int with_help, char** out);
/// Releases the workspaces that wait for a call, and packed weights that no plan uses; `bytes`, if not NULL,
/// gets how many bytes they had.
MXINFER_C_API mxinfer_status mxinfer_predictor_trim(const mxinfer_predictor* predictor, uint64_t* bytes);

/// Of a model, in `memory`'s members of weights.
MXINFER_C_API mxinfer_status mxinfer_model_memory(const mxinfer_model* model, mxinfer_memory* memory);

#endif
