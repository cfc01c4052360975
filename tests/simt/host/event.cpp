// Events: a position in the queue of a stream.
#include "simt/host/device.h"
#include "simt/host/errors.h"
#include "simt/host/options.h"
#include "simt/host/stream.h"

struct CUevent_st {
  mxinfer::simt::StreamPointer stream{};  ///< null before it is recorded
  std::uint64_t position = 0;
  std::shared_ptr<mxinfer::simt::Capture> capture{};  ///< it was recorded in
  int not_ready = 0;                                  ///< so many queries say so yet
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

cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned) {
  const auto lock = lock_streams();
  *event = events().add(std::make_shared<CUevent_st>());
  return cudaSuccess;
}

cudaError_t cudaEventDestroy(cudaEvent_t event) {
  const auto lock = lock_streams();
  return remember(events().remove(event) ? cudaSuccess : cudaErrorInvalidResourceHandle);
}

cudaError_t cudaEventRecord(cudaEvent_t event_handle, cudaStream_t stream_handle) {
  const auto lock = lock_streams();
  const StreamPointer stream = find_stream(stream_handle);
  const auto event = events().find(event_handle);
  if (stream == nullptr || event == nullptr) return remember(cudaErrorInvalidResourceHandle);
  event->stream = stream;
  event->position = stream->enqueued;
  event->capture = stream->capture;
  event->not_ready = options().queue ? options().not_ready : 0;
  return cudaSuccess;
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
