// Device: memory for a plan's values, and streams that work on it in order. A GPU is a device, or a test's
// double. The CPU is none: it uses the memory of the process.
//
//   std::unique_ptr<device::Buffer> memory = gpu->allocate(bytes);
//   std::unique_ptr<device::Stream> stream = gpu->new_stream();
//   stream->copy_to_device(memory->data(), values, bytes);
//   stream->synchronize();
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string>

#include "kernels/common/precision.h"
#include "kernels/copy/copy.h"

namespace mxinfer::device {

/// The kind of device that a graph is optimised for.
enum class Kind : std::uint8_t { cpu, cuda };

/// Memory of a device, 64-byte aligned. Its address is the device's: host code must not read or write it.
/// The contents start undefined.
class Buffer {
 public:
  virtual ~Buffer() = default;
  virtual std::byte* data() const noexcept = 0;
  virtual std::size_t bytes() const noexcept = 0;
};

/// A point in a stream.
class Event {
 public:
  virtual ~Event() = default;
  /// Waits until the stream has passed it; returns at once if it was never recorded.
  virtual void synchronize() = 0;
};

/// Recorded work that can be enqueued repeatedly as a whole, with the same addresses.
class Recording {
 public:
  virtual ~Recording() = default;
  /// Enqueues it in the stream that it was recorded from.
  virtual void replay() = 0;
};

/// A queue of work that a device does in order. Only one thread at a time may use a stream.
class Stream {
 public:
  virtual ~Stream() = default;
  /// Enqueues a copy. The host memory must stay as it is until the copy has ended.
  virtual void copy_to_device(void* device, const void* host, std::size_t bytes) = 0;
  /// Likewise; the host may read the memory after synchronize().
  virtual void copy_to_host(void* host, const void* device, std::size_t bytes) = 0;
  /// Likewise, within the device's memory.
  virtual void copy_on_device(void* to, const void* from, std::size_t bytes) = 0;
  /// Records the event behind all enqueued work.
  virtual void mark(Event& event) = 0;
  /// Work enqueued from now on waits for the event, unless it was never recorded.
  virtual void wait_for(const Event& event) = 0;
  /// Enqueues a copy within the device's memory, as kernels/copy/copy.h says; `simplified` is what simplify()
  /// returned. Operators that only move elements run on every device with this.
  virtual void copy_strided(const kernels::CopyArgs& simplified, std::size_t element_bytes, const void* src,
                            void* dst) = 0;
  /// The same, but fills with one element, the first bytes of `element`.
  virtual void fill_strided(const kernels::CopyArgs& simplified, std::size_t element_bytes,
                            std::uint64_t element, void* dst) = 0;
  /// Records what `enqueue` enqueues in this stream instead of running it. Returns null, without calling
  /// `enqueue`, if the device cannot record. Precondition: enqueue() does not synchronise.
  virtual std::unique_ptr<Recording> record(const std::function<void()>& enqueue) = 0;
  /// Calls function(argument) on some thread when all enqueued work has ended, unless the device fails. The
  /// function must neither throw nor call the device.
  virtual void call_behind(void (*function)(void*), void* argument) = 0;
  /// Whether the work failed, or the device. Does not wait.
  virtual bool has_failed() noexcept = 0;
  /// Waits for all enqueued work. Throws if it failed.
  virtual void synchronize() = 0;
};

class MemoryPool;

/// Thread-safe.
class Device {
 public:
  Device();
  virtual ~Device();
  Device(const Device&) = delete;
  Device& operator=(const Device&) = delete;
  virtual std::string name() const = 0;  ///< "cuda:0"
  /// Throws Error(out_of_memory) if the device does not have that many free bytes.
  virtual std::unique_ptr<Buffer> allocate(std::size_t bytes) = 0;
  virtual std::unique_ptr<Stream> new_stream() = 0;
  /// Wraps a stream that the caller owns: a cudaStream_t.
  virtual std::unique_ptr<Stream> stream_of(void* native) = 0;
  virtual std::unique_ptr<Event> new_event() = 0;
  /// Host memory with the fastest copies to and from the device (pinned); the host may use data().
  virtual std::unique_ptr<Buffer> allocate_staging(std::size_t bytes) = 0;
  /// Whether host memory is such memory, of allocate_staging() or of the program.
  virtual bool is_staging(const void* /*host*/) const { return false; }
  /// The layout and operators that its kernels need.
  virtual Kind kind() const { return Kind::cpu; }
  /// Whether its kernels compute products in this precision.
  virtual bool has_precision(kernels::Precision precision) const {
    return precision == kernels::Precision::float32;
  }

  /// How many calls of the process run on it (device_place.h).
  std::atomic<int>& calls() { return calls_; }
  /// Of the memory in which calls work (memory_pool.h).
  MemoryPool& pool() { return *pool_; }
  /// Whether nothing can run on it any more in this process.
  bool is_lost() const { return is_lost_.load(std::memory_order_relaxed); }
  /// "it failed at waiting for its work: ...". Precondition: is_lost().
  std::string reason_of_loss() const;

 protected:
  /// From now on it is lost. Only the first reason counts.
  void lose(const std::string& reason) const;

 private:
  std::unique_ptr<MemoryPool> pool_;
  std::atomic<int> calls_{0};
  mutable std::atomic<bool> is_lost_{false};
  mutable std::mutex mutex_{};
  mutable std::string reason_{};
};

/// The CPU's stream: a step has ended when it returns, and its loops run in the calling thread's arena
/// (base/threads/thread_arena.h). Stateless, so any thread may use it.
Stream& cpu_stream();

}  // namespace mxinfer::device
