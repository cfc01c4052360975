// Asynchronous calls: work that is submitted to the bounded queue of a predictor, and whose result is ready
// later. The options of the group "queue" say how much the queue holds, and what happens to more.
//
//   mxinfer_request* request = NULL;
//   mxinfer_image_classifier_submit_bytes(classifier, body, body_bytes, 5, NULL, &request);
//   while (!mxinfer_request_ready(request)) draw_next_frame();   // never blocks
//   mxinfer_request_classes(request, &best);
//   mxinfer_request_free(request);
//
// Many at a time: mxinfer_completion_queue collects requests as they end, and has a file descriptor for
// epoll.
#ifndef MXINFER_C_ASYNC_H
#define MXINFER_C_ASYNC_H

#include <mxinfer_c/image_classifier.h>
#include <mxinfer_c/object_detector.h>
#include <mxinfer_c/text_classifier.h>

/// One submission.
typedef struct mxinfer_request mxinfer_request;

/// Called once when a request has ended, whatever the outcome, on the thread that ended it: a worker of the
/// queue as a rule, or one that cancelled it or waited for it; the submitting one, before submitting returns
/// but after it has written `out`, if it has ended by then. It should be short. It may take the result and
/// free the request.
typedef void (*mxinfer_done_fn)(mxinfer_request* request, void* user);

/// Of one submission. Where a function takes it, NULL stands for all zeros.
typedef struct mxinfer_submit_options {
  size_t struct_size;
  int32_t priority;  ///< 0 normal, 1 high: before all others that wait
  /// 0: inputs are borrowed and must live, unchanged, until the request has ended; 1: they are copied.
  int32_t copy_inputs;
  /// What has not started so many nanoseconds from now never does, and ends with MXINFER_DEADLINE_EXCEEDED;
  /// 0: no deadline.
  int64_t timeout_ns;
  mxinfer_done_fn on_done;  ///< may be NULL
  void* user;               ///< for on_done
} mxinfer_submit_options;

// Submitting never waits for the result; for room in the queue it waits only with the option when_full =
// block. MXINFER_TOO_MANY_REQUESTS: the queue is full. MXINFER_INVALID_ARGUMENT: NULL where something is
// needed, a struct that makes no sense, a name that the model does not have. What else is wrong comes with
// the request.

/// As mxinfer_predictor_predict and mxinfer_predictor_predict_into. Arrays that are to be written into are
/// borrowed in any case.
MXINFER_C_API mxinfer_status mxinfer_predictor_submit(const mxinfer_predictor* predictor,
                                                      const mxinfer_tensor* inputs, size_t input_count,
                                                      const mxinfer_submit_options* options,
                                                      mxinfer_request** out);
MXINFER_C_API mxinfer_status mxinfer_predictor_submit_into(const mxinfer_predictor* predictor,
                                                           const mxinfer_tensor* inputs, size_t input_count,
                                                           const mxinfer_tensor* outputs, size_t output_count,
                                                           const mxinfer_submit_options* options,
                                                           mxinfer_request** out);
/// As mxinfer_predictor_predict_flat. A number of elements that does not fit is told at once.
MXINFER_C_API mxinfer_status mxinfer_predictor_submit_flat(const mxinfer_predictor* predictor,
                                                           const mxinfer_tensor* inputs, size_t input_count,
                                                           const mxinfer_submit_options* options,
                                                           mxinfer_request** out);
/// As mxinfer_classifier_classify.
MXINFER_C_API mxinfer_status mxinfer_classifier_submit(const mxinfer_classifier* classifier,
                                                       const float* sample, size_t elements, int32_t top_k,
                                                       const mxinfer_submit_options* options,
                                                       mxinfer_request** out);
/// As mxinfer_image_classifier_classify_file, _bytes and _image. Pixels are copied in any case.
MXINFER_C_API mxinfer_status mxinfer_image_classifier_submit_file(const mxinfer_image_classifier* classifier,
                                                                  const char* path, int32_t top_k,
                                                                  const mxinfer_submit_options* options,
                                                                  mxinfer_request** out);
MXINFER_C_API mxinfer_status mxinfer_image_classifier_submit_bytes(const mxinfer_image_classifier* classifier,
                                                                   const void* encoded, size_t bytes,
                                                                   int32_t top_k,
                                                                   const mxinfer_submit_options* options,
                                                                   mxinfer_request** out);
MXINFER_C_API mxinfer_status mxinfer_image_classifier_submit_image(const mxinfer_image_classifier* classifier,
                                                                   const mxinfer_image* image, int32_t top_k,
                                                                   const mxinfer_submit_options* options,
                                                                   mxinfer_request** out);
/// As mxinfer_text_classifier_classify. The text is copied in any case; what waits runs as one list where the
/// option max_batch allows.
MXINFER_C_API mxinfer_status mxinfer_text_classifier_submit(const mxinfer_text_classifier* classifier,
                                                            const char* text, int32_t top_k,
                                                            const mxinfer_submit_options* options,
                                                            mxinfer_request** out);
/// As mxinfer_object_detector_detect_file, _bytes and _image.
MXINFER_C_API mxinfer_status mxinfer_object_detector_submit_file(const mxinfer_object_detector* detector,
                                                                 const char* path,
                                                                 const mxinfer_detect_options* detect,
                                                                 const mxinfer_submit_options* options,
                                                                 mxinfer_request** out);
MXINFER_C_API mxinfer_status mxinfer_object_detector_submit_bytes(const mxinfer_object_detector* detector,
                                                                  const void* encoded, size_t bytes,
                                                                  const mxinfer_detect_options* detect,
                                                                  const mxinfer_submit_options* options,
                                                                  mxinfer_request** out);
MXINFER_C_API mxinfer_status mxinfer_object_detector_submit_image(const mxinfer_object_detector* detector,
                                                                  const mxinfer_image* image,
                                                                  const mxinfer_detect_options* detect,
                                                                  const mxinfer_submit_options* options,
                                                                  mxinfer_request** out);

/// Whether it has ended, well or not: 1 or 0. Never blocks. Not of a request whose result was taken: 0.
MXINFER_C_API int mxinfer_request_ready(const mxinfer_request* request);
/// Waits at most so many nanoseconds, below 0 without a limit; `*ended`, if not NULL, gets 1 or 0.
MXINFER_C_API mxinfer_status mxinfer_request_wait(const mxinfer_request* request, int64_t timeout_ns,
                                                  int* ended);
/// Ends it with MXINFER_CANCELLED. 1: it had not started and never will; 0: it has ended before, or it runs,
/// and then stops soon if it can. Memory that it reads or writes is the caller's again once it has ended.
MXINFER_C_API int mxinfer_request_cancel(mxinfer_request* request);
/// Waits, and gives the result, or the error of what was submitted. It can be taken once, by the function of
/// its kind: _tensors of mxinfer_predictor_submit and _submit_flat, _classes of classifiers, _detections of
/// detectors; _finish gives no result, of any kind.
MXINFER_C_API mxinfer_status mxinfer_request_tensors(mxinfer_request* request, mxinfer_tensors** out);
MXINFER_C_API mxinfer_status mxinfer_request_classes(mxinfer_request* request, mxinfer_classes** out);
MXINFER_C_API mxinfer_status mxinfer_request_detections(mxinfer_request* request, mxinfer_detections** out);
MXINFER_C_API mxinfer_status mxinfer_request_finish(mxinfer_request* request);
/// Does not stop the work: what it borrows must live until it has ended. With on_done, not before that was
/// called.
MXINFER_C_API void mxinfer_request_free(mxinfer_request* request);

/// Collects requests as they end, whichever ends first. Any thread may add while others take.
typedef struct mxinfer_completion_queue mxinfer_completion_queue;

MXINFER_C_API mxinfer_status mxinfer_completion_queue_create(mxinfer_completion_queue** out);
/// Takes the request over, with a tag of the caller's, unless it fails. MXINFER_INVALID_ARGUMENT: one with
/// on_done, or whose result was taken.
MXINFER_C_API mxinfer_status mxinfer_completion_queue_add(mxinfer_completion_queue* queue, uint64_t tag,
                                                          mxinfer_request* request);
/// One that has ended, the first that did, to be freed by the caller: waits at most so many nanoseconds for
/// it, below 0 without a limit. `*request` gets NULL if there is none by then, and at once if all that was
/// added was taken.
MXINFER_C_API mxinfer_status mxinfer_completion_queue_next(mxinfer_completion_queue* queue,
                                                           int64_t timeout_ns, uint64_t* tag,
                                                           mxinfer_request** request);
/// Those that were added and not taken, ended or not.
MXINFER_C_API size_t mxinfer_completion_queue_size(const mxinfer_completion_queue* queue);
/// A file descriptor that is readable while one that has ended waits to be taken, for epoll, poll and select.
/// It is the queue's: do not read or close it.
MXINFER_C_API mxinfer_status mxinfer_completion_queue_fd(mxinfer_completion_queue* queue, int* fd);
/// Waits until all that was added has ended, and frees it.
MXINFER_C_API void mxinfer_completion_queue_free(mxinfer_completion_queue* queue);

/// A queue of its own, for work of the caller around several predictors.
typedef struct mxinfer_queue mxinfer_queue;

/// Work of the caller: what it returns becomes that of mxinfer_request_finish, with the message that is
/// mxinfer_last_error() then.
typedef mxinfer_status (*mxinfer_work_fn)(void* user);

/// With the options of the group "queue" but max_batch.
MXINFER_C_API mxinfer_status mxinfer_queue_create(const mxinfer_options* options, mxinfer_queue** out);
/// Runs work(work_user) on a thread of the queue; work_user is borrowed until the request has ended.
MXINFER_C_API mxinfer_status mxinfer_queue_submit(mxinfer_queue* queue, mxinfer_work_fn work, void* work_user,
                                                  const mxinfer_submit_options* options,
                                                  mxinfer_request** out);
MXINFER_C_API mxinfer_status mxinfer_queue_metrics(const mxinfer_queue* queue, mxinfer_call_metrics* metrics);
/// Cancels what waits, and returns when all that ran has ended.
MXINFER_C_API void mxinfer_queue_free(mxinfer_queue* queue);

#endif
