// Session: a sequence that comes bit by bit. It keeps the states of a recurrent network between calls.
//
//   mxinfer_sequence_predictor_session(predictor, &session);
//   while (read_id(&id)) {
//     mxinfer_session_step_ids(session, &id, 1, &outputs);
//     ...
//   }
//
// A session is for one thread at a time. Different sessions, of one predictor too, may run side by side.
#ifndef MXINFER_C_SESSION_H
#define MXINFER_C_SESSION_H

#include <mxinfer_c/tensor.h>

typedef struct mxinfer_session mxinfer_session;

/// Gives another session that continues from here by itself.
MXINFER_C_API mxinfer_status mxinfer_session_copy(const mxinfer_session* session, mxinfer_session** out);
MXINFER_C_API void mxinfer_session_free(mxinfer_session* session);

/// Run the next piece: ids, or arrays as mxinfer_sequence_predictor_predict_sequence takes them. Give the
/// outputs that are no states, in order, without a batch and without names. Nothing is padded or cut off.
/// After an error the states are as before. Errors: MXINFER_INVALID_ARGUMENT for a length that the network
/// does not take, and those of mxinfer_sequence_predictor_predict_ids.
MXINFER_C_API mxinfer_status mxinfer_session_step_ids(mxinfer_session* session, const int32_t* ids,
                                                      size_t count, mxinfer_tensors** out);
MXINFER_C_API mxinfer_status mxinfer_session_step(mxinfer_session* session, const mxinfer_tensor* inputs,
                                                  size_t input_count, mxinfer_tensors** out);

/// Sets the states to zeros.
MXINFER_C_API mxinfer_status mxinfer_session_reset(mxinfer_session* session);
/// Copies the states: an array for each, with the name of its input, as a batch of one.
MXINFER_C_API mxinfer_status mxinfer_session_states(const mxinfer_session* session, mxinfer_tensors** out);
/// Continues from these states, which mxinfer_session_states gave for a session of the same model. Every
/// state needs its name. Error: MXINFER_INVALID_ARGUMENT for a name that no state has, a missing state,
/// another dtype or shape; the states are then as before.
MXINFER_C_API mxinfer_status mxinfer_session_set_states(mxinfer_session* session,
                                                        const mxinfer_tensor* states, size_t count);
/// Returns name, dtype and shape of each state. Borrowed: do not free it.
MXINFER_C_API const mxinfer_descs* mxinfer_session_state_descs(const mxinfer_session* session);

#endif
