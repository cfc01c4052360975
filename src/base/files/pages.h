// Pages of large blocks of memory: taken from the system all at once, or given back.
//
//   take_pages(memory, bytes);   // ... before it is written from end to end
//   drop_pages(memory, bytes);   // what it holds is lost
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace mxinfer {

/// The size of a page of the system.
std::size_t page_bytes();

/// What taking pages has cost so far. Thread-safe.
class PageCost {
 public:
  void add(std::size_t bytes, std::int64_t nanoseconds) noexcept {
    bytes_.fetch_add(static_cast<std::int64_t>(bytes), std::memory_order_relaxed);
    nanoseconds_.fetch_add(nanoseconds, std::memory_order_relaxed);
  }
  /// Whether huge pages have cost more than small ones would. A system without free ones moves other pages
  /// together first, and a virtual machine may have to ask its host.
  bool is_high() const noexcept {
    constexpr std::int64_t kProbed = std::int64_t{2} << 20;
    const std::int64_t bytes = bytes_.load(std::memory_order_relaxed);
    // A third of a nanosecond a byte: huge pages take about 0.1, and small ones 0.3.
    return bytes >= kProbed && nanoseconds_.load(std::memory_order_relaxed) > bytes / 3;
  }

 private:
  std::atomic<std::int64_t> bytes_{0}, nanoseconds_{0};
};

/// Of all pages that the process has taken: the system has one supply.
PageCost& process_page_cost();

/// Takes the pages of a block, if it is large; else they come as they are touched. `cost` counts them. If it
/// is high, the block's other pages are small ones, which the system may put together later.
void take_pages(void* memory, std::size_t bytes, PageCost& cost = process_page_cost());

/// Gives the pages that lie inside a block back to the system; what the block holds is lost. Precondition:
/// the system has mapped the block, apart from the heap.
void drop_pages(void* memory, std::size_t bytes) noexcept;

}  // namespace mxinfer
