// UsualTime: estimates how long a predictor's recent calls take without interference.
//
//   UsualTime time;
//   time.add(std::chrono::microseconds(80));
//   time.is_brief();
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>

namespace mxinfer::runtime {

/// Thread-safe; a sample that two threads add at the same time may be lost.
class UsualTime {
 public:
  /// A shorter time counts at once; a longer one only slowly, because other work on the machine may have
  /// caused it.
  void add(std::chrono::nanoseconds time) noexcept {
    const std::int64_t sample = time.count(), before = nanoseconds_.load(std::memory_order_relaxed);
    const std::int64_t now = before == 0 || sample < before ? sample : before + (sample - before) / 16;
    nanoseconds_.store(now, std::memory_order_relaxed);
  }
  /// Whether handing a call to another thread would take a good part of its time; false while nothing is
  /// known.
  bool is_brief() const noexcept {
    const std::int64_t time = nanoseconds_.load(std::memory_order_relaxed);
    return time > 0 && time < kBrief;
  }

 private:
  static constexpr std::int64_t kBrief = 50'000;
  std::atomic<std::int64_t> nanoseconds_{0};
};

}  // namespace mxinfer::runtime
