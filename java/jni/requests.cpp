#include "requests.h"

#include <memory>

#include "handles.h"
#include "org_mxinfer_Native.h"
#include "results.h"
#include "support.h"

namespace mxinfer::jni {

void Completions::push(Request& request) noexcept {
  const std::lock_guard lock(mutex_);
  request.next_ = nullptr;
  (first_ == nullptr ? first_ : last_->next_) = &request;
  last_ = &request;
  some_.notify_one();
}

Request& Completions::next() {
  std::unique_lock lock(mutex_);
  some_.wait(lock, [&] { return first_ != nullptr; });
  Request& request = *first_;
  first_ = request.next_;
  return request;
}

void Request::add_to(Completions& completions, jlong tag) {
  {
    const std::lock_guard lock(mutex_);
    tag_ = tag;
    if (!is_told_) {
      completions_ = &completions;
      return;
    }
  }
  completions.push(*this);
}

void Request::wait_until_told() {
  std::unique_lock lock(mutex_);
  told_.wait(lock, [&] { return is_told_; });
}

void Request::tell_ended() noexcept {
  Completions* completions = nullptr;
  {
    const std::lock_guard lock(mutex_);
    is_told_ = true;
    completions = completions_;
    told_.notify_all();
  }
  if (completions != nullptr) completions->push(*this);
}

mxinfer_submit_options CRequest::options(jint priority, jlong timeout, bool copy) {
  return {sizeof(mxinfer_submit_options), priority, copy ? 1 : 0, timeout, ended, this};
}

bool CRequest::wait(JNIEnv* env, std::optional<std::chrono::nanoseconds> time) {
  int has_ended = 0;
  check(env, mxinfer_request_wait(handle_, time ? time->count() : -1, &has_ended));
  return has_ended != 0;
}

void CRequest::ended(mxinfer_request* /*request*/, void* self) {
  static_cast<CRequest*>(self)->tell_ended();
}

SubmitOptions submit_options(jint priority, jlong timeout) {
  SubmitOptions options;
  if (priority == 1) options.priority = Priority::high;
  if (timeout > 0) options.deadline = deadline_after(std::chrono::nanoseconds(timeout));
  return options;
}

}  // namespace mxinfer::jni

using namespace mxinfer::jni;

namespace {

/// Of a request of the C interface.
mxinfer_request* c_request_at(jlong address) {
  return static_cast<const CRequest*>(object<Request>(address))->get();
}

}  // namespace

jboolean Java_org_mxinfer_Native_cancelRequest(JNIEnv* /*env*/, jclass /*type*/, jlong request) {
  return object<Request>(request)->cancel() ? JNI_TRUE : JNI_FALSE;
}

void Java_org_mxinfer_Native_waitRequest(JNIEnv* env, jclass /*type*/, jlong request) {
  guard(env, [&] { (void)object<Request>(request)->wait(env, std::nullopt); });
}

jboolean Java_org_mxinfer_Native_pollRequest(JNIEnv* env, jclass /*type*/, jlong request) {
  return guard(env, [&]() -> jboolean {
    return object<Request>(request)->wait(env, std::chrono::nanoseconds(0)) ? JNI_TRUE : JNI_FALSE;
  });
}

jlong Java_org_mxinfer_Native_takeTensors(JNIEnv* env, jclass /*type*/, jlong request) {
  return guard(env, [&] {
    using Sequence = RequestOf<std::vector<mxinfer::Tensor>>;
    if (auto* const own = dynamic_cast<Sequence*>(object<Request>(request)))
      return give_tensors(own->model(), own->take());
    mxinfer_tensors* tensors = nullptr;
    check(env, mxinfer_request_tensors(c_request_at(request), &tensors));
    return address_of(tensors);
  });
}

jintArray Java_org_mxinfer_Native_takeClasses(JNIEnv* env, jclass /*type*/, jlong request) {
  return guard(env, [&] {
    mxinfer_classes* classes = nullptr;
    check(env, mxinfer_request_classes(c_request_at(request), &classes));
    return take(env, classes);
  });
}

jintArray Java_org_mxinfer_Native_takeDetections(JNIEnv* env, jclass /*type*/, jlong request) {
  return guard(env, [&] {
    mxinfer_detections* detections = nullptr;
    check(env, mxinfer_request_detections(c_request_at(request), &detections));
    return take(env, detections);
  });
}

void Java_org_mxinfer_Native_takeNothing(JNIEnv* env, jclass /*type*/, jlong request) {
  guard(env, [&] { check(env, mxinfer_request_finish(c_request_at(request))); });
}

void Java_org_mxinfer_Native_freeRequest(JNIEnv* /*env*/, jclass /*type*/, jlong request) {
  delete object<Request>(request);
}

void Java_org_mxinfer_Native_abandonRequest(JNIEnv* env, jclass /*type*/, jlong address) {
  guard(env, [&] {
    const std::unique_ptr<Request> request(object<Request>(address));
    request->cancel();
    request->wait_until_told();
  });
}

jlong Java_org_mxinfer_Native_createCompletions(JNIEnv* env, jclass /*type*/) {
  return guard(env, [&] { return address_of(new Completions); });
}

void Java_org_mxinfer_Native_addCompletion(JNIEnv* /*env*/, jclass /*type*/, jlong completions, jlong tag,
                                           jlong request) {
  object<Request>(request)->add_to(*object<Completions>(completions), tag);
}

jlong Java_org_mxinfer_Native_nextCompletion(JNIEnv* env, jclass /*type*/, jlong completions,
                                             jlongArray tag) {
  return guard(env, [&] {
    Request& request = object<Completions>(completions)->next();
    const jlong number = request.tag();
    env->SetLongArrayRegion(tag, 0, 1, &number);
    return address_of(&request);
  });
}
