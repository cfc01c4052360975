#include <mxinfer_c/session.h>

#include <map>
#include <memory>
#include <string>
#include <utility>

#include "c_api/call.h"
#include "c_api/sequence/handles.h"
#include "c_api/sequence/outputs.h"
#include "c_api/structs.h"
#include "c_api/views.h"

using namespace mxinfer;
using namespace mxinfer::c_api;

mxinfer_status mxinfer_session_copy(const mxinfer_session* session, mxinfer_session** out) {
  return give(out, [&] { return new mxinfer_session(need(session, "session").session); });
}

void mxinfer_session_free(mxinfer_session* session) {
  delete session;
}

mxinfer_status mxinfer_session_step_ids(mxinfer_session* session, const int32_t* ids, size_t count,
                                        mxinfer_tensors** out) {
  return give(out, [&] {
    Session& self = need(session, "session").session;
    return new_outputs(self.step(need_span(ids, count, "ids")));
  });
}

mxinfer_status mxinfer_session_step(mxinfer_session* session, const mxinfer_tensor* inputs,
                                    size_t input_count, mxinfer_tensors** out) {
  return give(out, [&] {
    Session& self = need(session, "session").session;
    if (const auto sequence = lone_sequence(inputs, input_count)) return new_outputs(self.step(*sequence));
    const std::map<std::string, TensorView> views = named_views(inputs, input_count, "inputs");
    return new_outputs(self.step(NamedViews<TensorView>(views)));
  });
}

mxinfer_status mxinfer_session_reset(mxinfer_session* session) {
  return call([&] { need(session, "session").session.reset(); });
}

mxinfer_status mxinfer_session_states(const mxinfer_session* session, mxinfer_tensors** out) {
  return give(out, [&] {
    auto made = std::make_unique<mxinfer_tensors>();
    for (auto& [name, state] : need(session, "session").session.states()) {
      made->names.push_back(name);
      made->list.push_back(std::move(state));
    }
    return made.release();
  });
}

mxinfer_status mxinfer_session_set_states(mxinfer_session* session, const mxinfer_tensor* states,
                                          size_t count) {
  return call([&] {
    Session& self = need(session, "session").session;
    const std::map<std::string, TensorView> views = named_views(states, count, "states");
    self.set_states(NamedViews<TensorView>(views));
  });
}

const mxinfer_descs* mxinfer_session_state_descs(const mxinfer_session* session) {
  return session == nullptr ? nullptr : &session->states;
}
