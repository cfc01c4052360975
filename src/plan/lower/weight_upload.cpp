#include "plan/lower/weight_upload.h"

#include <mxinfer/error.h>

#include <algorithm>
#include <cstring>

#include "base/threads/thread_arena.h"

namespace mxinfer::plan {
namespace {

// Pinning takes about as long as packing into the memory, so all threads together have little of it. A piece
// must take longer than its copy takes to enqueue.
constexpr std::size_t kAllStaging = std::size_t{32} << 20;
constexpr std::size_t kLeastStaging = std::size_t{512} << 10;
constexpr std::size_t kMostStaging = std::size_t{4} << 20;

std::size_t staging_for(int threads, std::size_t bytes) {
  const std::size_t share = kAllStaging / 2 / static_cast<std::size_t>(threads);
  return std::min(std::clamp(share, kLeastStaging, kMostStaging), std::max(aligned_size(bytes), kAlignment));
}

}  // namespace

WeightUpload::WeightUpload(int threads, std::size_t bytes)
    : staging_bytes_(staging_for(threads, bytes)), lanes_(static_cast<std::size_t>(threads)) {}

WeightUpload::~WeightUpload() {
  if (!stream_) return;
  try {
    stream_->synchronize();
  } catch (...) {
    // Ignores errors of a failed device: events report them.
  }
}

std::byte* WeightUpload::room(device::Device& device, Lane& lane, std::size_t bytes) const {
  if (lane.staging[lane.current].used + aligned_size(bytes) > staging_bytes_) {
    lane.current = 1 - lane.current;
    Staging& next = lane.staging[lane.current];
    if (next.last) next.last->synchronize();
    next.used = 0;
  }
  Staging& staging = lane.staging[lane.current];
  if (!staging.memory) staging.memory = device.allocate_staging(staging_bytes_);
  std::byte* const start = staging.memory->data() + staging.used;
  staging.used += aligned_size(bytes);
  return start;
}

std::shared_ptr<device::Event> WeightUpload::enqueue(device::Device& device, Lane& lane, std::byte* to,
                                                     const std::byte* from, std::size_t bytes) {
  std::shared_ptr<device::Event> copied = device.new_event();
  const std::lock_guard lock(mutex_);
  if (!stream_) stream_ = device.new_stream();
  stream_->copy_to_device(to, from, bytes);
  stream_->mark(*copied);
  lane.staging[lane.current].last = copied;
  return copied;
}

bool WeightUpload::take_memory(device::Device& device, Lane& lane, std::size_t bytes) try {
  if (lane.stored && lane.stored->bytes() >= bytes) return true;
  // What is enqueued may still read it.
  if (lane.packed) lane.packed->synchronize();
  lane.stored = nullptr;
  lane.stored = device.allocate(bytes);
  return true;
} catch (const Error& error) {
  if (error.code() != ErrorCode::out_of_memory) throw;
  return false;
}

std::shared_ptr<device::Event> WeightUpload::send_and_pack(
    device::Device& device, std::size_t bytes, FunctionRef<void(std::byte*)> fill,
    FunctionRef<void(device::Stream&, const std::byte*)> pack) {
  Lane& lane = lanes_[static_cast<std::size_t>(arena_thread_index())];
  if (!take_memory(device, lane, bytes)) return nullptr;
  // The stream does one after another, so the next weight of this thread comes behind this one's kernel.
  send(device, lane.stored->data(), bytes, fill);
  std::shared_ptr<device::Event> packed = device.new_event();
  const std::lock_guard lock(mutex_);
  pack(*stream_, lane.stored->data());
  stream_->mark(*packed);
  lane.packed = packed;
  return packed;
}

std::shared_ptr<device::Event> WeightUpload::send(device::Device& device, std::byte* to, std::size_t bytes,
                                                  FunctionRef<void(std::byte*)> fill) {
  Lane& lane = lanes_[static_cast<std::size_t>(arena_thread_index())];
  if (bytes <= staging_bytes_) {
    std::byte* const from = room(device, lane, bytes);
    fill(from);
    return enqueue(device, lane, to, from, bytes);
  }
  if (lane.large.bytes() < bytes) lane.large = AlignedBuffer(bytes);
  fill(lane.large.data());
  std::shared_ptr<device::Event> copied;
  for (std::size_t at = 0; at < bytes; at += staging_bytes_) {
    const std::size_t piece = std::min(staging_bytes_, bytes - at);
    std::byte* const from = room(device, lane, piece);
    std::memcpy(from, lane.large.data() + at, piece);
    copied = enqueue(device, lane, to + at, from, piece);
  }
  return copied;
}

}  // namespace mxinfer::plan
