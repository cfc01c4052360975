#include "simt/races/shadow.h"

#include <algorithm>

namespace mxinfer::simt {
namespace {

constexpr unsigned kWarpThreads = 32;
constexpr std::size_t kMostPages = 2000;  // 200 MB of cells

}  // namespace

BlockSignals& block_signals() {
  static auto& all = *new BlockSignals;
  return all;
}

BlockSignals::Of& BlockSignals::of(std::uint64_t block) {
  if (block >= blocks_.size()) blocks_.resize(block + 1);
  return blocks_[block];
}

void BlockSignals::signal(std::uint64_t block, const void* counter, std::uint32_t epoch) {
  of(block).counter = counter;
  of(block).signals.push_back(epoch);
}

void BlockSignals::waited(std::uint64_t block, std::uint32_t epoch) {
  of(block).waits.push_back(epoch);
}

std::uint32_t BlockSignals::waits_before(std::uint64_t block, std::uint32_t epoch) const {
  if (block >= blocks_.size()) return 0;
  const auto& waits = blocks_[block].waits;
  const auto behind = std::lower_bound(waits.begin(), waits.end(), epoch);
  return static_cast<std::uint32_t>(behind - waits.begin());
}

bool BlockSignals::is_before(std::uint64_t block, std::uint32_t epoch, std::uint64_t other,
                             std::uint32_t waits) const {
  if (block >= blocks_.size() || other >= blocks_.size()) return false;
  const Of& from = blocks_[block];
  return from.counter == blocks_[other].counter && waits > 0 && from.signals.size() >= waits &&
         from.signals[waits - 1] > epoch;
}

bool Record::is_unordered_with(const Record& later) const {
  if (block != later.block)
    return later.waits == 0 || !block_signals().is_before(block, epoch, later.block, later.waits);
  if (epoch != later.epoch || thread == later.thread) return false;
  return thread / kWarpThreads != later.thread / kWarpThreads || warp_epoch == later.warp_epoch;
}

void RecordSet::add(const Record& record) {
  const auto is_gone = [&](const Record& old) {
    return old.era != record.era || !old.is_unordered_with(record);
  };
  if (is_gone(second_)) second_ = {};
  if (is_gone(first_)) {
    first_ = second_;
    second_ = {};
  }
  if (first_.era != record.era) {
    first_ = record;
  } else if (second_.era != record.era) {
    second_ = record;
  } else if (first_.block == second_.block) {
    // Keeps two of different blocks, else of different warps.
    const bool same_warp = first_.thread / kWarpThreads == second_.thread / kWarpThreads;
    if (record.block != first_.block || same_warp) second_ = record;
  }
}

const Record* RecordSet::conflict(const Record& later) const {
  for (const Record* record : {&first_, &second_}) {
    if (record->era != later.era || !record->is_unordered_with(later)) continue;
    if (record->kind != Access::atomic || later.kind != Access::atomic) return record;
  }
  return nullptr;
}

const Record* Cell::access(const Record& record) {
  const Record* found = writes_.conflict(record);
  if (found == nullptr && record.kind != Access::read) found = reads_.conflict(record);
  if (found != nullptr) return found;
  if (record.kind == Access::read) {
    reads_.add(record);
  } else {
    // All reads came before.
    reads_.clear();
    if (record.kind == Access::atomic) {
      writes_.add(record);
    } else {
      writes_.set(record);
    }
  }
  return nullptr;
}

void Cells::split(std::size_t word) {
  bytes_[word] = std::make_unique<Cell[]>(4);
  std::fill_n(bytes_[word].get(), 4, words_[word]);
}

Cells& Pages::of(std::uintptr_t page) {
  const std::size_t slot = page % kRecent;
  if (recent_[slot] != nullptr && recent_number_[slot] == page) return *recent_[slot];
  std::unique_ptr<Cells>& cells = all_[page];
  if (cells == nullptr) cells = std::make_unique<Cells>(kPage);
  recent_number_[slot] = page;
  recent_[slot] = cells.get();
  return *cells;
}

void Pages::trim() {
  if (all_.size() < kMostPages) return;
  all_.clear();
  std::fill(std::begin(recent_), std::end(recent_), nullptr);
}

}  // namespace mxinfer::simt
