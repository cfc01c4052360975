#include <mxinfer/async/request_queue.h>
#include <mxinfer_c/async.h>

#include "c_api/async/request.h"
#include "c_api/call.h"
#include "c_api/handles.h"
#include "c_api/metrics.h"
#include "c_api/structs.h"

using namespace mxinfer;
using namespace mxinfer::c_api;

struct mxinfer_queue {
  RequestQueue queue;
};

mxinfer_status mxinfer_queue_create(const mxinfer_options* options, mxinfer_queue** out) {
  return call([&] {
    mxinfer_queue*& queue = need(out, "out");
    queue = new mxinfer_queue{RequestQueue(settings_of(options).options().async)};
  });
}

mxinfer_status mxinfer_queue_submit(mxinfer_queue* queue, mxinfer_work_fn work, void* work_user,
                                    const mxinfer_submit_options* options, mxinfer_request** out) {
  return call([&] {
    RequestQueue& self = need(queue, "queue").queue;
    if (work == nullptr) throw NullArgument{"work"};
    submit_request(out, options, std::nullopt,
                   [&](mxinfer_request& request, const mxinfer_submit_options&, SubmitOptions submit) {
                     request.prediction = self.submit(
                         [work, work_user] {
                           const mxinfer_status status = work(work_user);
                           if (status == MXINFER_OK) return;
                           // An older error of this thread is not that of the work.
                           throw Error(code_of(status), mxinfer_last_status() == status
                                                            ? mxinfer_last_error()
                                                            : mxinfer_status_name(status));
                         },
                         submit);
                   });
  });
}

mxinfer_status mxinfer_queue_metrics(const mxinfer_queue* queue, mxinfer_call_metrics* metrics) {
  return call([&] {
    const RequestQueue& self = need(queue, "queue").queue;
    write_struct(need(metrics, "metrics"), metrics_of(self.metrics()));
  });
}

void mxinfer_queue_free(mxinfer_queue* queue) {
  delete queue;
}
