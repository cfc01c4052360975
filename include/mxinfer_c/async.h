// Asynchronous calls: submit work to the bounded queue of a predictor, and take its result later. The options
// of the group "queue" set how much the queue holds, and what happens if it is full.
//
//   mxinfer_request* request = NULL;
//   mxinfer_image_classifier_submit_bytes(classifier, body, body_bytes, 5, NULL, &request);
//   while (!mxinfer_request_ready(request)) draw_next_frame();   // never blocks
//   mxinfer_request_classes(request, &best);
//   mxinfer_request_free(request);
//
// Many at a time: mxinfer_completion_queue collects requests as they end, and has a file descriptor for
// epoll.
//
// Use a request on one thread at a time. Any number of threads may use one completion queue or queue.
#ifndef MXINFER_C_ASYNC_H
#define MXINFER_C_ASYNC_H

#include <mxinfer_c/image_classifier.h>
#include <mxinfer_c/image_segmenter.h>
#include <mxinfer_c/object_detector.h>
#include <mxinfer_c/sequence_predictor.h>
#include <mxinfer_c/text_classifier.h>

/// One submission.
typedef struct mxinfer_request mxinfer_request;

/// Called once when a request has ended, with or without an error, on the thread that ended it: usually a
/// worker of the queue, or the thread that cancelled the request or waited for it. If the request has ended
/// before the submitting function returns, it is called on that thread, after `out` is written. Keep it
/// short. It may take the result and free the request.
typedef void (*mxinfer_done_fn)(mxinfer_request* request, void* user);

/// How to submit. Functions accept NULL, which means all zeros.
typedef struct mxinfer_submit_options {
  size_t struct_size;
  int32_t priority;  ///< 0 normal, 1 high: before all others that wait
  /// 0: borrows inputs, which must live, unchanged, until the request has ended; 1: copies them.
  int32_t copy_inputs;
  /// Nanoseconds from now. Work that has not started by then never starts, and ends with
  /// MXINFER_DEADLINE_EXCEEDED. 0: no deadline.
  int64_t timeout_ns;
  mxinfer_done_fn on_done;  ///< may be NULL
  void* user;               ///< for on_done
} mxinfer_submit_options;

// Submitting never waits for the result. It waits for room in the queue only with the option when_full =
// block. Errors: MXINFER_TOO_MANY_REQUESTS if the queue is full; MXINFER_INVALID_ARGUMENT for a NULL where a
// pointer is needed, an invalid struct, or a name that the model does not have. The request reports every
// other error.

/// Submit what mxinfer_predictor_predict and mxinfer_predictor_predict_into run. Arrays to write into are
/// always borrowed.
MXINFER_C_API mxinfer_status mxinfer_predictor_submit(const mxinfer_predictor* predictor,
                                                      const mxinfer_tensor* inputs, size_t input_count,
                                                      const mxinfer_submit_options* options,
                                                      mxinfer_request** out);
MXINFER_C_API mxinfer_status mxinfer_predictor_submit_into(const mxinfer_predictor* predictor,
                                                           const mxinfer_tensor* inputs, size_t input_count,
                                                           const mxinfer_tensor* outputs, size_t output_count,
                                                           const mxinfer_submit_options* options,
                                                           mxinfer_request** out);
/// Submits what mxinfer_predictor_predict_flat runs. If the number of elements does not fit, the call fails
/// at once.
MXINFER_C_API mxinfer_status mxinfer_predictor_submit_flat(const mxinfer_predictor* predictor,
                                                           const mxinfer_tensor* inputs, size_t input_count,
                                                           const mxinfer_submit_options* options,
                                                           mxinfer_request** out);
/// Submits what mxinfer_classifier_classify runs.
MXINFER_C_API mxinfer_status mxinfer_classifier_submit(const mxinfer_classifier* classifier,
                                                       const float* sample, size_t elements, int32_t top_k,
                                                       const mxinfer_submit_options* options,
                                                       mxinfer_request** out);
/// Submit what mxinfer_image_classifier_classify_file, _bytes and _image run. Pixels are always copied.
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
/// Submits what mxinfer_text_classifier_classify runs. The text is always copied. Waiting texts run as one
/// list if the option max_batch allows it.
MXINFER_C_API mxinfer_status mxinfer_text_classifier_submit(const mxinfer_text_classifier* classifier,
                                                            const char* text, int32_t top_k,
                                                            const mxinfer_submit_options* options,
                                                            mxinfer_request** out);
/// Submit what mxinfer_object_detector_detect_file, _bytes and _image run. Pixels are always copied.
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
/// Submit what mxinfer_image_segmenter_segment_file and _image run. Pixels are always copied.
MXINFER_C_API mxinfer_status mxinfer_image_segmenter_submit_file(const mxinfer_image_segmenter* segmenter,
                                                                 const char* path,
                                                                 const mxinfer_segment_options* segment,
                                                                 const mxinfer_submit_options* options,
                                                                 mxinfer_request** out);
MXINFER_C_API mxinfer_status mxinfer_image_segmenter_submit_image(const mxinfer_image_segmenter* segmenter,
                                                                  const mxinfer_image* image,
                                                                  const mxinfer_segment_options* segment,
                                                                  const mxinfer_submit_options* options,
                                                                  mxinfer_request** out);
/// Submits what mxinfer_sequence_predictor_predict_ids runs. The ids are always copied. Waiting sequences run
/// as one batch if the option max_batch allows it.
MXINFER_C_API mxinfer_status mxinfer_sequence_predictor_submit_ids(
    const mxinfer_sequence_predictor* predictor, const int32_t* ids, size_t count,
    const mxinfer_submit_options* options, mxinfer_request** out);

/// Returns 1 if the request has ended, with or without an error, else 0. Never blocks. Returns 0 once the
/// result was taken.
MXINFER_C_API int mxinfer_request_ready(const mxinfer_request* request);
/// Waits at most `timeout_ns` nanoseconds, or without a limit if that is below 0. Writes 1 or 0 to `ended`,
/// if that is not NULL.
MXINFER_C_API mxinfer_status mxinfer_request_wait(const mxinfer_request* request, int64_t timeout_ns,
                                                  int* ended);
/// Ends the request with MXINFER_CANCELLED. Returns 1 if it had not started: it never will. Returns 0 if it
/// has ended already, or is running; a running request stops soon if it can. Memory that it reads or writes
/// is yours again once it has ended.
MXINFER_C_API int mxinfer_request_cancel(mxinfer_request* request);
/// Wait for the request, and write its result to `out`, or return the error of the work. Take the result
/// once, with the function of its kind: _tensors for mxinfer_predictor_submit, _submit_flat and sequences,
/// _classes for classifiers, _detections for detectors, _segmentations for segmenters. _finish takes no
/// result, and works for any kind.
MXINFER_C_API mxinfer_status mxinfer_request_tensors(mxinfer_request* request, mxinfer_tensors** out);
MXINFER_C_API mxinfer_status mxinfer_request_classes(mxinfer_request* request, mxinfer_classes** out);
MXINFER_C_API mxinfer_status mxinfer_request_detections(mxinfer_request* request, mxinfer_detections** out);
MXINFER_C_API mxinfer_status mxinfer_request_segmentations(mxinfer_request* request,
                                                           mxinfer_segmentations** out);
MXINFER_C_API mxinfer_status mxinfer_request_finish(mxinfer_request* request);
/// Frees the handle and does not stop the work: memory that the work borrows must live until it has ended. If
/// it has on_done, free it only after that was called.
MXINFER_C_API void mxinfer_request_free(mxinfer_request* request);

/// Collects requests in the order in which they end. Any thread may add requests while others take them.
typedef struct mxinfer_completion_queue mxinfer_completion_queue;

MXINFER_C_API mxinfer_status mxinfer_completion_queue_create(mxinfer_completion_queue** out);
/// Takes over the request, with a tag of your own, unless the call fails. Error: MXINFER_INVALID_ARGUMENT if
/// the request has on_done, or its result was taken.
MXINFER_C_API mxinfer_status mxinfer_completion_queue_add(mxinfer_completion_queue* queue, uint64_t tag,
                                                          mxinfer_request* request);
/// Writes the request that ended first to `request`; free it. Waits for it at most `timeout_ns` nanoseconds,
/// or without a limit if that is below 0. Writes NULL if no request has ended by then, and at once if all
/// requests were taken.
MXINFER_C_API mxinfer_status mxinfer_completion_queue_next(mxinfer_completion_queue* queue,
                                                           int64_t timeout_ns, uint64_t* tag,
                                                           mxinfer_request** request);
/// Returns how many requests were added and not yet taken, whether they have ended or not.
MXINFER_C_API size_t mxinfer_completion_queue_size(const mxinfer_completion_queue* queue);
/// Writes a file descriptor to `fd`, for epoll, poll and select. It is readable while an ended request waits
/// to be taken. The queue owns it: do not read or close it.
MXINFER_C_API mxinfer_status mxinfer_completion_queue_fd(mxinfer_completion_queue* queue, int* fd);
/// Waits until all requests that were added have ended, and frees the queue.
MXINFER_C_API void mxinfer_completion_queue_free(mxinfer_completion_queue* queue);

/// A queue for your own work, such as calls of several predictors.
typedef struct mxinfer_queue mxinfer_queue;

/// Your own work. mxinfer_request_finish returns the status that it returns, with the message that
/// mxinfer_last_error() returns on its thread at that moment.
typedef mxinfer_status (*mxinfer_work_fn)(void* user);

/// Creates a queue. Uses the options of the group "queue", except max_batch.
MXINFER_C_API mxinfer_status mxinfer_queue_create(const mxinfer_options* options, mxinfer_queue** out);
/// Runs work(work_user) on a thread of the queue. work_user is borrowed until the request has ended.
MXINFER_C_API mxinfer_status mxinfer_queue_submit(mxinfer_queue* queue, mxinfer_work_fn work, void* work_user,
                                                  const mxinfer_submit_options* options,
                                                  mxinfer_request** out);
MXINFER_C_API mxinfer_status mxinfer_queue_metrics(const mxinfer_queue* queue, mxinfer_call_metrics* metrics);
/// Cancels waiting work, and returns when running work has ended.
MXINFER_C_API void mxinfer_queue_free(mxinfer_queue* queue);

#endif
