#include "c_api/async/request.h"

#include <chrono>

#include "c_api/handles.h"
#include "c_api/structs.h"
#include "c_api/vision/handles.h"

using namespace mxinfer;
using namespace mxinfer::c_api;

void mxinfer_request::call_when_done(mxinfer_done_fn on_done, void* user) {
  on_done_ = on_done;
  user_ = user;
  detail::Request* const request = state();
  if (!request->then(*this)) request_ended();
}

detail::Request* mxinfer_request::state() const noexcept {
  return std::visit([](const auto& of) { return of.state(); }, prediction);
}

// Whichever comes second, the end or the caller's free, destroys it; a callback that was not begun is
// dropped.
void mxinfer_request::request_ended() noexcept {
  if (callback_.exchange(Callback::called) == Callback::dropped) {
    delete this;
    return;
  }
  try {
    on_done_(this, user_);
  } catch (...) {  // an exception of a C++ program; nothing can catch it
  }
}

void mxinfer_request::release() noexcept {
  if (on_done_ != nullptr && callback_.exchange(Callback::dropped) == Callback::pending) return;
  delete this;
}

namespace {

Deadline deadline_of(std::int64_t timeout_ns) {
  return timeout_ns < 0 ? kNoDeadline : deadline_after(std::chrono::nanoseconds(timeout_ns));
}

template <typename T>
Prediction<T>& prediction_of(mxinfer_request* request, const char* instead) {
  auto* const found = std::get_if<Prediction<T>>(&need(request, "request").prediction);
  if (found == nullptr)
    reject(std::string("the request has no result of this kind; take it with ") + instead);
  return *found;
}

constexpr const char* kOthers =
    "mxinfer_request_tensors, _classes, _detections or _segmentations, depending on what was submitted, or "
    "with "
    "mxinfer_request_finish";

}  // namespace

mxinfer_submit_options c_api::read_submit_options(const mxinfer_submit_options* options) {
  mxinfer_submit_options given{};
  if (options != nullptr) given = read_struct(*options);
  if (given.priority != 0 && given.priority != 1)
    reject("priority is " + std::to_string(given.priority) + "; expected 0 (normal) or 1 (high)");
  if (given.timeout_ns < 0) {
    reject("timeout_ns is " + std::to_string(given.timeout_ns) +
           "; expected a number of nanoseconds, or 0 for no deadline");
  }
  return given;
}

SubmitOptions c_api::submit_options_of(const mxinfer_submit_options& options) {
  SubmitOptions result;
  if (options.priority == 1) result.priority = Priority::high;
  if (options.timeout_ns > 0) result.deadline = deadline_after(std::chrono::nanoseconds(options.timeout_ns));
  return result;
}

int mxinfer_request_ready(const mxinfer_request* request) {
  if (request == nullptr) return 0;
  return std::visit([](const auto& of) { return of.ready(); }, request->prediction) ? 1 : 0;
}

mxinfer_status mxinfer_request_wait(const mxinfer_request* request, int64_t timeout_ns, int* ended) {
  return call([&] {
    need(request, "request");
    const bool has_ended = std::visit([&](const auto& of) { return of.wait_until(deadline_of(timeout_ns)); },
                                      request->prediction);
    if (ended != nullptr) *ended = has_ended ? 1 : 0;
  });
}

int mxinfer_request_cancel(mxinfer_request* request) {
  if (request == nullptr) return 0;
  return std::visit([](auto& of) { return of.cancel(); }, request->prediction) ? 1 : 0;
}

mxinfer_status mxinfer_request_tensors(mxinfer_request* request, mxinfer_tensors** out) {
  return call([&] {
    auto& prediction = prediction_of<std::vector<Tensor>>(request, kOthers);
    mxinfer_tensors*& tensors = need(out, "out");
    std::unique_ptr<mxinfer_tensors> made(new mxinfer_tensors{request->model});
    made->list = prediction.get();
    tensors = made.release();
  });
}

mxinfer_status mxinfer_request_classes(mxinfer_request* request, mxinfer_classes** out) {
  return call([&] {
    auto& prediction = prediction_of<std::vector<Classification>>(request, kOthers);
    mxinfer_classes*& classes = need(out, "out");
    auto made = std::make_unique<mxinfer_classes>();
    made->samples.resize(1);
    made->samples[0] = prediction.get();
    classes = made.release();
  });
}

mxinfer_status mxinfer_request_detections(mxinfer_request* request, mxinfer_detections** out) {
  return call([&] {
    auto& prediction = prediction_of<std::vector<Detection>>(request, kOthers);
    mxinfer_detections*& detections = need(out, "out");
    auto made = std::make_unique<mxinfer_detections>();
    made->images.resize(1);
    made->images[0] = prediction.get();
    detections = made.release();
  });
}

mxinfer_status mxinfer_request_segmentations(mxinfer_request* request, mxinfer_segmentations** out) {
  return give(out, [&] {
    auto& prediction = prediction_of<Segmentation>(request, kOthers);
    auto made = std::make_unique<mxinfer_segmentations>();
    made->images.resize(1);
    made->images[0] = prediction.get();
    return made.release();
  });
}

mxinfer_status mxinfer_request_finish(mxinfer_request* request) {
  return call([&] {
    need(request, "request");
    std::visit([](auto& of) { (void)of.get(); }, request->prediction);
  });
}

void mxinfer_request_free(mxinfer_request* request) {
  if (request != nullptr) request->release();
}
