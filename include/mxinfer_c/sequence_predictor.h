// SequencePredictor: runs a model on sequences of any length, of ids or of vectors, one or many.
//
//   mxinfer_sequence_predictor_open("model", NULL, NULL, &predictor);
//   const int32_t ids[] = {5, 17, 4};
//   mxinfer_sequence_predictor_predict_ids(predictor, ids, 3, &outputs);    // without a batch
//
// Sequences are padded to buckets: each length that the network sees has one plan, and all plans share the
// weights. Any number of threads may use one predictor. Use results on one thread at a time.
#ifndef MXINFER_C_SEQUENCE_PREDICTOR_H
#define MXINFER_C_SEQUENCE_PREDICTOR_H

#include <mxinfer_c/bucketed_model.h>
#include <mxinfer_c/predictor.h>
#include <mxinfer_c/session.h>
#include <mxinfer_c/texts.h>

/// How sequences become batches. A member that is 0 or NULL takes its value from the model's file, or else
/// has the default that its comment names. Functions accept NULL, which means all zeros.
typedef struct mxinfer_sequence_options {
  size_t struct_size;
  /// Lengths in ascending order: a sequence runs at the smallest one that it fits into. None: those of a
  /// bucketed model, or the one length that the network takes, or else each sequence's own length.
  const int64_t* buckets;
  size_t bucket_count;
  const char* pad_side;        ///< "left" or "right"; NULL: right
  const double* pad_value;     ///< the id, or the number, of padding; NULL: 0
  const char* truncate_side;   ///< the end at which a sequence that is too long is cut; as pad_side
  const char* too_long;        ///< if above the largest bucket: "truncate" or "error"; NULL: truncate
  const char* sequence_input;  ///< takes the sequence; NULL: the first that is neither a state nor a length
  const char* length_input;    ///< takes the length of each sequence; NULL: by its name, or none
  /// States of a recurrent network: the output state_outputs[i] becomes the input state_inputs[i] of the next
  /// call. None: found by their names and shapes.
  const char* const* state_inputs;
  const char* const* state_outputs;
  size_t state_count;
  int32_t keep_padding;  ///< 1: does not cut outputs with a time axis to the length of the sequence
  int32_t max_batch;     ///< the most sequences of one bucket that run as one batch; 0: 32
} mxinfer_sequence_options;

/// The outputs of several sequences, in the order of the sequences.
typedef struct mxinfer_sequence_outputs mxinfer_sequence_outputs;

/// Returns the number of sequences.
MXINFER_C_API size_t mxinfer_sequence_outputs_count(const mxinfer_sequence_outputs* outputs);
/// Returns the outputs of sequence `index`; NULL if the index is out of range. There are none if it failed
/// with collect_errors. Borrowed: do not free them.
MXINFER_C_API const mxinfer_tensors* mxinfer_sequence_outputs_get(const mxinfer_sequence_outputs* outputs,
                                                                  size_t index);
/// As mxinfer_classes_item_status.
MXINFER_C_API mxinfer_status mxinfer_sequence_outputs_item_status(const mxinfer_sequence_outputs* outputs,
                                                                  size_t index, const char** message);
MXINFER_C_API void mxinfer_sequence_outputs_free(mxinfer_sequence_outputs* outputs);

typedef struct mxinfer_sequence_predictor mxinfer_sequence_predictor;

/// Create a predictor for a model, for a bucketed model, or for either of them at `uri`. The options are
/// those of the groups "run" and "queue"; mxinfer_sequence_predictor_open also takes "load". Errors: as
/// mxinfer_predictor_create, and MXINFER_INVALID_ARGUMENT if the model does not have a name, or if the
/// buckets are not in ascending order or the network does not take them.
MXINFER_C_API mxinfer_status mxinfer_sequence_predictor_create(const mxinfer_model* model,
                                                               const mxinfer_sequence_options* sequence,
                                                               const mxinfer_options* options,
                                                               mxinfer_sequence_predictor** out);
MXINFER_C_API mxinfer_status mxinfer_sequence_predictor_create_bucketed(
    const mxinfer_bucketed_model* model, const mxinfer_sequence_options* sequence,
    const mxinfer_options* options, mxinfer_sequence_predictor** out);
MXINFER_C_API mxinfer_status mxinfer_sequence_predictor_open(const char* uri,
                                                             const mxinfer_sequence_options* sequence,
                                                             const mxinfer_options* options,
                                                             mxinfer_sequence_predictor** out);
MXINFER_C_API void mxinfer_sequence_predictor_free(mxinfer_sequence_predictor* predictor);
/// Returns the same object as a predictor; for a bucketed model, it runs the network of the largest bucket.
/// Borrowed: do not free it.
MXINFER_C_API const mxinfer_predictor* mxinfer_sequence_predictor_predictor(
    const mxinfer_sequence_predictor* predictor);

/// Runs one sequence of ids, converted to the dtype of the input. Writes the outputs to `out` in order,
/// without a batch. Error: MXINFER_INVALID_ARGUMENT if there are no ids, the network has no row for an id, or
/// the sequence is too long and too_long is "error".
MXINFER_C_API mxinfer_status mxinfer_sequence_predictor_predict_ids(
    const mxinfer_sequence_predictor* predictor, const int32_t* ids, size_t count, mxinfer_tensors** out);
/// Runs one sequence of arrays. One array without a name is the sequence, (length) or (length, features...),
/// of the dtype of the input. Several arrays need names: those with a time axis are as long as the sequence;
/// pass the others without a batch.
MXINFER_C_API mxinfer_status mxinfer_sequence_predictor_predict_sequence(
    const mxinfer_sequence_predictor* predictor, const mxinfer_tensor* inputs, size_t input_count,
    mxinfer_tensors** out);
/// Run many sequences: each in its bucket, those of one bucket in batches. With collect_errors,
/// mxinfer_sequence_outputs_item_status reports sequences that fail, and the others are not affected. Without
/// it, the first sequence that fails makes the call fail. The arrays of sequence i begin at inputs[i *
/// input_count].
MXINFER_C_API mxinfer_status mxinfer_sequence_predictor_predict_ids_list(
    const mxinfer_sequence_predictor* predictor, const mxinfer_id_list* sequences, size_t count,
    int collect_errors, mxinfer_sequence_outputs** out);
MXINFER_C_API mxinfer_status mxinfer_sequence_predictor_predict_sequences(
    const mxinfer_sequence_predictor* predictor, const mxinfer_tensor* inputs, size_t input_count,
    size_t count, int collect_errors, mxinfer_sequence_outputs** out);

/// Creates a session, whose states are zeros. It keeps its predictor alive. Error: MXINFER_UNSUPPORTED if the
/// network has no states.
MXINFER_C_API mxinfer_status mxinfer_sequence_predictor_session(const mxinfer_sequence_predictor* predictor,
                                                                mxinfer_session** out);
/// Advance each of `count` sessions by one piece: pieces[i] goes to sessions[i], and pieces of one length run
/// as a batch. Write for each what mxinfer_session_step writes. With collect_errors, a session whose piece
/// fails keeps its states. Error: MXINFER_INVALID_ARGUMENT also if a session occurs twice or belongs to
/// another predictor.
MXINFER_C_API mxinfer_status mxinfer_sequence_predictor_step_ids(const mxinfer_sequence_predictor* predictor,
                                                                 mxinfer_session* const* sessions,
                                                                 const mxinfer_id_list* pieces, size_t count,
                                                                 int collect_errors,
                                                                 mxinfer_sequence_outputs** out);
MXINFER_C_API mxinfer_status mxinfer_sequence_predictor_step(const mxinfer_sequence_predictor* predictor,
                                                             mxinfer_session* const* sessions,
                                                             const mxinfer_tensor* pieces, size_t count,
                                                             int collect_errors,
                                                             mxinfer_sequence_outputs** out);

/// Returns the buckets in ascending order, and writes their number to `count`: 0 if sequences run at their
/// own length. They live as long as `predictor`.
MXINFER_C_API const int64_t* mxinfer_sequence_predictor_buckets(const mxinfer_sequence_predictor* predictor,
                                                                size_t* count);
/// Writes the length at which a sequence of `length` runs to `out`. Error: MXINFER_INVALID_ARGUMENT if
/// `length` is below 1, or too long and too_long is "error".
MXINFER_C_API mxinfer_status mxinfer_sequence_predictor_bucket_of(const mxinfer_sequence_predictor* predictor,
                                                                  int64_t length, int64_t* out);
/// Makes the plans of all buckets, so that first calls are as fast as later ones.
MXINFER_C_API mxinfer_status
mxinfer_sequence_predictor_warmup_buckets(const mxinfer_sequence_predictor* predictor);

#endif
