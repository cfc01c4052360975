// What networks read that were trained with CTC.
#include <mxinfer/sequence/ctc.h>

#include <string>
#include <vector>

#include "org_mxinfer_NativeSequence.h"
#include "support.h"
#include "values.h"

using namespace mxinfer::jni;
using mxinfer::CtcSequence;

namespace {

constexpr jsize kObjects = 3;  // of each result, as NativeSequence.ctc() says

jobjectArray to_java(JNIEnv* env, const std::vector<CtcSequence>& results) {
  const LocalRef<jclass> type(env, env->FindClass("java/lang/Object"));
  jobjectArray objects =
      env->NewObjectArray(static_cast<jsize>(results.size()) * kObjects, type.get(), nullptr);
  check_java(env);
  jsize at = 0;
  for (const CtcSequence& read : results) {
    const LocalRef<jintArray> labels(env, to_ints(env, read.labels));
    const LocalRef<jbyteArray> text(env, to_bytes(env, read.text));
    const LocalRef<jdoubleArray> probability(env, from_doubles(env, {read.log_probability}));
    for (jobject each : {static_cast<jobject>(labels.get()), static_cast<jobject>(text.get()),
                         static_cast<jobject>(probability.get())})
      env->SetObjectArrayElement(objects, at++, each);
  }
  return objects;
}

}  // namespace

jobjectArray Java_org_mxinfer_NativeSequence_ctc(JNIEnv* env, jclass /*type*/, jobject data, jint dtype,
                                                 jlongArray shape, jint scores, jint layout, jint blank,
                                                 jlongArray lengths, jobjectArray labels, jint beam_width,
                                                 jint best) {
  return guard(env, [&] {
    const mxinfer::TensorView view = direct_view(env, data, dtype, shape);
    mxinfer::CtcBeamOptions options;
    options.scores = static_cast<mxinfer::CtcScores>(scores);
    options.layout = static_cast<mxinfer::CtcLayout>(layout);
    options.blank = blank;
    options.lengths = to_int64s(env, lengths);
    options.labels = to_strings(env, labels);
    options.beam_width = beam_width;
    options.best = best;
    std::vector<std::vector<CtcSequence>> results;
    if (beam_width == 0) {
      for (CtcSequence& read : mxinfer::ctc_greedy(view, options)) results.push_back({std::move(read)});
    } else {
      results = mxinfer::ctc_beam_search(view, options);
    }
    const LocalRef<jclass> type(env, env->FindClass("[Ljava/lang/Object;"));
    jobjectArray all = env->NewObjectArray(static_cast<jsize>(results.size()), type.get(), nullptr);
    check_java(env);
    for (std::size_t i = 0; i < results.size(); ++i) {
      const LocalRef<jobjectArray> each(env, to_java(env, results[i]));
      env->SetObjectArrayElement(all, static_cast<jsize>(i), each.get());
    }
    return all;
  });
}
