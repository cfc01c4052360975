// Requests, and the queue that collects them as they end.
#include "org_mxinfer_Native.h"
#include "results.h"
#include "support.h"

using namespace mxinfer::jni;

jboolean Java_org_mxinfer_Native_cancelRequest(JNIEnv* /*env*/, jclass /*type*/, jlong request) {
  return mxinfer_request_cancel(object<mxinfer_request>(request)) != 0 ? JNI_TRUE : JNI_FALSE;
}

void Java_org_mxinfer_Native_waitRequest(JNIEnv* env, jclass /*type*/, jlong request) {
  guard(env, [&] { check(env, mxinfer_request_wait(object<const mxinfer_request>(request), -1, nullptr)); });
}

jboolean Java_org_mxinfer_Native_pollRequest(JNIEnv* env, jclass /*type*/, jlong request) {
  return guard(env, [&]() -> jboolean {
    int ended = 0;
    check(env, mxinfer_request_wait(object<const mxinfer_request>(request), 0, &ended));
    return ended != 0 ? JNI_TRUE : JNI_FALSE;
  });
}

jlong Java_org_mxinfer_Native_takeTensors(JNIEnv* env, jclass /*type*/, jlong request) {
  return guard(env, [&] {
    mxinfer_tensors* tensors = nullptr;
    check(env, mxinfer_request_tensors(object<mxinfer_request>(request), &tensors));
    return address_of(tensors);
  });
}

jintArray Java_org_mxinfer_Native_takeClasses(JNIEnv* env, jclass /*type*/, jlong request) {
  return guard(env, [&] {
    mxinfer_classes* classes = nullptr;
    check(env, mxinfer_request_classes(object<mxinfer_request>(request), &classes));
    return take(env, classes);
  });
}

jintArray Java_org_mxinfer_Native_takeDetections(JNIEnv* env, jclass /*type*/, jlong request) {
  return guard(env, [&] {
    mxinfer_detections* detections = nullptr;
    check(env, mxinfer_request_detections(object<mxinfer_request>(request), &detections));
    return take(env, detections);
  });
}

void Java_org_mxinfer_Native_takeNothing(JNIEnv* env, jclass /*type*/, jlong request) {
  guard(env, [&] { check(env, mxinfer_request_finish(object<mxinfer_request>(request))); });
}

void Java_org_mxinfer_Native_freeRequest(JNIEnv* /*env*/, jclass /*type*/, jlong request) {
  mxinfer_request_free(object<mxinfer_request>(request));
}

void Java_org_mxinfer_Native_abandonRequest(JNIEnv* /*env*/, jclass /*type*/, jlong address) {
  auto* const request = object<mxinfer_request>(address);
  mxinfer_request_cancel(request);
  mxinfer_request_wait(request, -1, nullptr);
  mxinfer_request_free(request);
}

jlong Java_org_mxinfer_Native_createCompletions(JNIEnv* env, jclass /*type*/) {
  return guard(env, [&] {
    mxinfer_completion_queue* queue = nullptr;
    check(env, mxinfer_completion_queue_create(&queue));
    return address_of(queue);
  });
}

void Java_org_mxinfer_Native_addCompletion(JNIEnv* env, jclass /*type*/, jlong queue, jlong tag,
                                           jlong request) {
  guard(env, [&] {
    check(env,
          mxinfer_completion_queue_add(object<mxinfer_completion_queue>(queue),
                                       static_cast<std::uint64_t>(tag), object<mxinfer_request>(request)));
  });
}

jlong Java_org_mxinfer_Native_nextCompletion(JNIEnv* env, jclass /*type*/, jlong queue, jlongArray tag) {
  return guard(env, [&] {
    std::uint64_t number = 0;
    mxinfer_request* request = nullptr;
    check(env, mxinfer_completion_queue_next(object<mxinfer_completion_queue>(queue), -1, &number, &request));
    const auto value = static_cast<jlong>(number);
    env->SetLongArrayRegion(tag, 0, 1, &value);
    return address_of(request);
  });
}
