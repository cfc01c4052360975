#include "base/files/pages.h"

#include <unistd.h>

#include <algorithm>
#include <ctime>
#include <memory>

#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace mxinfer {
namespace {

#if defined(__linux__)
/// Narrows a block to the pages that lie inside it; null, and no bytes, if there are none.
std::byte* whole_pages(void* memory, std::size_t* bytes) {
  void* const first = std::align(page_bytes(), page_bytes(), memory, *bytes);
  *bytes = first == nullptr ? 0 : *bytes / page_bytes() * page_bytes();
  return static_cast<std::byte*>(first);
}
#endif

#if defined(MADV_POPULATE_WRITE)
/// Of the thread, so that waiting for a core does not count.
std::int64_t thread_nanoseconds() {
  timespec now{};
  (void)::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return std::int64_t{now.tv_sec} * 1'000'000'000 + now.tv_nsec;
}

/// The pages of a block that are taken from now on are small ones. Later the system may put them together
/// to huge ones in the background.
class SmallPages {
 public:
  SmallPages(std::byte* first, std::size_t bytes) : first_(first), bytes_(bytes) {}
  ~SmallPages() {
    if (refuses_) (void)::madvise(first_, bytes_, MADV_HUGEPAGE);
  }
  void begin() {
    if (!refuses_) (void)::madvise(first_, bytes_, MADV_NOHUGEPAGE);
    refuses_ = true;
  }

 private:
  std::byte* first_;
  std::size_t bytes_;
  bool refuses_ = false;
};
#endif

}  // namespace

std::size_t page_bytes() {
  static const auto bytes = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  return bytes;
}

PageCost& process_page_cost() {
  static PageCost cost;
  return cost;
}

void take_pages(void* memory, std::size_t bytes, PageCost& cost) {
#if defined(MADV_POPULATE_WRITE)
  // Blocks of this size and above hold weights and values of whole networks, written from end to end. Taking
  // their pages one fault at a time costs a third of the time from a cold process to its first prediction.
  constexpr std::size_t kLeastTaken = std::size_t{1} << 18;
  // Works in stretches, because no other thread of the process can map memory meanwhile, as a starting thread
  // does. If the system cannot populate them, the pages fault in one by one.
  constexpr std::size_t kStretch = std::size_t{1} << 20;
  if (bytes < kLeastTaken) return;
  std::byte* const first = whole_pages(memory, &bytes);
  SmallPages small(first, bytes);
  for (std::size_t at = 0; at < bytes; at += kStretch) {
    if (cost.is_high()) small.begin();
    const std::size_t size = std::min(kStretch, bytes - at);
    const std::int64_t before = thread_nanoseconds();
    (void)::madvise(first + at, size, MADV_POPULATE_WRITE);
    cost.add(size, thread_nanoseconds() - before);
  }
#else
  (void)memory;
  (void)bytes;
  (void)cost;
#endif
}

void drop_pages(void* memory, std::size_t bytes) noexcept {
#if defined(__linux__)
  std::byte* const first = whole_pages(memory, &bytes);
  if (bytes > 0) (void)::madvise(first, bytes, MADV_DONTNEED);
#else
  (void)memory;
  (void)bytes;
#endif
}

}  // namespace mxinfer
