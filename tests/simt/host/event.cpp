// Events: a position in the queue of a stream. Those with timing note the time when the work before has been
// done.
#include <chrono>

#include "simt/host/device.h"
#include "simt/host/errors.h"
#include "simt/host/options.h"
#include "simt/host/stream.h"

struct CUevent_st {
  mxinfer::simt::StreamPointer stream{};  ///< null before it is recorded
  std::uint64_t position = 0;
  std::shared_ptr<mxinfer::simt::Capture> capture{};  ///< it was recorded in
  int not_ready = 0;                                  ///< so many queries say so yet
  bool has_timing = false;
  std::chrono::steady_clock::time_point happened{};
};

namespace mxinfer::simt {
namespace {

Handles<CUevent_st>& events() {
  static auto& all = *new Handles<CUevent_st>;
  return all;
}

/// A stream that waits for an event of a capture joins it.
cudaError_t wait_in_capture(const StreamPointer& stream, const CUevent_st& event) {
  if (event.capture == nullptr) {
    stream->capture->is_invalid = true;
    return cudaErrorStreamCaptureIsolation;
  }
  if (stream->capture == event.capture) return cudaSuccess;
  if (stream->capture != nullptr || event.capture->streams.empty()) return cudaErrorStreamCaptureIsolation;
  stream->capture = event.capture;
  event.capture->streams.push_back(stream);
  return cudaSuccess;
}

cudaError_t wait_for(cudaStream_t stream_handle, cudaEvent_t event_handle) {
  auto lock = lock_streams();
  const StreamPointer stream = find_stream(stream_handle);
  const auto event = events().find(event_handle);
  if (stream == nullptr || event == nullptr) return cudaErrorInvalidResourceHandle;
  if (stream->capture != nullptr || event->capture != nullptr) return wait_in_capture(stream, *event);
  if (event->stream == nullptr) return cudaSuccess;
  Work work;
  work.waits_for = event->stream;
  work.position = event->position;
  return add(lock, stream, {std::move(work)});
}

/// Queues that the event notes the time.
cudaError_t add_timing(std::unique_lock<std::mutex>& lock, const StreamPointer& stream,
                       const std::shared_ptr<CUevent_st>& event) {
  Work work;
  work.run = [event] {
    event->happened = std::chrono::steady_clock::now();
    return cudaSuccess;
  };
  return add(lock, stream, {std::move(work)});
}

/// Whether the event is recorded in a stream, with timing.
bool is_timed(const std::shared_ptr<CUevent_st>& event) {
  return event != nullptr && event->has_timing && event->stream != nullptr && event->capture == nullptr;
}

cudaError_t elapsed(float* ms, cudaEvent_t begin_handle, cudaEvent_t end_handle) {
  const auto lock = lock_streams();
  const auto begin = events().find(begin_handle), end = events().find(end_handle);
  if (!is_timed(begin) || !is_timed(end)) return cudaErrorInvalidResourceHandle;
  for (const auto& event : {begin, end}) {
    if (event->stream->done < event->position) return cudaErrorNotReady;
  }
  *ms = std::chrono::duration<float, std::milli>(end->happened - begin->happened).count();
  return cudaSuccess;
}

cudaError_t query(cudaEvent_t handle, bool may_be_late) {
  auto lock = lock_streams();
  const auto event = events().find(handle);
  if (event == nullptr) return cudaErrorInvalidResourceHandle;
  if (event->capture != nullptr) return cudaErrorStreamCaptureUnsupported;
  const StreamPointer stream = event->stream;
  if (stream == nullptr) return cudaSuccess;
  if (may_be_late && stream->done < event->position && event->not_ready-- > 0) return cudaErrorNotReady;
  perform(lock, stream, event->position);
  return take_error(stream->device);
}

}  // namespace
}  // namespace mxinfer::simt

using namespace mxinfer::simt;

cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned flags) {
  const auto lock = lock_streams();
  auto made = std::make_shared<CUevent_st>();
  made->has_timing = (flags & cudaEventDisableTiming) == 0;
  *event = events().add(std::move(made));
  return cudaSuccess;
}

cudaError_t cudaEventDestroy(cudaEvent_t event) {
  const auto lock = lock_streams();
  return remember(events().remove(event) ? cudaSuccess : cudaErrorInvalidResourceHandle);
}

cudaError_t cudaEventRecord(cudaEvent_t event_handle, cudaStream_t stream_handle) {
  auto lock = lock_streams();
  const StreamPointer stream = find_stream(stream_handle);
  const auto event = events().find(event_handle);
  if (stream == nullptr || event == nullptr) return remember(cudaErrorInvalidResourceHandle);
  cudaError_t status = cudaSuccess;
  if (event->has_timing && stream->capture == nullptr) status = add_timing(lock, stream, event);
  event->stream = stream;
  event->position = stream->enqueued;
  event->capture = stream->capture;
  event->not_ready = options().queue ? options().not_ready : 0;
  return remember(status);
}

cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned) {
  return remember(wait_for(stream, event));
}

cudaError_t cudaEventQuery(cudaEvent_t event) {
  return remember(query(event, true));
}

cudaError_t cudaEventSynchronize(cudaEvent_t event) {
  return remember(query(event, false));
}

cudaError_t cudaEventElapsedTime(float* ms, cudaEvent_t begin, cudaEvent_t end) {
  return remember(elapsed(ms, begin, end));
}
