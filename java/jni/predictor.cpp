// Predictors: running them.
#include "org_mxinfer_Native.h"
#include "support.h"
#include "tensors.h"

using namespace mxinfer::jni;

jlong Java_org_mxinfer_Native_predict(JNIEnv* env, jclass /*type*/, jlong address, jint how,
                                      jobjectArray names, jobjectArray data, jintArray dtypes,
                                      jobjectArray shapes) {
  return guard(env, [&] {
    const auto* const predictor = object<const mxinfer_predictor>(address);
    const Tensors inputs(env, {names, data, dtypes, shapes});
    mxinfer_tensors* outputs = nullptr;
    if (how == org_mxinfer_Native_FLAT) {
      check(env, mxinfer_predictor_predict_flat(predictor, inputs.data(), inputs.size(), &outputs));
    } else if (how == org_mxinfer_Native_LIST) {
      check(env, mxinfer_predictor_predict_list(predictor, inputs.data(), inputs.size(), 1, &outputs));
    } else {
      check(env, mxinfer_predictor_predict(predictor, inputs.data(), inputs.size(), &outputs));
    }
    return address_of(outputs);
  });
}

void Java_org_mxinfer_Native_predictInto(JNIEnv* env, jclass /*type*/, jlong address, jobjectArray names,
                                         jobjectArray data, jintArray dtypes, jobjectArray shapes,
                                         jobjectArray out_names, jobjectArray out_data, jintArray out_dtypes,
                                         jobjectArray out_shapes) {
  guard(env, [&] {
    const Tensors inputs(env, {names, data, dtypes, shapes});
    const Tensors outputs(env, {out_names, out_data, out_dtypes, out_shapes});
    check(env, mxinfer_predictor_predict_into(object<const mxinfer_predictor>(address), inputs.data(),
                                              inputs.size(), outputs.data(), outputs.size()));
  });
}
