// The race detector.
//
// Two accesses of a word, one of them a write, race unless a __syncthreads comes between them, or a
// __syncwarp for threads of one warp. It does not matter in which order they were made. Nothing puts blocks
// in order but signals and waits of a cooperative launch: atomic operations race with no other. An access of
// no memory of the device is an error as well, and one of a word that cp_async is still filling.
#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "simt/async_copies.h"
#include "simt/host/launch.h"
#include "simt/host/memory.h"
#include "simt/host/runner.h"
#include "simt/races/shadow.h"
#include "simt/races/source_line.h"

namespace mxinfer::simt {
namespace {

const char* verb_of(Access kind) {
  return kind == Access::read ? "reads" : kind == Access::write ? "writes" : "changes atomically";
}

std::string thread_text(const Block& block, std::uint32_t block_number, std::uint16_t thread) {
  const auto three = [](unsigned x, unsigned y, unsigned z) {
    return "(" + std::to_string(x) + "," + std::to_string(y) + "," + std::to_string(z) + ")";
  };
  const dim3 size = block.size, grid = block.grid;
  return "thread " + three(thread % size.x, thread / size.x % size.y, thread / size.x / size.y) +
         " of block " +
         three(block_number % grid.x, block_number / grid.x % grid.y, block_number / grid.x / grid.y);
}

class RaceDetector final : public Observer {
 public:
  void begin_launch(const Launch& launch) override {
    launch_era_ = ++era_;
    block_signals().clear();
    has_signals_ = launch.is_cooperative;
    pages_.trim();
    std::fill(std::begin(recent_), std::end(recent_), Range{});
  }

  void begin_block(const Block& block) override {
    SharedMemory& shared = shared_of(block);
    shared.era = ++era_;
    if (shared.bytes == block.shared_bytes) return;
    shared.bytes = block.shared_bytes;
    shared.cells = std::make_unique<Cells>(shared.bytes);
  }

  void signal(const Thread& thread, const unsigned* counter) override {
    has_signals_ = true;
    block_signals().signal(thread.block->number, counter, thread.block->epoch);
  }

  void waited(const Thread& thread, const unsigned*) override {
    block_signals().waited(thread.block->number, thread.block->epoch);
  }

  void access(const Thread& thread, const void* address, std::size_t bytes, Access kind,
              const void* code) override {
    const Block& block = *thread.block;
    const auto* at = static_cast<const std::byte*>(address);
    if (at >= block.shared && at < block.shared + block.shared_bytes) {
      if (at + bytes > block.shared + block.shared_bytes) fail_outside(thread, at, bytes, kind, code);
      note_shared(thread, at, bytes, kind, code);
    } else if (const Range* range = recent_range(at)) {
      note_global(thread, *range, at, bytes, kind, code);
    } else if (block.runner->is_own(at)) {
      return;
    } else if (const Range* found = range_of(at)) {
      note_global(thread, *found, at, bytes, kind, code);
    } else if (kind != Access::read || !is_in_this_object(at)) {
      fail_outside(thread, at, bytes, kind, code);
    }
  }

  void keep_matrix(const Thread& thread, const void* row, const void* code) override {
    load_matrix(thread, row, code);
  }

  void begin_copy(const Thread& thread, const AsyncCopy& copy) override {
    if (copy.bytes > 0)
      access(thread, copy.src, static_cast<std::size_t>(copy.bytes), Access::read, copy.code);
    access(thread, copy.dst, static_cast<std::size_t>(copy.size), Access::write, copy.code);
    for_each_of(thread, copy, [&, era = shared_of(*thread.block).era](Cell& cell) {
      cell.pending_era = era;
      cell.pending_code = code_offset(copy.code);
      cell.pending_thread = static_cast<std::uint16_t>(thread.number);
    });
  }

  void end_copy(const Thread& thread, const AsyncCopy& copy) override {
    for_each_of(thread, copy, [](Cell& cell) { cell.pending_era = 0; });
    access(thread, copy.dst, static_cast<std::size_t>(copy.size), Access::write, copy.code);
  }

 private:
  /// An allocation of a device.
  struct Range {
    const std::byte *start = nullptr, *end = nullptr;
  };

  struct SharedMemory {
    std::uint32_t era = 0;
    std::size_t bytes = 0;
    std::unique_ptr<Cells> cells{};
  };

  /// Blocks that run one after another have one.
  SharedMemory& shared_of(const Block& block) {
    const std::size_t i = has_signals_ ? block.number : 0;
    if (i >= shared_.size()) shared_.resize(i + 1);
    return shared_[i];
  }

  template <typename Visit>
  void for_each_of(const Thread& thread, const AsyncCopy& copy, const Visit& visit) {
    const auto begin = static_cast<std::size_t>(copy.dst - thread.block->shared);
    shared_of(*thread.block)
        .cells->for_each(begin, begin + static_cast<std::size_t>(copy.size), [&](Cell& cell) {
          visit(cell);
          return true;
        });
  }

  Record record_of(const Thread& thread, std::uint32_t era, Access kind, const void* code) const {
    Record record;
    record.era = era;
    record.block = static_cast<std::uint32_t>(thread.block->number);
    record.epoch = thread.block->epoch;
    record.warp_epoch = thread.warp->epoch;
    if (has_signals_) record.waits = block_signals().waits_before(record.block, record.epoch);
    record.code = code_offset(code);
    record.thread = static_cast<std::uint16_t>(thread.number);
    record.kind = kind;
    return record;
  }

  void note_shared(const Thread& thread, const std::byte* at, std::size_t bytes, Access kind,
                   const void* code) {
    const auto begin = static_cast<std::size_t>(at - thread.block->shared);
    const SharedMemory& shared = shared_of(*thread.block);
    const Record record = record_of(thread, shared.era, kind, code);
    const Record* conflict = nullptr;
    const Cell* pending = nullptr;
    shared.cells->for_each(begin, begin + bytes, [&](Cell& cell) {
      if (cell.pending_era == shared.era) pending = &cell;
      conflict = cell.access(record);
      return conflict == nullptr && pending == nullptr;
    });
    if (pending != nullptr) fail_pending(thread, begin, record, *pending);
    if (conflict != nullptr)
      fail_race(thread, "shared memory at byte " + std::to_string(begin), record, *conflict);
  }

  void note_global(const Thread& thread, const Range& range, const std::byte* at, std::size_t bytes,
                   Access kind, const void* code) {
    if (at + bytes > range.end) fail_outside(thread, at, bytes, kind, code);
    const Record record = record_of(thread, launch_era_, kind, code);
    const Record* conflict = nullptr;
    for (std::size_t done = 0; done < bytes && conflict == nullptr;) {
      const auto address = reinterpret_cast<std::uintptr_t>(at + done);
      const std::size_t begin = address % Pages::kPage, count = std::min(bytes - done, Pages::kPage - begin);
      pages_.of(address / Pages::kPage).for_each(begin, begin + count, [&](Cell& cell) {
        conflict = cell.access(record);
        return conflict == nullptr;
      });
      done += count;
    }
    if (conflict == nullptr) return;
    fail_race(thread,
              "byte " + std::to_string(at - range.start) + " of an allocation of " +
                  std::to_string(range.end - range.start) + " bytes",
              record, *conflict);
  }

  /// The allocation that the address is in, if it is one of the last.
  const Range* recent_range(const std::byte* at) const {
    for (const Range& range : recent_) {
      if (at >= range.start && at < range.end) return &range;
    }
    return nullptr;
  }

  const Range* range_of(const std::byte* at) {
    Allocation found;
    const std::byte* start = nullptr;
    if (!find_allocation(at, &found, &start) || found.is_pinned) return nullptr;
    Range& range = recent_[next_recent_++ % kRecent];
    range = {start, start + found.bytes};
    return &range;
  }

  [[noreturn]] void fail_race(const Thread& thread, const std::string& where, const Record& record,
                              const Record& other) const {
    fail([&] {
      const Block& block = *thread.block;
      const bool same_block = record.block == other.block;
      return "race: " + thread_text(block, record.block, record.thread) + " " + verb_of(record.kind) + " " +
             where + " in " + source_line(record.code) + ", which " +
             thread_text(block, other.block, other.thread) + " " + verb_of(other.kind) + " in " +
             source_line(other.code) + "; " +
             (same_block ? "no barrier is between them" : "blocks are in no order");
    });
  }

  [[noreturn]] void fail_pending(const Thread& thread, std::size_t byte, const Record& record,
                                 const Cell& pending) const {
    fail([&] {
      return "race: " + thread_text(*thread.block, record.block, record.thread) + " " + verb_of(record.kind) +
             " shared memory at byte " + std::to_string(byte) + " in " + source_line(record.code) +
             ", to which a copy is on its way that " +
             thread_text(*thread.block, record.block, pending.pending_thread) + " has asked for in " +
             source_line(pending.pending_code) + "; it must be waited for before";
    });
  }

  [[noreturn]] void fail_outside(const Thread& thread, const std::byte* at, std::size_t bytes, Access kind,
                                 const void* code) const {
    fail([&] {
      return name_of(thread) + " " + verb_of(kind) + " " + std::to_string(bytes) + " bytes in " +
             source_line(code_offset(code)) + " that are not within " + place_text(thread, at);
    });
  }

  std::string place_text(const Thread& thread, const std::byte* at) const {
    const Block& block = *thread.block;
    if (at >= block.shared && at < block.shared + block.shared_bytes) return "the block's shared memory";
    Allocation found;
    const std::byte* start = nullptr;
    if (!find_allocation(at, &found, &start)) return "memory of the device";
    if (found.is_pinned) return "memory of the device, but of the process";
    return "the allocation of " + std::to_string(found.bytes) + " bytes that they begin in";
  }

  std::uint32_t era_ = 0, launch_era_ = 0;
  bool has_signals_ = false;
  std::vector<SharedMemory> shared_;
  Pages pages_;
  static constexpr unsigned kRecent = 4;
  Range recent_[kRecent];
  unsigned next_recent_ = 0;
};

RaceDetector& detector() {
  static RaceDetector& only = *new RaceDetector;
  return only;
}

[[maybe_unused]] const bool is_installed = [] {
  observer = &detector();
  return true;
}();

}  // namespace

}  // namespace mxinfer::simt
