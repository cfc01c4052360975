// Device: memory that a plan's values may live in, and streams that work on it in order. The CPU's memory is
// the process's own and needs none; a GPU, or a test's, is one.
//
//   std::unique_ptr<device::Buffer> memory = gpu->allocate(bytes);
//   std::unique_ptr<device::Stream> stream = gpu->new_stream();
//   stream->copy_to_device(memory->data(), values, bytes);
//   stream->synchronize();
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "kernels/common/precision.h"
#include "kernels/copy/copy.h"

namespace mxinfer::device {

/// What kind of device a graph is made fast for.
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
  /// Returns when it has been passed, at once if it is in no stream.
  virtual void synchronize() = 0;
};

/// Work that was recorded once, and is enqueued at once again and again, with the same addresses.
class Recording {
 public:
  virtual ~Recording() = default;
  /// Enqueues it in the stream that it was recorded of.
  virtual void replay() = 0;
};

/// Work that a device does in the order in which it was enqueued. One thread at a time uses a stream.
class Stream {
 public:
  virtual ~Stream() = default;
  /// Enqueues a copy. The host memory must stay as it is until the copy has ended.
  virtual void copy_to_device(void* device, const void* host, std::size_t bytes) = 0;
  /// Likewise; the host may read the memory after synchronize().
  virtual void copy_to_host(void* host, const void* device, std::size_t bytes) = 0;
  /// Likewise, within the device's memory.
  virtual void copy_on_device(void* to, const void* from, std::size_t bytes) = 0;
  /// Puts the event behind all that was enqueued.
  virtual void mark(Event& event) = 0;
  /// What is enqueued from now on begins when the event has been passed, at once if it is in no stream.
  virtual void wait_for(const Event& event) = 0;
  /// Enqueues a copy within the device's memory, as kernels/copy/copy.h says; `simplified` is what simplify()
  /// returned. What only moves elements runs on every device by this.
  virtual void copy_strided(const kernels::CopyArgs& simplified, std::size_t element_bytes, const void* src,
                            void* dst) = 0;
  /// The same with one element, the first bytes of `element`, for all.
  virtual void fill_strided(const kernels::CopyArgs& simplified, std::size_t element_bytes,
                            std::uint64_t element, void* dst) = 0;
  /// Records what `enqueue` enqueues in this stream, instead of doing it. Null if the device records nothing;
  /// `enqueue` was not called then. Precondition: enqueue() does not synchronise.
  virtual std::unique_ptr<Recording> record(const std::function<void()>& enqueue) = 0;
  /// Has function(argument) called on some thread when all that was enqueued has ended, unless the device
  /// fails. The function must not throw, nor call the device.
  virtual void call_behind(void (*function)(void*), void* argument) = 0;
  /// Whether the work failed, or the device. Does not wait.
  virtual bool has_failed() noexcept = 0;
  /// Returns when all that was enqueued has ended. Throws what the work failed of.
  virtual void synchronize() = 0;
};

/// Thread-safe.
class Device {
 public:
  virtual ~Device() = default;
  virtual std::string name() const = 0;  ///< "cuda:0"
  /// Throws Error(out_of_memory) if the device has not so many bytes.
  virtual std::unique_ptr<Buffer> allocate(std::size_t bytes) = 0;
  virtual std::unique_ptr<Stream> new_stream() = 0;
  /// A stream of the caller's, who keeps it: a cudaStream_t.
  virtual std::unique_ptr<Stream> stream_of(void* native) = 0;
  virtual std::unique_ptr<Event> new_event() = 0;
  /// Memory of the process that the device copies from and to fastest; data() may be read and written.
  virtual std::unique_ptr<Buffer> allocate_staging(std::size_t bytes) = 0;
  /// Which layout and operators its kernels want.
  virtual Kind kind() const { return Kind::cpu; }
  /// Whether its kernels compute products so.
  virtual bool has_precision(kernels::Precision precision) const {
    return precision == kernels::Precision::float32;
  }
};

/// The CPU's stream: a step has ended when it returns, and its loops run in the thread arena that the calling
/// thread is in (base/threads/thread_arena.h). Stateless, so that any thread may use it.
Stream& cpu_stream();

}  // namespace mxinfer::device
