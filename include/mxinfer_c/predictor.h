// Predictor: runs a model on arrays. Any number of threads may use one predictor.
//
//   mxinfer_predictor_open("resnet18_v1", NULL, &predictor);
//   mxinfer_predictor_predict(predictor, &image, 1, &outputs);
//   mxinfer_tensors_get(outputs, 0, &scores);
//   mxinfer_tensors_free(outputs);
//
// The first call with new shapes makes a plan for them, and later calls reuse it.
#ifndef MXINFER_C_PREDICTOR_H
#define MXINFER_C_PREDICTOR_H

#include <mxinfer_c/metrics.h>
#include <mxinfer_c/model.h>
#include <mxinfer_c/options.h>
#include <mxinfer_c/tensor.h>

typedef struct mxinfer_predictor mxinfer_predictor;

/// Creates a predictor for a model. Uses the options of the groups "run" and "queue", and ignores those of
/// "load". Errors: MXINFER_UNSUPPORTED if this machine does not have the target; MXINFER_INVALID_ARGUMENT if
/// options of other groups are set.
MXINFER_C_API mxinfer_status mxinfer_predictor_create(const mxinfer_model* model,
                                                      const mxinfer_options* options,
                                                      mxinfer_predictor** out);
/// Loads the model first, as mxinfer_model_load does, with the group "load" of the same options.
MXINFER_C_API mxinfer_status mxinfer_predictor_open(const char* uri, const mxinfer_options* options,
                                                    mxinfer_predictor** out);
/// Writes another handle of the same predictor to `out`. Both share plans, workspaces and threads.
MXINFER_C_API mxinfer_status mxinfer_predictor_share(const mxinfer_predictor* predictor,
                                                     mxinfer_predictor** out);
/// Frees the handle. If it is the last one, cancels waiting submissions, and waits for running ones.
MXINFER_C_API void mxinfer_predictor_free(mxinfer_predictor* predictor);

/// Writes a handle of its model to `out`; free it with mxinfer_model_free.
MXINFER_C_API mxinfer_status mxinfer_predictor_model(const mxinfer_predictor* predictor, mxinfer_model** out);

/// Runs the model on arrays, each a whole batch, by name or in the order of mxinfer_model_inputs. To leave
/// out an optional input, do not name it, or set its `data` to NULL. Error: MXINFER_INVALID_ARGUMENT if the
/// number of inputs is wrong, a name is unknown, or a dtype or shape does not fit. The message names the
/// input, what was given and what was expected.
MXINFER_C_API mxinfer_status mxinfer_predictor_predict(const mxinfer_predictor* predictor,
                                                       const mxinfer_tensor* inputs, size_t input_count,
                                                       mxinfer_tensors** out);
/// Does the same into your own memory: one array for each output, by name or in order, with its dtype and
/// shape (mxinfer_predictor_output_shapes). A call with shapes that were seen before allocates nothing.
MXINFER_C_API mxinfer_status mxinfer_predictor_predict_into(const mxinfer_predictor* predictor,
                                                            const mxinfer_tensor* inputs, size_t input_count,
                                                            const mxinfer_tensor* outputs,
                                                            size_t output_count);
/// Does the same with arrays in the memory of the predictor's GPU (the option "device"): device_type 2, and
/// the number of the GPU as device_index. Enqueues the work in `stream`, a cudaStream_t of that GPU (NULL:
/// CUDA's default stream), and returns. Until the stream has finished this work, do not change the inputs and
/// do not read the outputs. If a node runs on the CPU, the call waits for the inputs of that node. Do not use
/// one stream on two threads at the same time. Errors: MXINFER_UNSUPPORTED if the predictor runs on the CPU,
/// or if the model transforms each item by itself, as end-to-end models for images do;
/// MXINFER_INVALID_ARGUMENT if an array is not in that GPU's memory.
MXINFER_C_API mxinfer_status mxinfer_predictor_predict_on_device(const mxinfer_predictor* predictor,
                                                                 const mxinfer_tensor* inputs,
                                                                 size_t input_count,
                                                                 const mxinfer_tensor* outputs,
                                                                 size_t output_count, void* stream);
/// Runs the model on flat arrays. The shape of each is one number, the number of its elements: one sample, or
/// a batch of samples one after another. The dimensions other than the batch come from the signature.
MXINFER_C_API mxinfer_status mxinfer_predictor_predict_flat(const mxinfer_predictor* predictor,
                                                            const mxinfer_tensor* inputs, size_t input_count,
                                                            mxinfer_tensors** out);
/// Runs a model with transforms on items of different sizes, such as images as (height, width, channels) or
/// the bytes of their files, as one batch. With collect_errors, mxinfer_tensors_item_status reports items
/// that fail, and the others are not affected. Rows of failed items are NaN, or 0 for integers. If every item
/// fails, there are no outputs. Without it, the first item that fails makes the call fail.
MXINFER_C_API mxinfer_status mxinfer_predictor_predict_list(const mxinfer_predictor* predictor,
                                                            const mxinfer_tensor* items, size_t item_count,
                                                            int collect_errors, mxinfer_tensors** out);

/// Write the shapes of all inputs, or of the outputs, to `out`, for shapes of some inputs by name. Other
/// inputs have the shapes of the signature, with 1 for a free batch. Error: MXINFER_INVALID_ARGUMENT if the
/// shapes do not fit.
MXINFER_C_API mxinfer_status mxinfer_predictor_input_shapes(const mxinfer_predictor* predictor,
                                                            const mxinfer_shape* shapes, size_t count,
                                                            mxinfer_descs** out);
MXINFER_C_API mxinfer_status mxinfer_predictor_output_shapes(const mxinfer_predictor* predictor,
                                                             const mxinfer_shape* shapes, size_t count,
                                                             mxinfer_descs** out);
/// Makes the plan for those shapes, packs weights and runs it once on zeros, so that the first request is as
/// fast as later ones.
MXINFER_C_API mxinfer_status mxinfer_predictor_warmup(const mxinfer_predictor* predictor,
                                                      const mxinfer_shape* shapes, size_t count);
/// Describes which kernels run for those shapes, and why, as text for people; free it with mxinfer_text_free.
MXINFER_C_API mxinfer_status mxinfer_predictor_explain(const mxinfer_predictor* predictor,
                                                       const mxinfer_shape* shapes, size_t count, char** out);

/// Return the number of warnings about options without effect, and one of them, which is a sentence; NULL if
/// the index is out of range. They live as long as `predictor`.
MXINFER_C_API size_t mxinfer_predictor_warning_count(const mxinfer_predictor* predictor);
MXINFER_C_API const char* mxinfer_predictor_warning(const mxinfer_predictor* predictor, size_t index);

/// Write counters, bytes, and the metrics of calls.
MXINFER_C_API mxinfer_status mxinfer_predictor_stats(const mxinfer_predictor* predictor,
                                                     mxinfer_stats* stats);
MXINFER_C_API mxinfer_status mxinfer_predictor_memory(const mxinfer_predictor* predictor,
                                                      mxinfer_memory* memory);
MXINFER_C_API mxinfer_status mxinfer_predictor_metrics(const mxinfer_predictor* predictor,
                                                       mxinfer_call_metrics* metrics);
/// Writes memory and calls in Prometheus' text format to `out`; free it with mxinfer_text_free. `labels` goes
/// unchanged into the braces of each line, such as model="resnet18"; NULL: none. For several predictors,
/// concatenate the texts, and set `with_help` for the first only.
MXINFER_C_API mxinfer_status mxinfer_predictor_prometheus(const mxinfer_predictor* predictor,
                                                          const char* labels, int with_help, char** out);
/// Releases idle workspaces, and packed weights that no plan uses. Writes the number of bytes to `bytes` if
/// that is not NULL.
MXINFER_C_API mxinfer_status mxinfer_predictor_trim(const mxinfer_predictor* predictor, uint64_t* bytes);

/// Writes the bytes of a model's weights; the other members are 0.
MXINFER_C_API mxinfer_status mxinfer_model_memory(const mxinfer_model* model, mxinfer_memory* memory);

#endif
