#include <mxinfer/async/completion_queue.h>
#include <mxinfer_c/async.h>

#include <chrono>
#include <memory>

#include "c_api/async/request.h"
#include "c_api/call.h"

using namespace mxinfer;
using namespace mxinfer::c_api;

namespace {

struct CompletedRequest final : detail::Completed {
  CompletedRequest(std::uint64_t t, mxinfer_request* r) : tag(t), request(r) {}
  ~CompletedRequest() override { mxinfer_request_free(request); }
  CompletedRequest(const CompletedRequest&) = delete;
  CompletedRequest& operator=(const CompletedRequest&) = delete;

  std::uint64_t tag;
  mxinfer_request* request;  ///< owned
};

}  // namespace

struct mxinfer_completion_queue {
  detail::CompletionList list;
};

mxinfer_status mxinfer_completion_queue_create(mxinfer_completion_queue** out) {
  return call([&] {
    mxinfer_completion_queue*& queue = need(out, "out");
    queue = new mxinfer_completion_queue;
  });
}

mxinfer_status mxinfer_completion_queue_add(mxinfer_completion_queue* queue, uint64_t tag,
                                            mxinfer_request* request) {
  return call([&] {
    detail::CompletionList& list = need(queue, "queue").list;
    if (need(request, "request").calls_back())
      reject("a request with on_done was added to a completion queue; use one or the other");
    detail::Request* const state = request->state();
    if (state == nullptr)
      reject("a request whose result was taken was added to a completion queue; submit first");
    list.add(std::make_unique<CompletedRequest>(tag, request), *state);
  });
}

mxinfer_status mxinfer_completion_queue_next(mxinfer_completion_queue* queue, int64_t timeout_ns,
                                             uint64_t* tag, mxinfer_request** request) {
  return call([&] {
    detail::CompletionList& list = need(queue, "queue").list;
    mxinfer_request*& taken = need(request, "request");
    const Deadline until =
        timeout_ns < 0 ? kNoDeadline : deadline_after(std::chrono::nanoseconds(timeout_ns));
    const std::unique_ptr<detail::Completed> next =
        timeout_ns == 0 ? list.try_next() : list.next_until(until);
    taken = nullptr;
    if (next == nullptr) return;
    auto& completed = static_cast<CompletedRequest&>(*next);
    if (tag != nullptr) *tag = completed.tag;
    taken = std::exchange(completed.request, nullptr);
  });
}

size_t mxinfer_completion_queue_size(const mxinfer_completion_queue* queue) {
  return queue == nullptr ? 0 : queue->list.size();
}

mxinfer_status mxinfer_completion_queue_fd(mxinfer_completion_queue* queue, int* fd) {
  return call([&] {
    detail::CompletionList& list = need(queue, "queue").list;
    need(fd, "fd") = list.fd();
  });
}

void mxinfer_completion_queue_free(mxinfer_completion_queue* queue) {
  delete queue;
}
