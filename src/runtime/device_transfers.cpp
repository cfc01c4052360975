#include "runtime/device_transfers.h"

#include <algorithm>
#include <cstring>

#include "base/threads/thread_arena.h"
#include "ops/tensor_type.h"

namespace mxinfer::runtime {
namespace {

// A piece takes 40 us at 50 GB/s, eight times what it takes to enqueue. Threads share it.
constexpr std::size_t kPiece = std::size_t{2} << 20;
constexpr std::size_t kShare = std::size_t{256} << 10;

// Calls body(offset, bytes) for each piece.
template <typename Body>
void for_each_piece(std::size_t bytes, const Body& body) {
  for (std::size_t at = 0; at < bytes; at += kPiece) body(at, std::min(kPiece, bytes - at));
}

std::byte* behind(void* start, std::size_t offset) {
  return static_cast<std::byte*>(start) + offset;
}
const std::byte* behind(const void* start, std::size_t offset) {
  return static_cast<const std::byte*>(start) + offset;
}

}  // namespace

void copy_by_threads(void* to, const void* from, std::size_t bytes) {
  const auto shares = static_cast<std::int64_t>((bytes + kShare - 1) / kShare);
  parallel_for(shares, 1, [&](std::int64_t begin, std::int64_t end) {
    const std::size_t first = static_cast<std::size_t>(begin) * kShare;
    const std::size_t last = std::min(bytes, static_cast<std::size_t>(end) * kShare);
    std::memcpy(behind(to, first), behind(from, first), last - first);
  });
}

DeviceTransfers::DeviceTransfers(const plan::Plan& plan)
    : plan_(plan),
      transfers_(plan::transfers_of(plan)),
      is_uploaded_(plan.inputs.size()),
      is_downloaded_(plan.outputs.size()) {
  for (const plan::Transfer& upload : transfers_.uploads) is_uploaded_[upload.operand] = true;
  for (const plan::Transfer& download : transfers_.downloads) {
    is_downloaded_[download.operand] = download.is_only_use;
    for_each_piece(download.bytes,
                   [&](std::size_t, std::size_t) { pieces_.push_back(plan.device->new_event()); });
  }
}

bool DeviceTransfers::is_direct(const plan::Transfer& transfer, const void* array) const {
  return transfer.is_only_use && plan_.device->is_staging(array);
}

void DeviceTransfers::upload(const void* const* inputs, void* const* staged, std::byte* device,
                             device::Stream& stream, Sources sources) const {
  for (std::size_t i = 0; i < plan_.inputs.size(); ++i) {
    if (!is_uploaded_[i] && inputs[i] != staged[i])
      copy_by_threads(staged[i], inputs[i], ops::bytes_of(plan_.inputs[i]));
  }
  for (const plan::Transfer& one : transfers_.uploads) {
    const void* const input = inputs[one.operand];
    std::byte* const to = device + one.device_offset;
    const bool is_staged = input == staged[one.operand];
    if (is_staged || (sources == Sources::live && is_direct(one, input))) {
      stream.copy_to_device(to, input, one.bytes);
      continue;
    }
    for_each_piece(one.bytes, [&](std::size_t at, std::size_t bytes) {
      std::byte* const piece = behind(staged[one.operand], at);
      copy_by_threads(piece, behind(input, at), bytes);
      stream.copy_to_device(to + at, piece, bytes);
    });
  }
}

void DeviceTransfers::enqueue_downloads(void* const* staged, const std::byte* device,
                                        device::Stream& stream) const {
  for (const plan::Transfer& one : transfers_.downloads)
    stream.copy_to_host(staged[one.operand], device + one.device_offset, one.bytes);
}

void DeviceTransfers::download(void* const* outputs, void* const* staged, const std::byte* device,
                               device::Stream& stream) const {
  auto mark = pieces_.begin();
  for (const plan::Transfer& one : transfers_.downloads) {
    void* const to = is_direct(one, outputs[one.operand]) ? outputs[one.operand] : staged[one.operand];
    for_each_piece(one.bytes, [&](std::size_t at, std::size_t bytes) {
      stream.copy_to_host(behind(to, at), device + one.device_offset + at, bytes);
      stream.mark(**mark++);
    });
  }
  mark = pieces_.begin();
  for (const plan::Transfer& one : transfers_.downloads) {
    const bool stays = !one.is_only_use || is_direct(one, outputs[one.operand]);
    for_each_piece(one.bytes, [&](std::size_t at, std::size_t bytes) {
      (*mark++)->synchronize();
      if (!stays) copy_by_threads(behind(outputs[one.operand], at), behind(staged[one.operand], at), bytes);
    });
  }
}

}  // namespace mxinfer::runtime
