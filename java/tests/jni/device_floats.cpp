// org.mxinfer.tests.DeviceFloats: memory and streams of cuda:0.
#include <jni.h>

#include <vector>

#include "device_memory/device_memory.h"

namespace {

template <typename T>
T* pointer(jlong address) {
  return reinterpret_cast<T*>(address);  // NOLINT(performance-no-int-to-ptr): Java has no pointers
}

}  // namespace

extern "C" {

JNIEXPORT jlong JNICALL Java_org_mxinfer_tests_DeviceFloats_upload(JNIEnv* env, jclass /*type*/,
                                                                   jfloatArray values) {
  std::vector<float> floats(static_cast<std::size_t>(env->GetArrayLength(values)));
  env->GetFloatArrayRegion(values, 0, static_cast<jsize>(floats.size()), floats.data());
  void* const memory = device_memory_allocate(floats.size() * sizeof(float));
  if (memory != nullptr && device_memory_upload(memory, floats.data(), floats.size() * sizeof(float)) != 0)
    return 0;
  return reinterpret_cast<jlong>(memory);
}

JNIEXPORT jint JNICALL Java_org_mxinfer_tests_DeviceFloats_download(JNIEnv* env, jclass /*type*/,
                                                                    jlong memory, jfloatArray values) {
  std::vector<float> floats(static_cast<std::size_t>(env->GetArrayLength(values)));
  const int status =
      device_memory_download(floats.data(), pointer<void>(memory), floats.size() * sizeof(float));
  env->SetFloatArrayRegion(values, 0, static_cast<jsize>(floats.size()), floats.data());
  return status;
}

JNIEXPORT void JNICALL Java_org_mxinfer_tests_DeviceFloats_free(JNIEnv* /*env*/, jclass /*type*/,
                                                                jlong memory) {
  device_memory_free(pointer<void>(memory));
}

JNIEXPORT jboolean JNICALL Java_org_mxinfer_tests_DeviceFloats_isPinned(JNIEnv* env, jclass /*type*/,
                                                                        jobject buffer) {
  return device_memory_is_pinned(env->GetDirectBufferAddress(buffer)) != 0 ? JNI_TRUE : JNI_FALSE;
}

JNIEXPORT jlong JNICALL Java_org_mxinfer_tests_DeviceFloats_createStream(JNIEnv* /*env*/, jclass /*type*/) {
  return reinterpret_cast<jlong>(device_stream_create());
}

JNIEXPORT jint JNICALL Java_org_mxinfer_tests_DeviceFloats_synchronize(JNIEnv* /*env*/, jclass /*type*/,
                                                                       jlong stream) {
  return device_stream_synchronize(pointer<void>(stream));
}

JNIEXPORT void JNICALL Java_org_mxinfer_tests_DeviceFloats_destroyStream(JNIEnv* /*env*/, jclass /*type*/,
                                                                         jlong stream) {
  device_stream_destroy(pointer<void>(stream));
}

}  // extern "C"
