// WeightUpload: copies weights to a device, from the threads of an arena. A thread reads or packs a weight
// into pinned memory while the device copies those before.
//
//   WeightUpload upload(threads, bytes);
//   auto there = upload.send(device, to, bytes, [&](std::byte* memory) { pack(weight, memory); });
//   there->synchronize();                                         // now the weight is on the device
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <mutex>
#include <vector>

#include "base/files/aligned_memory.h"
#include "base/function_ref.h"
#include "device/device.h"

namespace mxinfer::plan {

/// Thread-safe, for the threads of one arena.
class WeightUpload {
 public:
  /// For an arena of `threads`, and `bytes` in all.
  WeightUpload(int threads, std::size_t bytes);
  /// Waits for all copies.
  ~WeightUpload();
  WeightUpload(const WeightUpload&) = delete;
  WeightUpload& operator=(const WeightUpload&) = delete;

  /// Calls fill(memory), which writes `bytes` bytes, and enqueues their copy to `to`. Returns an event behind
  /// the copy. Precondition: `device` is that of the first call.
  std::shared_ptr<device::Event> send(device::Device& device, std::byte* to, std::size_t bytes,
                                      FunctionRef<void(std::byte*)> fill);
  /// The same to memory of its own, for pack(stream, memory), which enqueues what reads it. The event is
  /// behind that. Null, and nothing has been called, if the device has no such memory free.
  std::shared_ptr<device::Event> send_and_pack(device::Device& device, std::size_t bytes,
                                               FunctionRef<void(std::byte*)> fill,
                                               FunctionRef<void(device::Stream&, const std::byte*)> pack);

 private:
  /// Pinned memory that is filled from its start to its end.
  struct Staging {
    std::unique_ptr<device::Buffer> memory{};
    std::size_t used = 0;
    std::shared_ptr<device::Event> last{};  ///< behind the last copy from there
  };
  /// Of one thread: the device copies from one staging memory while the thread fills the other.
  struct Lane {
    std::array<Staging, 2> staging{};
    std::size_t current = 0;
    AlignedBuffer large{};                     ///< for weights that are larger than staging memory
    std::unique_ptr<device::Buffer> stored{};  ///< of the device, for weights that are packed there
    std::shared_ptr<device::Event> packed{};   ///< behind the last kernel that reads it
  };

  /// Room for `bytes`, at most staging_bytes_, once the device has copied what was there.
  std::byte* room(device::Device& device, Lane& lane, std::size_t bytes) const;
  /// Memory of the device for a weight that is packed there. False if the device has none.
  static bool take_memory(device::Device& device, Lane& lane, std::size_t bytes);
  std::shared_ptr<device::Event> enqueue(device::Device& device, Lane& lane, std::byte* to,
                                         const std::byte* from, std::size_t bytes);

  std::size_t staging_bytes_;
  std::vector<Lane> lanes_;  ///< by thread of the arena
  std::mutex mutex_;         ///< of the stream
  /// One for all, because creating a stream takes longer than copying most weights.
  std::unique_ptr<device::Stream> stream_{};
};

}  // namespace mxinfer::plan
