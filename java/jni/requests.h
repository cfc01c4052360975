// What was submitted to a queue, by the C interface or the C++ one, and the list of what has ended.
#pragma once

#include <jni.h>
#include <mxinfer/async/prediction.h>
#include <mxinfer/async/request.h>
#include <mxinfer/model.h>
#include <mxinfer_c.h>

#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>

#include "support.h"

namespace mxinfer::jni {

class Request;

/// Requests that have ended, in this order.
class Completions {
 public:
  void push(Request& request) noexcept;
  /// Waits for one.
  Request& next();

 private:
  std::mutex mutex_;
  std::condition_variable some_;
  Request* first_ = nullptr;
  Request* last_ = nullptr;
};

class Request {
 public:
  virtual ~Request() = default;
  Request(const Request&) = delete;
  Request& operator=(const Request&) = delete;

  /// Whether it had not started.
  virtual bool cancel() noexcept = 0;
  /// Until it has ended, or at most `time`, which ends what is past its deadline; whether it has ended.
  virtual bool wait(JNIEnv* env, std::optional<std::chrono::nanoseconds> time) = 0;

  /// It is pushed once it has ended.
  void add_to(Completions& completions, jlong tag);
  [[nodiscard]] jlong tag() const { return tag_; }
  /// Until nothing will use this object any more. Precondition: it ends.
  void wait_until_told();

 protected:
  Request() = default;
  /// Called once, on any thread, when it has ended; it may be gone afterwards.
  void tell_ended() noexcept;

 private:
  friend class Completions;
  std::mutex mutex_;
  std::condition_variable told_;
  bool is_told_ = false;
  Completions* completions_ = nullptr;
  jlong tag_ = 0;
  Request* next_ = nullptr;  ///< in a list of completions
};

/// A request of the C interface.
class CRequest final : public Request {
 public:
  CRequest() = default;
  ~CRequest() override { mxinfer_request_free(handle_); }
  CRequest(const CRequest&) = delete;
  CRequest& operator=(const CRequest&) = delete;

  /// For the function that submits it, and sets *handle().
  mxinfer_submit_options options(jint priority, jlong timeout, bool copy);
  mxinfer_request** handle() { return &handle_; }
  [[nodiscard]] mxinfer_request* get() const { return handle_; }

  bool cancel() noexcept override { return mxinfer_request_cancel(handle_) != 0; }
  bool wait(JNIEnv* env, std::optional<std::chrono::nanoseconds> time) override;

 private:
  static void ended(mxinfer_request* request, void* self);
  mxinfer_request* handle_ = nullptr;
};

/// Runs submit(options, request), a function of the C interface.
template <typename Submit>
jlong submitted(JNIEnv* env, jint priority, jlong timeout, bool copy, Submit submit) {
  auto request = std::make_unique<CRequest>();
  const mxinfer_submit_options options = request->options(priority, timeout, copy);
  check(env, submit(&options, request->handle()));
  return address_of(static_cast<Request*>(request.release()));
}

/// A prediction of the C++ interface.
template <typename T>
class RequestOf final : public Request, private detail::Continuation {
 public:
  RequestOf(const Model& model, Prediction<T> prediction)
      : model_(model), prediction_(std::move(prediction)) {
    if (!prediction_.state()->then(*this)) tell_ended();
  }

  bool cancel() noexcept override { return prediction_.cancel(); }
  bool wait(JNIEnv* /*env*/, std::optional<std::chrono::nanoseconds> time) override {
    return prediction_.wait_until(time ? deadline_after(*time) : kNoDeadline);
  }
  [[nodiscard]] const Model& model() const { return model_; }
  /// Throws what the work threw.
  T take() { return prediction_.get(); }

 private:
  void request_ended() noexcept override { tell_ended(); }
  Model model_;
  Prediction<T> prediction_;
};

template <typename T>
jlong give_prediction(const Model& model, Prediction<T> prediction) {
  return address_of(static_cast<Request*>(new RequestOf<T>(model, std::move(prediction))));
}

/// Of the numbers that Java submits with.
SubmitOptions submit_options(jint priority, jlong timeout);

}  // namespace mxinfer::jni
