// Sessions: sequences that come bit by bit. A session is for one thread at a time: those of Java wait.
#include <mxinfer/sequence/sequence_predictor.h>
#include <mxinfer/sequence/session.h>

#include <algorithm>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "handles.h"
#include "org_mxinfer_NativeSequence.h"
#include "support.h"
#include "values.h"

using namespace mxinfer::jni;
using mxinfer::ItemError;
using mxinfer::SequencePredictor;
using mxinfer::Session;
using mxinfer::Tensor;
using mxinfer::TensorView;

namespace {

struct SharedSession {
  SharedSession(Session made, const mxinfer::Model& of) : session(std::move(made)), model(of) {}
  std::mutex mutex{};
  Session session;
  const mxinfer::Model model;  ///< for results
};

/// Runs step(session) and gives its outputs.
template <typename Step>
jlong stepped(JNIEnv* env, jlong address, Step step) {
  return guard(env, [&] {
    auto& shared = *object<SharedSession>(address);
    auto piece = step();
    const std::lock_guard lock(shared.mutex);
    return give_tensors(shared.model, piece(shared.session));
  });
}

/// Different sessions, locked in an order that is the same for all threads.
std::vector<std::unique_lock<std::mutex>> locked(std::vector<SharedSession*> sessions) {
  std::sort(sessions.begin(), sessions.end(), std::less<>());
  sessions.erase(std::unique(sessions.begin(), sessions.end()), sessions.end());
  std::vector<std::unique_lock<std::mutex>> locks;
  for (SharedSession* const each : sessions) locks.emplace_back(each->mutex);
  return locks;
}

/// Runs step(predictor, sessions, errors) with all sessions.
template <typename Step>
jlongArray stepped_together(JNIEnv* env, jlong predictor, jlongArray addresses, jobjectArray messages,
                            Step step) {
  const SequencePredictor& sequence = *object<const SequencePredictor>(predictor);
  std::vector<SharedSession*> shared;
  std::vector<Session*> sessions;
  for (const jlong address : to_int64s(env, addresses)) {
    shared.push_back(object<SharedSession>(address));
    sessions.push_back(&shared.back()->session);
  }
  std::vector<ItemError> errors;
  std::vector<std::vector<Tensor>> outputs;
  {
    const auto locks = locked(shared);
    outputs = step(sequence, mxinfer::Span<Session* const>(sessions), &errors);
  }
  return from_outputs(env, sequence.model(), std::move(outputs), errors, messages);
}

}  // namespace

jlong Java_org_mxinfer_NativeSequence_session(JNIEnv* env, jclass /*type*/, jlong address) {
  return guard(env, [&] {
    const SequencePredictor& sequence = *object<const SequencePredictor>(address);
    return address_of(new SharedSession(sequence.session(), sequence.model()));
  });
}

void Java_org_mxinfer_NativeSequence_freeSession(JNIEnv* /*env*/, jclass /*type*/, jlong session) {
  delete object<SharedSession>(session);
}

jlong Java_org_mxinfer_NativeSequence_copySession(JNIEnv* env, jclass /*type*/, jlong address) {
  return guard(env, [&] {
    auto& shared = *object<SharedSession>(address);
    const std::lock_guard lock(shared.mutex);
    return address_of(new SharedSession(Session(shared.session), shared.model));
  });
}

jlong Java_org_mxinfer_NativeSequence_stepIds(JNIEnv* env, jclass /*type*/, jlong address, jintArray ids) {
  return stepped(env, address, [&] {
    return [given = to_ids(env, ids)](Session& session) {
      return session.step(mxinfer::Span<const std::int32_t>(given));
    };
  });
}

jlong Java_org_mxinfer_NativeSequence_stepTensor(JNIEnv* env, jclass /*type*/, jlong address, jobject data,
                                                 jint dtype, jlongArray shape) {
  return stepped(env, address, [&] {
    return [view = direct_view(env, data, dtype, shape)](Session& session) { return session.step(view); };
  });
}

jlong Java_org_mxinfer_NativeSequence_stepNamed(JNIEnv* env, jclass /*type*/, jlong address,
                                                jobjectArray names, jobjectArray data, jintArray dtypes,
                                                jobjectArray shapes) {
  return guard(env, [&] {
    const Tensors tensors(env, {names, data, dtypes, shapes});
    const std::map<std::string, TensorView> views = named_views_of(tensors, 0, tensors.size());
    auto& shared = *object<SharedSession>(address);
    const std::lock_guard lock(shared.mutex);
    return give_tensors(shared.model, shared.session.step(mxinfer::NamedViews<TensorView>(views)));
  });
}

jlongArray Java_org_mxinfer_NativeSequence_stepIdLists(JNIEnv* env, jclass /*type*/, jlong predictor,
                                                       jlongArray sessions, jobjectArray ids,
                                                       jobjectArray messages) {
  return guard(env, [&] {
    const std::vector<std::vector<std::int32_t>> pieces = to_id_lists(env, ids);
    return stepped_together(
        env, predictor, sessions, messages,
        [&](const SequencePredictor& sequence, mxinfer::Span<Session* const> of,
            std::vector<ItemError>* errors) { return sequence.step(of, pieces, errors); });
  });
}

jlongArray Java_org_mxinfer_NativeSequence_stepTensors(JNIEnv* env, jclass /*type*/, jlong predictor,
                                                       jlongArray sessions, jobjectArray data,
                                                       jintArray dtypes, jobjectArray shapes,
                                                       jobjectArray messages) {
  return guard(env, [&] {
    const Tensors tensors(env, {nullptr, data, dtypes, shapes});
    const std::vector<TensorView> views = views_of(tensors);
    return stepped_together(env, predictor, sessions, messages,
                            [&](const SequencePredictor& sequence, mxinfer::Span<Session* const> of,
                                std::vector<ItemError>* errors) {
                              return sequence.step(of, mxinfer::TensorViews(views), errors);
                            });
  });
}

void Java_org_mxinfer_NativeSequence_resetSession(JNIEnv* env, jclass /*type*/, jlong address) {
  guard(env, [&] {
    auto& shared = *object<SharedSession>(address);
    const std::lock_guard lock(shared.mutex);
    shared.session.reset();
  });
}

jlong Java_org_mxinfer_NativeSequence_states(JNIEnv* env, jclass /*type*/, jlong address) {
  return guard(env, [&] {
    auto& shared = *object<SharedSession>(address);
    const std::lock_guard lock(shared.mutex);
    std::map<std::string, Tensor> states = shared.session.states();
    std::vector<Tensor> list;
    for (const mxinfer::DataDesc& desc : shared.session.state_descs())
      list.push_back(std::move(states.at(desc.name)));
    return give_tensors(shared.model, std::move(list));
  });
}

void Java_org_mxinfer_NativeSequence_setStates(JNIEnv* env, jclass /*type*/, jlong address,
                                               jobjectArray names, jobjectArray data, jintArray dtypes,
                                               jobjectArray shapes) {
  guard(env, [&] {
    const Tensors tensors(env, {names, data, dtypes, shapes});
    const std::map<std::string, TensorView> views = named_views_of(tensors, 0, tensors.size());
    auto& shared = *object<SharedSession>(address);
    const std::lock_guard lock(shared.mutex);
    shared.session.set_states(views);
  });
}

jobjectArray Java_org_mxinfer_NativeSequence_stateDescs(JNIEnv* env, jclass /*type*/, jlong address) {
  return guard(env, [&] {
    auto& shared = *object<SharedSession>(address);
    const std::lock_guard lock(shared.mutex);
    const mxinfer_descs descs{shared.session.state_descs()};
    return to_java(env, &descs);
  });
}
