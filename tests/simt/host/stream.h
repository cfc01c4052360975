// Streams: what is enqueued waits in a queue until somebody waits for it, so that a missing wait shows. Work
// runs on the thread that waits; functions of the host run on a thread of the emulator's own, which also does
// what stands before them.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <unordered_map>
#include <vector>

#include "simt/host/runtime_api.h"

namespace mxinfer::simt {

using StreamPointer = std::shared_ptr<CUstream_st>;

/// What stands in a queue. It may run often, as part of a graph.
struct Work {
  std::function<cudaError_t()> run{};
  bool is_host_function = false;
  StreamPointer waits_for{};  ///< this stream, up to that position; then `run` is empty
  std::uint64_t position = 0;
};

/// What streams record instead of queueing it.
struct Capture {
  std::vector<Work> works;
  std::vector<StreamPointer> streams;  ///< the first has begun it
  cudaStreamCaptureMode mode = cudaStreamCaptureModeGlobal;
  std::thread::id thread;
  bool is_invalid = false;
};

/// Queues `run` in the stream (null: the default stream of the calling thread's device).
cudaError_t enqueue_work(cudaStream_t stream, std::function<cudaError_t()> run);

/// Returns when all that is queued on the device has been done. Errors are kept for others.
void finish_device(int device);

/// Whether the calling thread may not allocate memory, since it or, in global mode, any thread captures.
bool is_unsafe_in_capture();

// The following are for streams, events and graphs, with the lock of streams_mutex().

std::unique_lock<std::mutex> lock_streams();
/// Null if it is no stream.
StreamPointer find_stream(cudaStream_t stream);
/// Queues or records works; with Options::queue off, does them.
cudaError_t add(std::unique_lock<std::mutex>& lock, const StreamPointer& stream, std::vector<Work> works);
/// Does what stands in the queue before `position`.
void perform(std::unique_lock<std::mutex>& lock, const StreamPointer& stream, std::uint64_t position);
/// The same, up to a function of the host or what another thread does just now. Whether all of it is done.
bool perform_without_host(std::unique_lock<std::mutex>& lock, const StreamPointer& stream,
                          std::uint64_t position);
/// The error of a device's work, which is forgotten.
cudaError_t take_error(int device);
void end_capture(const std::shared_ptr<Capture>& capture);
void begin_unsafe(const Capture& capture);

/// Objects by the handles that the caller has of them.
template <typename T>
class Handles {
 public:
  std::shared_ptr<T> find(T* handle) const {
    const auto found = all_.find(handle);
    return found == all_.end() ? nullptr : found->second;
  }
  T* add(std::shared_ptr<T> object) {
    T* handle = object.get();
    all_.emplace(handle, std::move(object));
    return handle;
  }
  bool remove(T* handle) { return all_.erase(handle) > 0; }
  const std::unordered_map<T*, std::shared_ptr<T>>& all() const { return all_; }

 private:
  std::unordered_map<T*, std::shared_ptr<T>> all_;
};

}  // namespace mxinfer::simt

struct CUstream_st {
  int device = 0;
  std::deque<mxinfer::simt::Work> queue{};
  std::uint64_t enqueued = 0, done = 0;  ///< how many works
  bool is_busy = false;                  ///< a thread does the first of the queue
  std::shared_ptr<mxinfer::simt::Capture> capture{};
};
