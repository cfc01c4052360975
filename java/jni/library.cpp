// The library itself, and its options.
#include <vector>

#include "org_mxinfer_Native.h"
#include "support.h"

using namespace mxinfer::jni;

JNIEXPORT jint JNICALL JNI_OnLoad(JavaVM* vm, void* /*reserved*/) {
  JNIEnv* env = nullptr;
  if (vm->GetEnv(reinterpret_cast<void**>(&env), JNI_VERSION_10) != JNI_OK) return JNI_ERR;
  return load_exceptions(env) && load_log(vm, env) ? JNI_VERSION_10 : JNI_ERR;
}

jbyteArray Java_org_mxinfer_Native_version(JNIEnv* env, jclass /*type*/) {
  return guard(env, [&] { return to_bytes(env, mxinfer_version()); });
}

jbyteArray Java_org_mxinfer_Native_buildInfo(JNIEnv* env, jclass /*type*/) {
  return guard(env, [&] {
    char* json = nullptr;
    check(env, mxinfer_build_info(&json));
    return take_text(env, json);
  });
}

jobjectArray Java_org_mxinfer_Native_describeOptions(JNIEnv* env, jclass /*type*/) {
  return guard(env, [&] {
    std::vector<const char*> texts;
    for (std::size_t i = 0; i < mxinfer_options_known(); ++i) {
      mxinfer_option_info info{};
      info.struct_size = sizeof info;
      check(env, mxinfer_options_describe(i, &info));
      texts.insert(texts.end(), {info.name, info.group, info.value, info.default_text, info.help});
    }
    return new_byte_arrays(env, texts);
  });
}

void Java_org_mxinfer_Native_checkOption(JNIEnv* env, jclass /*type*/, jbyteArray name, jbyteArray value) {
  guard(env, [&] {
    mxinfer_options* options = nullptr;
    check(env, mxinfer_options_create(&options));
    const mxinfer_status status =
        mxinfer_options_set(options, to_string(env, name).c_str(), to_string(env, value).c_str());
    mxinfer_options_free(options);
    check(env, status);
  });
}
