// Tally: how calls ended, by operation.
#pragma once

#include <mxinfer/error.h>

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <string>
#include <string_view>

namespace mxinfer::soak {

enum class Ending { done, refused, cancelled, expired, failed };
inline constexpr std::array<std::string_view, 5> kEndings = {"done", "refused", "cancelled", "expired",
                                                             "failed"};

/// Any thread may count.
class Tally {
 public:
  void count(Ending ending) noexcept { ++counts_[static_cast<std::size_t>(ending)]; }
  [[nodiscard]] std::uint64_t of(Ending ending) const noexcept {
    return counts_[static_cast<std::size_t>(ending)];
  }
  [[nodiscard]] std::uint64_t all() const noexcept {
    std::uint64_t sum = 0;
    for (const auto& count : counts_) sum += count;
    return sum;
  }

 private:
  std::array<std::atomic<std::uint64_t>, kEndings.size()> counts_{};
};

/// What must not happen: how often, and the first.
class Surprises {
 public:
  void add(std::string_view operation, std::string_view what) {
    if (++count_ > 1) return;
    const std::lock_guard lock(mutex_);
    first_ = std::string(operation) + ": " + std::string(what);
  }
  [[nodiscard]] std::uint64_t count() const noexcept { return count_; }
  [[nodiscard]] std::string first() const {
    const std::lock_guard lock(mutex_);
    return first_;
  }

 private:
  std::atomic<std::uint64_t> count_{0};
  mutable std::mutex mutex_{};
  std::string first_{};
};

}  // namespace mxinfer::soak
