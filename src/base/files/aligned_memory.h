// 64-byte aligned memory: a cache line, and the widest vector of any target.
#pragma once

#include <cstddef>
#include <memory>
#include <utility>

namespace mxinfer {

inline constexpr std::size_t kAlignment = 64;

/// More bytes than any process can have (addresses have 47 bits). Sizes up to this limit can be added and
/// rounded up without overflow checks.
inline constexpr std::size_t kMostBytes = std::size_t{1} << 47;

/// Rounds up to a multiple of kAlignment. Precondition: at most kMostBytes.
constexpr std::size_t aligned_size(std::size_t bytes) {
  return (bytes + kAlignment - 1) / kAlignment * kAlignment;
}

/// Whether large blocks are mapped by the system, apart from the heap. The address sanitizer knows the bounds
/// of blocks from the heap, but not of those.
#if defined(__linux__) && !defined(__SANITIZE_ADDRESS__)
inline constexpr bool kMapsLargeBlocks = true;
#else
inline constexpr bool kMapsLargeBlocks = false;
#endif

/// When the system maps the pages of a large block: all at once, which is much cheaper than one by one as
/// they are touched, or later, by take_pages().
enum class Pages : bool { now, later };

/// Returns at least `bytes` aligned bytes, never null. Throws Error(out_of_memory) if the allocation fails.
void* aligned_allocate(std::size_t bytes, Pages pages = Pages::now);
void aligned_release(void* memory) noexcept;

/// Owns aligned bytes; their contents start undefined. Large blocks are mapped separately: in the heap,
/// long-lived large blocks would leave holes, one per allocating thread. The system gets them back as soon as
/// they are released. Those of some megabytes get huge pages, if the system has them.
class AlignedBuffer {
 public:
  AlignedBuffer() = default;
  explicit AlignedBuffer(std::size_t bytes, Pages pages = Pages::now)
      : data_(allocate(bytes, pages), Release(bytes)), bytes_(bytes) {}

  std::byte* data() noexcept { return static_cast<std::byte*>(data_.get()); }
  const std::byte* data() const noexcept { return static_cast<const std::byte*>(data_.get()); }
  std::size_t bytes() const noexcept { return bytes_; }

 private:
  static void* allocate(std::size_t bytes, Pages pages);
  static void release(void* memory, std::size_t bytes) noexcept;
  struct Release {
    Release() noexcept : bytes(0) {}
    explicit Release(std::size_t b) noexcept : bytes(b) {}
    std::size_t bytes;
    void operator()(void* memory) const noexcept { release(memory, bytes); }
  };
  std::unique_ptr<void, Release> data_;
  std::size_t bytes_ = 0;
};

}  // namespace mxinfer
