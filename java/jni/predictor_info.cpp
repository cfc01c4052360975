// Predictors: what they are, hold and have done.
#include <memory>
#include <vector>

#include "org_mxinfer_Native.h"
#include "support.h"
#include "tensors.h"

using namespace mxinfer::jni;

jobjectArray Java_org_mxinfer_Native_warnings(JNIEnv* env, jclass /*type*/, jlong address) {
  return guard(env, [&] {
    const auto* const predictor = object<const mxinfer_predictor>(address);
    std::vector<const char*> warnings;
    for (std::size_t i = 0; i < mxinfer_predictor_warning_count(predictor); ++i)
      warnings.push_back(mxinfer_predictor_warning(predictor, i));
    return new_byte_arrays(env, warnings);
  });
}

jobjectArray Java_org_mxinfer_Native_shapesOf(JNIEnv* env, jclass /*type*/, jlong address, jboolean inputs,
                                              jobjectArray names, jobjectArray sizes) {
  return guard(env, [&] {
    const auto* const predictor = object<const mxinfer_predictor>(address);
    const Shapes shapes(env, names, sizes);
    mxinfer_descs* descs = nullptr;
    check(env, inputs == JNI_TRUE
                   ? mxinfer_predictor_input_shapes(predictor, shapes.data(), shapes.size(), &descs)
                   : mxinfer_predictor_output_shapes(predictor, shapes.data(), shapes.size(), &descs));
    const std::unique_ptr<mxinfer_descs, void (*)(mxinfer_descs*)> owned(descs, mxinfer_descs_free);
    return to_java(env, descs);
  });
}

void Java_org_mxinfer_Native_warmup(JNIEnv* env, jclass /*type*/, jlong predictor, jobjectArray names,
                                    jobjectArray sizes) {
  guard(env, [&] {
    const Shapes shapes(env, names, sizes);
    check(env,
          mxinfer_predictor_warmup(object<const mxinfer_predictor>(predictor), shapes.data(), shapes.size()));
  });
}

jbyteArray Java_org_mxinfer_Native_explain(JNIEnv* env, jclass /*type*/, jlong predictor, jobjectArray names,
                                           jobjectArray sizes) {
  return guard(env, [&] {
    const Shapes shapes(env, names, sizes);
    char* text = nullptr;
    check(env, mxinfer_predictor_explain(object<const mxinfer_predictor>(predictor), shapes.data(),
                                         shapes.size(), &text));
    return take_text(env, text);
  });
}

jlongArray Java_org_mxinfer_Native_stats(JNIEnv* env, jclass /*type*/, jlong predictor) {
  return guard(env, [&] {
    mxinfer_stats stats{};
    stats.struct_size = sizeof stats;
    check(env, mxinfer_predictor_stats(object<const mxinfer_predictor>(predictor), &stats));
    std::vector<jlong> numbers;
    for (const std::uint64_t number :
         {stats.calls, stats.plan_misses, stats.plans_made, stats.plans, stats.running, stats.idle_executors,
          stats.executor_bytes, stats.weight_bytes})
      numbers.push_back(static_cast<jlong>(number));
    return to_longs(env, numbers);
  });
}

jlongArray Java_org_mxinfer_Native_memory(JNIEnv* env, jclass /*type*/, jlong predictor) {
  return guard(env, [&] {
    mxinfer_memory memory{};
    memory.struct_size = sizeof memory;
    check(env, mxinfer_predictor_memory(object<const mxinfer_predictor>(predictor), &memory));
    return to_longs(env, {static_cast<jlong>(memory.stored_weights),
                          static_cast<jlong>(memory.packed_weights), static_cast<jlong>(memory.plans),
                          static_cast<jlong>(memory.workspaces), static_cast<jlong>(memory.idle_workspaces)});
  });
}

jdoubleArray Java_org_mxinfer_Native_metrics(JNIEnv* env, jclass /*type*/, jlong predictor) {
  return guard(env, [&] {
    mxinfer_call_metrics m{};
    m.struct_size = sizeof m;
    check(env, mxinfer_predictor_metrics(object<const mxinfer_predictor>(predictor), &m));
    std::vector<jdouble> numbers;
    for (const std::uint64_t count : {m.submitted, m.waiting, m.running, m.done, m.failed, m.cancelled,
                                      m.expired, m.refused, m.batches, m.batched})
      numbers.push_back(static_cast<jdouble>(count));
    numbers.insert(numbers.end(),
                   {m.queue_p50_seconds, m.queue_p99_seconds, m.run_p50_seconds, m.run_p99_seconds});
    jdoubleArray array = env->NewDoubleArray(static_cast<jsize>(numbers.size()));
    check_java(env);
    env->SetDoubleArrayRegion(array, 0, static_cast<jsize>(numbers.size()), numbers.data());
    return array;
  });
}

jbyteArray Java_org_mxinfer_Native_prometheus(JNIEnv* env, jclass /*type*/, jlong predictor,
                                              jbyteArray labels, jboolean with_help) {
  return guard(env, [&] {
    char* text = nullptr;
    check(env,
          mxinfer_predictor_prometheus(object<const mxinfer_predictor>(predictor),
                                       to_string(env, labels).c_str(), with_help == JNI_TRUE ? 1 : 0, &text));
    return take_text(env, text);
  });
}

jlong Java_org_mxinfer_Native_trim(JNIEnv* env, jclass /*type*/, jlong predictor) {
  return guard(env, [&] {
    std::uint64_t bytes = 0;
    check(env, mxinfer_predictor_trim(object<const mxinfer_predictor>(predictor), &bytes));
    return static_cast<jlong>(bytes);
  });
}
