// Session: a sequence that arrives in pieces. It keeps the states of a recurrent network between calls.
//
//   mxinfer_sequence_predictor_session(predictor, &session);
//   while (read_id(&id)) {
//     mxinfer_session_step_ids(session, &id, 1, &outputs);
//     ...
//   }
//
// Use a session on one thread at a time. Different sessions may run at the same time, even if they share a
// predictor.
#ifndef MXINFER_C_SESSION_H
#define MXINFER_C_SESSION_H

#include <mxinfer_c/tensor.h>

typedef struct mxinfer_session mxinfer_session;

/// Writes a copy to `out`, with states of its own, that continues from here.
MXINFER_C_API mxinfer_status mxinfer_session_copy(const mxinfer_session* session, mxinfer_session** out);
MXINFER_C_API void mxinfer_session_free(mxinfer_session* session);

/// Run the next piece: ids, or arrays as mxinfer_sequence_predictor_predict_sequence takes them. Write the
/// outputs that are not states to `out`, in order, without a batch and without names. Nothing is padded or
/// cut. After an error, the states are unchanged. Errors: MXINFER_INVALID_ARGUMENT if the network does not
/// take the length, and those of mxinfer_sequence_predictor_predict_ids.
MXINFER_C_API mxinfer_status mxinfer_session_step_ids(mxinfer_session* session, const int32_t* ids,
                                                      size_t count, mxinfer_tensors** out);
MXINFER_C_API mxinfer_status mxinfer_session_step(mxinfer_session* session, const mxinfer_tensor* inputs,
                                                  size_t input_count, mxinfer_tensors** out);

/// Sets the states to zeros.
MXINFER_C_API mxinfer_status mxinfer_session_reset(mxinfer_session* session);
/// Copies the states: an array for each, with the name of its input, as a batch of one.
MXINFER_C_API mxinfer_status mxinfer_session_states(const mxinfer_session* session, mxinfer_tensors** out);
/// Continues from states that mxinfer_session_states wrote for a session of the same model. Every state needs
/// its name. Error: MXINFER_INVALID_ARGUMENT if a name is not a state, a state is missing, or a dtype or
/// shape differs; the states are then unchanged.
MXINFER_C_API mxinfer_status mxinfer_session_set_states(mxinfer_session* session,
                                                        const mxinfer_tensor* states, size_t count);
/// Returns the name, dtype and shape of each state. Borrowed: do not free them.
MXINFER_C_API const mxinfer_descs* mxinfer_session_state_descs(const mxinfer_session* session);

#endif
