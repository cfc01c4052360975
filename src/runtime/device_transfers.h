// DeviceTransfers: the inputs of a call on their way to the device, and its outputs on their way back. Arrays
// go in pieces through pinned staging memory: several threads copy a piece while the device copies the piece
// before. An array that is pinned already goes directly.
//
//   DeviceTransfers transfers(plan);
//   transfers.upload(inputs, staged_inputs, memory->data(), *stream, Sources::live);
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "device/device.h"
#include "plan/transfers.h"

namespace mxinfer::runtime {

/// Copies on the threads of this thread's arena. The arrays must not overlap.
void copy_by_threads(void* to, const void* from, std::size_t bytes);

/// How long the caller's inputs stay as they are.
enum class Sources : std::uint8_t {
  live,     ///< until the work has ended
  passing,  ///< until upload() returns
};

class DeviceTransfers {
 public:
  /// `plan`, which has a device, must outlive it.
  explicit DeviceTransfers(const plan::Plan& plan);

  /// The steps that are left: [first_step, last_step).
  std::size_t first_step() const { return transfers_.first; }
  std::size_t last_step() const { return transfers_.last; }

  /// Brings all inputs into staging memory, and enqueues the copies of those that begin on the device. An
  /// input that is its own staging memory is there already.
  void upload(const void* const* inputs, void* const* staged, std::byte* device, device::Stream& stream,
              Sources sources) const;
  /// Enqueues the copies of outputs into staging memory, each as a whole.
  void enqueue_downloads(void* const* staged, const std::byte* device, device::Stream& stream) const;
  /// Brings outputs from the device to the caller's memory, or leaves those in staging memory that other
  /// outputs are copied from. Waits for them, but not for the stream.
  void download(void* const* outputs, void* const* staged, const std::byte* device,
                device::Stream& stream) const;
  /// Whether download() has written this output.
  bool is_downloaded(std::size_t output) const { return is_downloaded_[output]; }

 private:
  /// Whether the caller's array is pinned, and no step reads staging memory in its stead.
  bool is_direct(const plan::Transfer& transfer, const void* array) const;

  const plan::Plan& plan_;
  plan::Transfers transfers_;
  std::vector<bool> is_uploaded_, is_downloaded_;       ///< by input, by output
  std::vector<std::unique_ptr<device::Event>> pieces_;  ///< of all downloads, in their order
};

}  // namespace mxinfer::runtime
