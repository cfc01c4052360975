// The observer that counts. Of a large launch, a few blocks run: two in the middle, which are counted, and
// the first and the last, which show how far arrays reach. Nothing that kernels compute is right then.
//
// MXINFER_SIMT_COUNTS names a file that gets a line of JSON for each launch.
#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <unordered_set>
#include <vector>

#include "simt/async_copies.h"
#include "simt/counts/counts.h"
#include "simt/counts/footprint.h"
#include "simt/counts/waits.h"
#include "simt/counts/warp_requests.h"
#include "simt/host/kernel_name.h"
#include "simt/host/launch.h"
#include "simt/host/memory.h"
#include "simt/host/observer.h"

namespace mxinfer::simt {
namespace {

constexpr std::uint64_t kAllRun = 4;  ///< launches of so many blocks run as a whole

/// An access of a lane that may grow. The compiler splits one of 8 or 16 bytes into its elements, each an
/// instruction of its own: neighbours, one after another.
struct OpenAccess {
  std::uintptr_t address = 0;
  unsigned bytes = 0;  ///< 0: there is none
  Access kind = Access::read;
  bool is_shared = false;
  const void *code = nullptr, *last_code = nullptr;

  bool takes(std::uintptr_t at, unsigned more, Access of, const void* by) const {
    if (bytes == 0 || kind != of || of == Access::atomic || at != address + bytes || by <= last_code)
      return false;
    if (static_cast<const std::byte*>(by) - static_cast<const std::byte*>(code) > kNear) return false;
    const unsigned whole = bytes + more <= 8 ? 8 : 16;
    return bytes + more <= 16 && more >= 2 && bytes % more == 0 && address % whole == 0;
  }

 private:
  static constexpr std::ptrdiff_t kNear = 128;  ///< bytes of code
};

/// What a warp of the block has done.
struct WarpState {
  WarpRequests global_loads, global_copies, global_stores, global_atomics;
  WarpRequests shared_loads, shared_stores, matrix_loads, copy_stores;
  Waits waits;
  std::array<OpenAccess, 32> open;
};

class LaunchCounter final : public Observer {
 public:
  void begin_launch(const Launch& launch) override {
    counts_ = Counts{};
    counts_.kernel = kernel_name(launch.kernel);
    counts_.line = std::string(launch.grid.file) + ":" + std::to_string(launch.grid.line);
    counts_.grid = launch.grid.size;
    counts_.block = launch.block;
    counts_.shared_bytes = launch.shared_bytes;
    all_blocks_ = std::uint64_t{launch.grid.size.x} * launch.grid.size.y * launch.grid.size.z;
    read_ = {};
    written_ = {};
  }

  bool runs(std::uint64_t block) override {
    return is_counted(block) || block == 0 || block + 1 == all_blocks_;
  }

  bool runs_all() const override { return false; }

  void begin_block(const Block& block) override {
    counts_block_ = is_counted(block.number);
    warps_.clear();
    for (unsigned w = 0; w < (block.threads + 31) / 32; ++w) warps_.push_back(new_warp());
    sectors_.clear();
    barriers_ = 0;
  }

  void end_block(const Block& block) override {
    for (const auto& warp : warps_) {
      for (unsigned lane = 0; lane < 32; ++lane) close(*warp, lane);
      warp->waits.use();
      for (WarpRequests* requests :
           {&warp->global_loads, &warp->global_copies, &warp->global_stores, &warp->global_atomics,
            &warp->shared_loads, &warp->shared_stores, &warp->matrix_loads, &warp->copy_stores}) {
        requests->finish();
      }
    }
    read_.end_block(counts_block_);
    written_.end_block(counts_block_);
    if (!counts_block_) return;
    ++counts_.blocks;
    counts_.warps += warps_.size();
    counts_.different_sectors += sectors_.size();
    counts_.barriers += barriers_ / block.threads;
  }

  void end_launch(const Launch&) override {
    const Footprint::Size read = read_.size(all_blocks_, counts_.blocks);
    const Footprint::Size written = written_.size(all_blocks_, counts_.blocks);
    counts_.footprint_read = read.bytes;
    counts_.footprint_written = written.bytes;
    counts_.pages = read.pages + written.pages;
    last_ = counts_;
    if (file_ == nullptr) return;
    std::fprintf(file_, "%s\n", to_json(last_).c_str());
    std::fflush(file_);
  }

  void access(const Thread& thread, const void* address, std::size_t bytes, Access kind,
              const void* code) override {
    const auto at = reinterpret_cast<std::uintptr_t>(address);
    epoch_ = thread.block->epoch;
    WarpState& warp = warp_of(thread);
    OpenAccess& open = warp.open[thread.lane];
    const auto size = static_cast<unsigned>(bytes);
    if (open.takes(at, size, kind, code)) {
      open.bytes += size;
      open.last_code = code;
      return;
    }
    close(warp, thread.lane);
    const bool is_shared = is_in_shared(*thread.block, address);
    if (!is_shared && !is_in_device_memory(address)) return;
    open = OpenAccess{at, size, kind, is_shared, code, code};
    const bool is_near = !is_shared && kind == Access::read && !sectors_.insert(at / 32).second;
    if (thread.lane == 0) note_order(warp, kind, is_shared, is_near, code);
  }

  void load_matrix(const Thread& thread, const void* row, const void* code) override {
    WarpState& warp = warp_of(thread);
    close(warp, thread.lane);
    warp.matrix_loads.add(code, thread.lane, reinterpret_cast<std::uintptr_t>(row), 16);
    if (thread.lane == 0) warp.waits.work();
  }

  void begin_copy(const Thread& thread, const AsyncCopy& copy) override {
    WarpState& warp = warp_of(thread);
    close(warp, thread.lane);
    if (copy.bytes > 0) {
      const auto from = reinterpret_cast<std::uintptr_t>(copy.src);
      const auto bytes = static_cast<unsigned>(copy.bytes);
      warp.global_copies.add(copy.code, thread.lane, from, bytes);
      read_.access(copy.code, from, bytes, thread.block->epoch);
    }
    warp.copy_stores.add(copy.code, thread.lane, reinterpret_cast<std::uintptr_t>(copy.dst),
                         static_cast<unsigned>(copy.size));
  }

  void end_copy(const Thread&, const AsyncCopy&) override {}

  void wait_for_copies(const Thread& thread, unsigned groups) override {
    if (thread.lane != 0) return;
    const std::vector<AsyncCopy>& pending = thread.copies->pending;
    // Copies of group g are waited for if g + 1 groups of those committed must be done.
    if (pending.empty() || pending[0].group + 1 + groups > thread.copies->group) return;
    unsigned on_their_way = 1;
    for (std::size_t i = 1; i < pending.size(); ++i) on_their_way += pending[i].group != pending[i - 1].group;
    if (counts_block_) warp_of(thread).waits.wait_for_copies(on_their_way);
  }

  void barrier(const Thread& thread) override {
    WarpState& warp = warp_of(thread);
    close(warp, thread.lane);
    epoch_ = thread.block->epoch;
    if (thread.lane == 0) warp.waits.use();
    ++barriers_;
  }

  void warp_operation(const Warp& warp, WarpOperation operation, unsigned instructions) override {
    WarpState& state = warp_of(warp.lanes[0]);
    if (operation == WarpOperation::product) {
      state.waits.work();
      if (counts_block_) counts_.products += instructions;
    } else {
      state.waits.use();
      if (counts_block_) counts_.exchanges += instructions;
    }
  }

  const Counts& last() const { return last_; }

 private:
  /// An allocation of a device.
  struct Range {
    const std::byte *start = nullptr, *end = nullptr;
  };

  bool is_counted(std::uint64_t block) const {
    return all_blocks_ <= kAllRun || block == all_blocks_ / 2 || block == all_blocks_ / 2 - 1;
  }

  std::unique_ptr<WarpState> new_warp() {
    const auto global = [this](GlobalCounts& counts) {
      return [this, &counts](const Request& request) { count_global(request, counts); };
    };
    const auto shared = [this](SharedCounts& counts) {
      return [this, &counts](const Request& request) { count_shared(request, counts); };
    };
    WaitCounts& waits = counts_block_ ? counts_.waits : not_counted_;
    return std::unique_ptr<WarpState>(new WarpState{WarpRequests(global(counts_.global_loads)),
                                                    WarpRequests(global(counts_.global_copies)),
                                                    WarpRequests(global(counts_.global_stores)),
                                                    WarpRequests(global(counts_.global_atomics)),
                                                    WarpRequests(shared(counts_.shared_loads)),
                                                    WarpRequests(shared(counts_.shared_stores)),
                                                    WarpRequests(shared(counts_.matrix_loads)),
                                                    WarpRequests(shared(counts_.copy_stores)),
                                                    Waits(&waits),
                                                    {}});
  }

  WarpState& warp_of(const Thread& thread) { return *warps_[thread.number / 32]; }

  static bool is_in_shared(const Block& block, const void* address) {
    const auto* at = static_cast<const std::byte*>(address);
    return at >= block.shared && at < block.shared + block.shared_bytes;
  }

  bool is_in_device_memory(const void* address) {
    const auto* at = static_cast<const std::byte*>(address);
    for (const Range& range : recent_) {
      if (at >= range.start && at < range.end) return true;
    }
    Allocation found;
    const std::byte* start = nullptr;
    if (!find_allocation(at, &found, &start)) return false;
    recent_[next_recent_++ % kRecent] = {start, start + found.bytes};
    return true;
  }

  static void note_order(WarpState& warp, Access kind, bool is_shared, bool is_near, const void* code) {
    if (kind != Access::read) {
      warp.waits.use();
    } else if (is_shared) {
      warp.waits.work();
    } else {
      warp.waits.load(code, is_near);
    }
  }

  /// The lane's open access is whole.
  void close(WarpState& warp, unsigned lane) {
    OpenAccess& open = warp.open[lane];
    if (open.bytes == 0) return;
    if (!open.is_shared) {
      if (open.kind != Access::write) read_.access(open.code, open.address, open.bytes, epoch_);
      if (open.kind != Access::read) written_.access(open.code, open.address, open.bytes, epoch_);
    }
    WarpRequests& requests = open.kind == Access::read
                                 ? (open.is_shared ? warp.shared_loads : warp.global_loads)
                             : open.is_shared             ? warp.shared_stores
                             : open.kind == Access::write ? warp.global_stores
                                                          : warp.global_atomics;
    requests.add(open.code, lane, open.address, open.bytes);
    open.bytes = 0;
  }

  void count_global(const Request& request, GlobalCounts& counts) const {
    if (!counts_block_) return;
    ++counts.requests;
    counts.sectors += sectors_of(request);
    counts.bytes += static_cast<unsigned>(__builtin_popcount(request.lanes)) * request.bytes;
  }

  void count_shared(const Request& request, SharedCounts& counts) const {
    if (!counts_block_) return;
    const Wavefronts wavefronts = wavefronts_of(request);
    ++counts.requests;
    counts.wavefronts += wavefronts.all;
    counts.conflicts += wavefronts.all - wavefronts.without_conflicts;
  }

  Counts counts_, last_;
  std::uint64_t all_blocks_ = 0, barriers_ = 0;
  unsigned epoch_ = 0;  ///< of the access that comes
  bool counts_block_ = false;
  std::vector<std::unique_ptr<WarpState>> warps_;
  std::unordered_set<std::uintptr_t> sectors_;
  WaitCounts not_counted_;
  Footprint read_, written_;
  static constexpr unsigned kRecent = 4;
  Range recent_[kRecent];
  unsigned next_recent_ = 0;
  std::FILE* file_ = [] {
    const char* path = std::getenv("MXINFER_SIMT_COUNTS");
    return path == nullptr ? nullptr : std::fopen(path, "w");
  }();
};

LaunchCounter& counter() {
  static LaunchCounter& only = *new LaunchCounter;
  return only;
}

[[maybe_unused]] const bool is_installed = [] {
  observer = &counter();
  return true;
}();

}  // namespace

const Counts& last_counts() {
  return counter().last();
}

}  // namespace mxinfer::simt
