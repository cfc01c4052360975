#include "base/threads/flush_denormals.h"

#if defined(__SSE2__)
#include <xmmintrin.h>
#endif

namespace mxinfer {
namespace {

#if defined(__SSE2__)

// MXCSR: flush-to-zero is for results, denormals-are-zero for operands.
constexpr std::uint64_t kFlush = 0x8000 | 0x0040;

std::uint64_t read_mode() noexcept {
  return _mm_getcsr();
}
void write_mode(std::uint64_t mode) noexcept {
  _mm_setcsr(static_cast<unsigned>(mode));
}

#elif defined(__aarch64__)

// FPCR.FZ is for operands and results.
constexpr std::uint64_t kFlush = std::uint64_t{1} << 24;

std::uint64_t read_mode() noexcept {
  std::uint64_t mode = 0;
  __asm__ volatile("mrs %0, fpcr" : "=r"(mode));
  return mode;
}
void write_mode(std::uint64_t mode) noexcept {
  __asm__ volatile("msr fpcr, %0" : : "r"(mode));
}

#else

constexpr std::uint64_t kFlush = 0;
std::uint64_t read_mode() noexcept {
  return 0;
}
void write_mode(std::uint64_t /*mode*/) noexcept {}

#endif

}  // namespace

bool flushes_denormals() noexcept {
  return kFlush != 0 && (read_mode() & kFlush) == kFlush;
}

FlushDenormals::FlushDenormals(bool flush) noexcept : before_(read_mode()) {
  const std::uint64_t wanted = flush ? before_ | kFlush : before_ & ~kFlush;
  changed_ = wanted != before_;
  if (changed_) write_mode(wanted);
}

FlushDenormals::~FlushDenormals() {
  if (changed_) write_mode(before_);
}

}  // namespace mxinfer
