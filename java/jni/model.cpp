// Models: reading them, and what is known of them.
#include <vector>

#include "org_mxinfer_Native.h"
#include "support.h"
#include "tensors.h"

using namespace mxinfer::jni;

jlong Java_org_mxinfer_Native_loadModel(JNIEnv* env, jclass /*type*/, jbyteArray uri, jobjectArray options) {
  return guard(env, [&] {
    mxinfer_model* model = nullptr;
    check(env, mxinfer_model_load(to_string(env, uri).c_str(), Options(env, options).get(), &model));
    return address_of(model);
  });
}

jlong Java_org_mxinfer_Native_loadModelFiles(JNIEnv* env, jclass /*type*/, jbyteArray symbol,
                                             jbyteArray params, jobjectArray options) {
  return guard(env, [&] {
    mxinfer_model* model = nullptr;
    const std::string params_path = to_string(env, params);
    check(env, mxinfer_model_load_files(to_string(env, symbol).c_str(),
                                        params == nullptr ? nullptr : params_path.c_str(),
                                        Options(env, options).get(), &model));
    return address_of(model);
  });
}

jlong Java_org_mxinfer_Native_loadModelMemory(JNIEnv* env, jclass /*type*/, jbyteArray symbol,
                                              jbyteArray params, jobjectArray options) {
  return guard(env, [&] {
    mxinfer_model* model = nullptr;
    const std::string json = to_string(env, symbol);
    const std::string weights = to_string(env, params);
    check(env,
          mxinfer_model_load_memory(json.data(), json.size(), params == nullptr ? nullptr : weights.data(),
                                    weights.size(), Options(env, options).get(), &model));
    return address_of(model);
  });
}

jlong Java_org_mxinfer_Native_loadModelArchive(JNIEnv* env, jclass /*type*/, jbyteArray archive,
                                               jobjectArray options) {
  return guard(env, [&] {
    mxinfer_model* model = nullptr;
    const std::string bytes = to_string(env, archive);
    check(env, mxinfer_model_load_archive(bytes.data(), bytes.size(), Options(env, options).get(), &model));
    return address_of(model);
  });
}

void Java_org_mxinfer_Native_freeModel(JNIEnv* /*env*/, jclass /*type*/, jlong model) {
  mxinfer_model_free(object<mxinfer_model>(model));
}

jbyteArray Java_org_mxinfer_Native_modelName(JNIEnv* env, jclass /*type*/, jlong model) {
  return guard(env, [&] { return to_bytes(env, mxinfer_model_name(object<const mxinfer_model>(model))); });
}

jobjectArray Java_org_mxinfer_Native_modelDescs(JNIEnv* env, jclass /*type*/, jlong model, jboolean inputs) {
  return guard(env, [&] {
    const auto* const of = object<const mxinfer_model>(model);
    return to_java(env, inputs == JNI_TRUE ? mxinfer_model_inputs(of) : mxinfer_model_outputs(of));
  });
}

jobjectArray Java_org_mxinfer_Native_modelLabels(JNIEnv* env, jclass /*type*/, jlong model) {
  return guard(env, [&] {
    const auto* const of = object<const mxinfer_model>(model);
    std::vector<const char*> labels;
    for (std::size_t i = 0; i < mxinfer_model_label_count(of); ++i)
      labels.push_back(mxinfer_model_label(of, i));
    return new_byte_arrays(env, labels);
  });
}

jobjectArray Java_org_mxinfer_Native_modelWarnings(JNIEnv* env, jclass /*type*/, jlong model) {
  return guard(env, [&] {
    const auto* const of = object<const mxinfer_model>(model);
    std::vector<const char*> warnings;
    for (std::size_t i = 0; i < mxinfer_model_warning_count(of); ++i)
      warnings.push_back(mxinfer_model_warning(of, i));
    return new_byte_arrays(env, warnings);
  });
}

jlongArray Java_org_mxinfer_Native_modelMemory(JNIEnv* env, jclass /*type*/, jlong model) {
  return guard(env, [&] {
    mxinfer_memory memory{};
    memory.struct_size = sizeof memory;
    check(env, mxinfer_model_memory(object<const mxinfer_model>(model), &memory));
    return to_longs(env, {static_cast<jlong>(memory.stored_weights),
                          static_cast<jlong>(memory.packed_weights), static_cast<jlong>(memory.plans),
                          static_cast<jlong>(memory.workspaces), static_cast<jlong>(memory.idle_workspaces)});
  });
}
