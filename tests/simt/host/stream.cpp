#include "simt/host/stream.h"

#include <atomic>
#include <condition_variable>
#include <map>

#include "simt/host/device.h"
#include "simt/host/errors.h"
#include "simt/host/options.h"

namespace mxinfer::simt {
namespace {

struct Streams {
  std::mutex mutex;
  std::condition_variable changed;
  Handles<CUstream_st> all;
  std::map<int, StreamPointer> default_streams;
  std::map<int, cudaError_t> errors;  ///< by device
  // For the thread that calls functions of the host.
  std::deque<std::pair<StreamPointer, std::uint64_t>> requests;
  bool has_thread = false;
};

// Never destroyed: the thread below may outlive main().
Streams& streams() {
  static Streams& all = *new Streams;
  return all;
}

thread_local bool calls_host_functions = false;
thread_local int captures_of_thread = 0;
std::atomic<int> global_captures{0};

void serve_requests() {
  calls_host_functions = true;
  Streams& all = streams();
  std::unique_lock lock(all.mutex);
  for (;;) {
    all.changed.wait(lock, [&] { return !all.requests.empty(); });
    const auto [stream, position] = all.requests.front();
    all.requests.pop_front();
    perform(lock, stream, position);
  }
}

/// Has the emulator's thread do what stands before `position`.
void request(const StreamPointer& stream, std::uint64_t position) {
  Streams& all = streams();
  all.requests.emplace_back(stream, position);
  if (!all.has_thread) std::thread(serve_requests).detach();
  all.has_thread = true;
  all.changed.notify_all();
}

bool has_host_function(const CUstream_st& stream) {
  for (const Work& work : stream.queue) {
    if (work.is_host_function) return true;
  }
  return false;
}

/// Does the first of the queue, without the lock.
void perform_first(std::unique_lock<std::mutex>& lock, CUstream_st& stream) {
  cudaError_t& error = streams().errors[stream.device];
  const bool is_lost = options().is_lost(stream.device);
  const Work work = std::move(stream.queue.front());
  stream.is_busy = true;
  // After an error only the host hears of it.
  if (!is_lost && (error == cudaSuccess || work.is_host_function)) {
    lock.unlock();
    const cudaError_t status = work.run();
    lock.lock();
    if (error == cudaSuccess) error = status;
  }
  stream.is_busy = false;
}

void pop_first(CUstream_st& stream) {
  stream.queue.pop_front();
  ++stream.done;
  streams().changed.notify_all();
}

}  // namespace

std::unique_lock<std::mutex> lock_streams() {
  return std::unique_lock(streams().mutex);
}

StreamPointer find_stream(cudaStream_t stream) {
  if (stream != nullptr) return streams().all.find(stream);
  StreamPointer& found = streams().default_streams[current_device()];
  if (found == nullptr) {
    found = std::make_shared<CUstream_st>();
    found->device = current_device();
  }
  return found;
}

void perform(std::unique_lock<std::mutex>& lock, const StreamPointer& stream, std::uint64_t position) {
  Streams& all = streams();
  while (stream->done < position) {
    if (stream->is_busy) {
      all.changed.wait(lock);
      continue;
    }
    const Work& first = stream->queue.front();
    if (first.waits_for != nullptr) {
      const StreamPointer other = first.waits_for;
      const std::uint64_t place = stream->done;
      perform(lock, other, first.position);
      // Another thread may have gone on meanwhile.
      if (stream->done == place && !stream->is_busy) pop_first(*stream);
    } else if (first.is_host_function && !calls_host_functions) {
      const std::uint64_t place = stream->done;
      request(stream, place + 1);
      all.changed.wait(lock, [&] { return stream->done > place; });
    } else {
      perform_first(lock, *stream);
      pop_first(*stream);
    }
  }
}

bool perform_without_host(std::unique_lock<std::mutex>& lock, const StreamPointer& stream,
                          std::uint64_t position) {
  while (stream->done < position) {
    if (stream->is_busy) return false;
    const Work& first = stream->queue.front();
    if (first.is_host_function) return false;
    if (first.waits_for == nullptr) {
      perform_first(lock, *stream);
      pop_first(*stream);
      continue;
    }
    const StreamPointer other = first.waits_for;
    const std::uint64_t place = stream->done;
    if (!perform_without_host(lock, other, first.position)) return false;
    // Another thread may have gone on meanwhile.
    if (stream->done == place && !stream->is_busy) pop_first(*stream);
  }
  return true;
}

cudaError_t take_error(int device) {
  if (options().is_lost(device)) return cudaErrorLaunchFailure;
  cudaError_t& error = streams().errors[device];
  const cudaError_t taken = error;
  error = cudaSuccess;
  return taken;
}

cudaError_t add(std::unique_lock<std::mutex>& lock, const StreamPointer& stream, std::vector<Work> works) {
  if (options().is_lost(stream->device)) return cudaErrorLaunchFailure;
  if (stream->capture != nullptr) {
    for (Work& work : works) stream->capture->works.push_back(std::move(work));
    return cudaSuccess;
  }
  bool calls_host = false;
  for (Work& work : works) {
    calls_host = calls_host || work.is_host_function;
    stream->queue.push_back(std::move(work));
    ++stream->enqueued;
  }
  if (calls_host) request(stream, stream->enqueued);
  if (options().queue) return cudaSuccess;
  if (has_host_function(*stream)) {
    request(stream, stream->enqueued);
    return cudaSuccess;
  }
  perform(lock, stream, stream->enqueued);
  return take_error(stream->device);
}

cudaError_t enqueue_work(cudaStream_t handle, std::function<cudaError_t()> run) {
  auto lock = lock_streams();
  const StreamPointer stream = find_stream(handle);
  if (stream == nullptr) return cudaErrorInvalidResourceHandle;
  return add(lock, stream, {Work{std::move(run)}});
}

void finish_device(int device) {
  auto lock = lock_streams();
  std::vector<StreamPointer> of_device;
  for (const auto& [handle, stream] : streams().all.all()) of_device.push_back(stream);
  for (const auto& [number, stream] : streams().default_streams) of_device.push_back(stream);
  for (const StreamPointer& stream : of_device) {
    if (stream->device == device) perform(lock, stream, stream->enqueued);
  }
}

bool is_unsafe_in_capture() {
  return captures_of_thread > 0 || global_captures > 0;
}

void begin_unsafe(const Capture& capture) {
  if (capture.mode == cudaStreamCaptureModeGlobal) ++global_captures;
  if (capture.mode == cudaStreamCaptureModeThreadLocal) ++captures_of_thread;
}

void end_capture(const std::shared_ptr<Capture>& capture) {
  for (const StreamPointer& stream : capture->streams) stream->capture = nullptr;
  if (capture->mode == cudaStreamCaptureModeGlobal) --global_captures;
  if (capture->mode == cudaStreamCaptureModeThreadLocal) --captures_of_thread;
}

namespace {

/// A stream that is captured cannot be waited for or asked, and what is captured is lost.
cudaError_t end_what_is_captured(const StreamPointer& stream) {
  if (stream == nullptr) return cudaErrorInvalidResourceHandle;
  if (stream->capture == nullptr) return cudaSuccess;
  stream->capture->is_invalid = true;
  return cudaErrorStreamCaptureUnsupported;
}

}  // namespace
}  // namespace mxinfer::simt

using namespace mxinfer::simt;

cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned) {
  if (options().is_lost(current_device())) return remember(cudaErrorLaunchFailure);
  const auto lock = lock_streams();
  auto made = std::make_shared<CUstream_st>();
  made->device = current_device();
  *stream = streams().all.add(std::move(made));
  return cudaSuccess;
}

cudaError_t cudaStreamDestroy(cudaStream_t handle) {
  auto lock = lock_streams();
  const StreamPointer stream = handle == nullptr ? nullptr : find_stream(handle);
  if (stream == nullptr) return remember(cudaErrorInvalidResourceHandle);
  if (stream->capture != nullptr) end_capture(std::shared_ptr(stream->capture));
  perform(lock, stream, stream->enqueued);
  streams().all.remove(handle);
  return cudaSuccess;
}

cudaError_t cudaStreamSynchronize(cudaStream_t handle) {
  auto lock = lock_streams();
  const StreamPointer stream = find_stream(handle);
  if (const cudaError_t error = end_what_is_captured(stream); error != cudaSuccess) return remember(error);
  perform(lock, stream, stream->enqueued);
  return remember(take_error(stream->device));
}

// It does what synchronizing does but for functions of the host, which may take as long as they like.
cudaError_t cudaStreamQuery(cudaStream_t handle) {
  auto lock = lock_streams();
  const StreamPointer stream = find_stream(handle);
  if (const cudaError_t error = end_what_is_captured(stream); error != cudaSuccess) return remember(error);
  const bool is_done = perform_without_host(lock, stream, stream->enqueued);
  const cudaError_t error = take_error(stream->device);
  if (error == cudaSuccess && !is_done) return cudaErrorNotReady;
  return remember(error);
}

cudaError_t cudaDeviceSynchronize() {
  if (is_unsafe_in_capture()) return remember(cudaErrorStreamCaptureUnsupported);
  finish_device(current_device());
  const auto lock = lock_streams();
  return remember(take_error(current_device()));
}

cudaError_t cudaLaunchHostFunc(cudaStream_t handle, cudaHostFn_t function, void* argument) {
  auto lock = lock_streams();
  const StreamPointer stream = find_stream(handle);
  if (stream == nullptr) return remember(cudaErrorInvalidResourceHandle);
  Work work;
  work.is_host_function = true;
  work.run = [function, argument] {
    function(argument);
    return cudaSuccess;
  };
  return remember(add(lock, stream, {std::move(work)}));
}
