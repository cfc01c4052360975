// What has been done with each word of memory, and by whom: enough to find two accesses, one of them a write,
// that nothing puts in order.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

#include "simt/host/observer.h"

namespace mxinfer::simt {

/// What the blocks of a cooperative launch have told each other. A signal is of what the block has done
/// before the barrier in front of it; the n-th wait of a block is for the n-th signals of all blocks that
/// signal by the same counter.
class BlockSignals {
 public:
  void clear() { blocks_.clear(); }
  bool is_empty() const { return blocks_.empty(); }
  void signal(std::uint64_t block, const void* counter, std::uint32_t epoch);
  void waited(std::uint64_t block, std::uint32_t epoch);
  /// The waits that a barrier puts before what the block does in an epoch.
  std::uint32_t waits_before(std::uint64_t block, std::uint32_t epoch) const;
  /// Whether what a block has done in an epoch comes before what another does after so many waits.
  bool is_before(std::uint64_t block, std::uint32_t epoch, std::uint64_t other, std::uint32_t waits) const;

 private:
  struct Of {
    const void* counter = nullptr;
    std::vector<std::uint32_t> signals{}, waits{};  ///< their epochs
  };
  Of& of(std::uint64_t block);

  std::vector<Of> blocks_;
};

/// Those of the launch that runs.
BlockSignals& block_signals();

/// An access of a thread. Those of another era are forgotten: an era is a launch, or a block for its shared
/// memory.
struct Record {
  std::uint32_t era = 0;
  std::uint32_t block = 0;       ///< its number in the grid
  std::uint32_t epoch = 0;       ///< how many barriers came before
  std::uint32_t warp_epoch = 0;  ///< how many __syncwarp
  std::uint32_t waits = 0;       ///< for other blocks: BlockSignals::waits_before
  std::uint32_t code = 0;        ///< where it is in the library's code, from its start
  std::uint16_t thread = 0;
  Access kind = Access::read;

  /// Whether no barrier puts this before `later`, of the same era.
  bool is_unordered_with(const Record& later) const;
};

/// Accesses that are in no order with each other. Two are enough: if any other access is in no order with one
/// of the set, it is in no order with one of two that differ as much as they can.
class RecordSet {
 public:
  /// Drops what is of another era or comes before.
  void add(const Record& record);
  void set(const Record& record) {
    first_ = record;
    second_ = {};
  }
  void clear() { first_ = second_ = {}; }
  /// One that conflicts with a later access: in no order with it, and not both of them atomic.
  const Record* conflict(const Record& later) const;

 private:
  Record first_{}, second_{};
};

/// A word of four bytes, or a byte.
class Cell {
 public:
  /// The access that `record` races with; null if there is none. It is kept.
  const Record* access(const Record& record);
  /// A copy is on its way to it: nobody may read or write it.
  std::uint32_t pending_era = 0, pending_code = 0;
  std::uint16_t pending_thread = 0;

 private:
  RecordSet writes_{}, reads_{};
};

/// Cells of some memory: one for each word, or four where parts of it are accessed.
class Cells {
 public:
  explicit Cells(std::size_t bytes) : words_((bytes + 3) / 4), bytes_(words_.size()) {}

  /// Calls visit(cell) for the cells of bytes [begin, end), until it returns false.
  template <typename Visit>
  void for_each(std::size_t begin, std::size_t end, const Visit& visit) {
    for (std::size_t word = begin / 4; word * 4 < end; ++word) {
      if (begin <= word * 4 && end >= word * 4 + 4 && bytes_[word] == nullptr) {
        if (!visit(words_[word])) return;
        continue;
      }
      if (bytes_[word] == nullptr) split(word);
      for (std::size_t byte = 0; byte < 4; ++byte) {
        if (begin <= word * 4 + byte && word * 4 + byte < end && !visit(bytes_[word][byte])) return;
      }
    }
  }

 private:
  void split(std::size_t word);

  std::vector<Cell> words_;
  std::vector<std::unique_ptr<Cell[]>> bytes_;
};

/// Cells of the memory of devices, by pages.
class Pages {
 public:
  static constexpr std::size_t kPage = 4096;
  Cells& of(std::uintptr_t page);
  /// Forgets all if they take much memory.
  void trim();

 private:
  std::unordered_map<std::uintptr_t, std::unique_ptr<Cells>> all_;
  // The last ones, by page number.
  static constexpr std::size_t kRecent = 64;
  std::uintptr_t recent_number_[kRecent] = {};
  Cells* recent_[kRecent] = {};
};

}  // namespace mxinfer::simt
